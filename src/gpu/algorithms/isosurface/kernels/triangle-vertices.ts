import type { Fragment } from "../../../shader/fragment.ts";
import { selectedBlocks } from "../../surface/block-selection.ts";
import { blockLayout } from "../blocks.ts";
import { parameters } from "../parameters.ts";
import { blockTable } from "./block-table.ts";
import { triangleTableWords } from "./triangle-table.ts";

/**
 * Which vertices a marked triangle has, from the tables of the blocks that own them. Needs the arrays `cases`, `slots`
 * and `tables`, and the `selection`.
 */
export const triangleVertices: Fragment = {
  name: "triangle vertices",
  requires: [parameters, blockLayout, blockTable, selectedBlocks],
  code: /* wgsl */ `
/** The vertex on an edge of a cell of a block: \`edge\` is its lower corner | axis << 3. */
fn vertex_of(edge: u32, cell: vec3u, block: u32, item: u32) -> u32 {
  let point = cell + (vec3u(edge, edge >> 1u, edge >> 2u) & vec3u(1u));
  let beyond = vec3u(point >= block_cells);
  let at = point - beyond * block_cells;
  var slot = item;
  if (any(beyond != vec3u(0u))) {
    slot = slots[block + number_of(beyond, parameters.blocks)];
  }
  let table = slot * table_words;
  let row = tables[table + slab_count + at.y + slab_rows * at.z];
  let vertex = tables[table + at.z] + (row >> 24u) +
    countOneBits(row & ((1u << (3u * at.x + (edge >> 3u))) - 1u));
  return select(0xffffffffu, vertex, slot < parameters.block_capacity);
}

/** Zeros where the vertices did not all fit: the triangle collapses to a point. \`item\` and \`entry\` are its mark. */
fn triangle_vertices(item: u32, entry: u32) -> vec3u {
  let block = selection.blocks[item];
  let cell = position_of(entry & 0xfffu, block_cells);
  let triangle = (entry >> 12u) & 15u;
  let edges = cases[(entry >> 16u) * ${triangleTableWords}u + (triangle >> 1u)] >> (15u * (triangle & 1u));
  let numbers = vec3u(
    vertex_of(edges & 31u, cell, block, item),
    vertex_of((edges >> 5u) & 31u, cell, block, item),
    vertex_of((edges >> 10u) & 31u, cell, block, item),
  );
  return select(vec3u(0u), numbers, all(numbers < vec3u(parameters.vertex_capacity)));
}
`,
};
