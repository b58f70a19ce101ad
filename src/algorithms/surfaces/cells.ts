import { defineKernel } from "../../core/primitives/kernel.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import type { Vectors } from "../vectors.ts";
import { gridConstants, indicesOf, type SurfaceGrid } from "./surface-grid.ts";

const number = defineKernel({
  name: "number cells",
  inputs: {},
  constants: gridConstants,
  outputs: { cells: { type: "u32" } },
  js({ constants: { dims, row }, outputs: { cells } }) {
    const [, ny] = dims;
    return (node, place) => {
      const rows = Math.floor(node / row);
      cells[place] = (node % row) + (row - 1) * ((rows % ny) + (ny - 1) * Math.floor(rows / ny));
    };
  },
  wgsl: `
    let at = indices_of(element);
    out.cells = at.x + (constants.row - 1u) * (at.y + (constants.dims.y - 1u) * at.z);`,
  wgslFunctions: indicesOf,
});

/** For each triangle its cell's number among cells, from the cells of a soup's vertices by their first nodes. */
export async function cellsOf(
  p: Primitives,
  vectors: Vectors,
  { constants }: SurfaceGrid,
  nodes: Vector<"u32">,
): Promise<Vector<"u32">> {
  const triangles = nodes.length / 3;
  const at = p.permuted(nodes, p.counting("u32", triangles, 0, 3));
  const { cells } = await p.forEach(triangles, number, { inputs: {}, constants, at });
  return vectors.hold(cells);
}
