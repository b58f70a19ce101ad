import { firstInnerBits } from "../../../../core/marching-cubes/trilinear/patch.ts";
import type { Fragment } from "../../../shader/fragment.ts";
import { blockLayout } from "../../blocks/block-layout.ts";
import { selectedBlocks } from "../../blocks/block-selection.ts";
import { triangleTableWords } from "../../triangle-table.ts";
import { parameters } from "../parameters.ts";
import { blockTable } from "./block-table.ts";

/**
 * Which vertices a marked triangle has, from the tables of the blocks that own them. Needs the arrays `cases`, `slots`
 * and `tables`, the `selection`, and `mark_word`, which reads marks: the number of the block in the selection; the cell,
 * the triangle (11) and the patch (16), which is the case; the first vertex inside an ambiguous cell.
 */
export const triangleVertices: Fragment = {
  name: "triangle vertices",
  requires: [parameters, blockLayout, blockTable, selectedBlocks],
  code: /* wgsl */ `
/** Whether \`cases\` are those of \`ambiguousCellTable\`. */
override is_exact = false;

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

/** The same, or a vertex inside the cell, of which the first is \`inner\`. */
fn corner_of(edge: u32, inner: u32, cell: vec3u, block: u32, item: u32) -> u32 {
  if (is_exact && edge >= ${firstInnerBits}u) {
    return inner + (edge - ${firstInnerBits}u);
  }
  return vertex_of(edge, cell, block, item);
}

/** The three vertices of a patch's triangle, five bits each. */
fn corners_of(patch_number: u32, triangle: u32) -> u32 {
  var word = patch_number * ${triangleTableWords}u;
  if (is_exact) {
    word = cases[patch_number] >> 8u;
  }
  return cases[word + (triangle >> 1u)] >> (15u * (triangle & 1u));
}

/** Zeros where the vertices did not all fit: the triangle collapses to a point. \`mark\` is the first word of its mark. */
fn triangle_vertices(mark: u32) -> vec3u {
  let item = mark_word(mark);
  let entry = mark_word(mark + 1u);
  var inner = 0u;
  if (is_exact) {
    inner = mark_word(mark + 2u);
  }
  let block = selection.blocks[item];
  let cell = position_of(entry & 0x7ffu, block_cells);
  let corners = corners_of(entry >> 16u, (entry >> 11u) & 31u);
  let numbers = vec3u(
    corner_of(corners & 31u, inner, cell, block, item),
    corner_of((corners >> 5u) & 31u, inner, cell, block, item),
    corner_of((corners >> 10u) & 31u, inner, cell, block, item),
  );
  return select(vec3u(0u), numbers, all(numbers < vec3u(parameters.vertex_capacity)));
}
`,
};
