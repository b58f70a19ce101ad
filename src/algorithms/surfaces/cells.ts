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
  text: `
    let node = indices_of(element);
    out.cells = node.x + (constants.row - 1u) * (node.y + (constants.dims.y - 1u) * node.z);`,
  functions: indicesOf,
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
