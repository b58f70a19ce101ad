import fc from "fast-check";
import type { Field } from "../../../core/field.ts";
import type { RectilinearGrid, Triple } from "../../../core/grid.ts";

export interface RandomCase {
  readonly grid: RectilinearGrid;
  readonly field: Field;
  readonly isovalue: number;
}

const axis = fc
  .array(fc.double({ min: 0.05, max: 3, noNaN: true }), { minLength: 1, maxLength: 9 })
  .map((steps) => {
    let x = -2;
    return Float64Array.from([x, ...steps.map((step) => (x += step))]);
  });

/**
 * Fields of few distinct values, many equal to the isovalue, on grids of uneven spacing; the border is below, so
 * that surfaces are closed. Isovalues of both signs, whole and fractional.
 */
export function randomCase(): fc.Arbitrary<RandomCase> {
  return fc
    .tuple(axis, axis, axis, fc.constantFrom(0, -3, 2, 0.5, -1.25), fc.integer())
    .map(([x, y, z, isovalue, seed]) => {
      const dims: Triple = [x.length, y.length, z.length];
      const data = new Float32Array(dims[0] * dims[1] * dims[2]);
      let state = seed >>> 0;
      for (let i = 0; i < data.length; i++) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        const at = [i % dims[0], Math.floor(i / dims[0]) % dims[1], Math.floor(i / (dims[0] * dims[1]))];
        const isBorder = at.some((k, d) => k === 0 || k === dims[d] - 1);
        data[i] = isovalue + (isBorder ? -1 : [-2, -0.75, 0, 0, 1, 1.5, 3][(state >>> 16) % 7]);
      }
      return {
        grid: { kind: "rectilinear", dims, axes: [x, y, z] },
        field: { name: "f", centering: "node", components: 1, dtype: "f32", data },
        isovalue,
      };
    });
}

/** Grid edges with exactly one end strictly above the isovalue. */
export function cutEdgeCount({ dims }: RectilinearGrid, { data }: Field, isovalue: number): number {
  const strides = [1, dims[0], dims[0] * dims[1]];
  let count = 0;
  for (let i = 0; i < data.length; i++) {
    for (let d = 0; d < 3; d++) {
      if (Math.floor(i / strides[d]) % dims[d] === dims[d] - 1) continue;
      if (data[i] > isovalue !== data[i + strides[d]] > isovalue) count++;
    }
  }
  return count;
}
