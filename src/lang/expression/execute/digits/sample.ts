import { arrayOf, type TypedArray } from "../../../../core/dtype.ts";
import type { DataSet, Field } from "../../../../core/field.ts";
import { nodeCoordinates, type Triple, valueDims } from "../../../../core/grid.ts";

/** Nodes of a sample, about. */
const sampleNodes = 4096;

/** The data set on some of its planes along each axis, the first and the last among them, at even distances. */
export function sampleOf({ name, grid, fields }: DataSet): DataSet {
  const long = grid.dims.filter((n) => n > 1).length;
  const most = Math.max(2, Math.floor(sampleNodes ** (1 / Math.max(1, long))));
  const chosen = grid.dims.map((n) => spread(n, Math.min(n, most)));
  const axes = chosen.map((nodes, axis) => {
    const along = nodeCoordinates(grid, axis);
    return Float64Array.from(nodes, (i) => along[i]);
  });
  const dims = chosen.map((nodes) => nodes.length) as unknown as Triple;
  const sampled = { kind: "rectilinear", dims, axes: [axes[0], axes[1], axes[2]] } as const;
  const taken = fields.map((field): Field => {
    const from = valueDims(grid, field.centering);
    const to = valueDims(sampled, field.centering);
    const at = chosen.map((nodes, axis) => nodes.slice(0, to[axis]).map((i) => Math.min(i, from[axis] - 1)));
    return { ...field, data: picked(field, from, at) };
  });
  return { name, grid: sampled, fields: taken, notes: [] };
}

/** So many of the numbers below n, at even distances. */
const spread = (n: number, count: number): number[] =>
  Array.from({ length: count }, (_, k) => (count === 1 ? 0 : Math.round((k * (n - 1)) / (count - 1))));

function picked({ data, dtype, components }: Field, [nx, ny]: Triple, at: readonly number[][]): TypedArray {
  const [xs, ys, zs] = at;
  const out = new (arrayOf(dtype))(xs.length * ys.length * zs.length * components);
  let to = 0;
  for (const z of zs) {
    for (const y of ys) {
      for (const x of xs) {
        const from = (x + nx * (y + ny * z)) * components;
        for (let c = 0; c < components; c++) out[to++] = data[from + c];
      }
    }
  }
  return out;
}
