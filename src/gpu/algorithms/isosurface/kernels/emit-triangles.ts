import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { selectedBlocks } from "../../surface/block-selection.ts";
import { blockLayout } from "../blocks.ts";
import { parameters } from "../parameters.ts";
import { blockTable, verticesPerTable } from "./block-table.ts";
import { isosurfaceState } from "./isosurface-state.ts";
import { triangleTableWords } from "./triangle-table.ts";

/** The indices of each marked triangle, from the tables of the blocks that own its vertices. */
const emitTriangles: Fragment = {
  name: "emit triangles",
  requires: [parameters, blockLayout, blockTable, isosurfaceState, selectedBlocks],
  code: /* wgsl */ `
override threads = 128u;

@group(0) @binding(1) var<storage, read> cases: array<u32>;
@group(0) @binding(2) var<storage, read> selection: SelectedBlocks;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> tables: array<u32>;
@group(0) @binding(5) var<storage, read_write> state: IsosurfaceState;
@group(0) @binding(6) var<storage, read_write> indices: array<u32>;

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

fn emit_triangle(index: u32) {
  let item = indices[index];
  let entry = indices[index + 1u];
  let block = selection.blocks[item];
  let cell = position_of(entry & 0xfffu, block_cells);
  let triangle = (entry >> 12u) & 15u;
  let edges = cases[(entry >> 16u) * ${triangleTableWords}u + (triangle >> 1u)] >> (15u * (triangle & 1u));
  let numbers = vec3u(
    vertex_of(edges & 31u, cell, block, item),
    vertex_of((edges >> 5u) & 31u, cell, block, item),
    vertex_of((edges >> 10u) & 31u, cell, block, item),
  );
  // A triangle whose vertices did not all fit collapses to a point.
  let kept = select(vec3u(0u), numbers, all(numbers < vec3u(parameters.vertex_capacity)));
  indices[index] = kept.x;
  indices[index + 1u] = kept.y;
  indices[index + 2u] = kept.z;
}

/** As many workgroups as keep the GPU busy share the triangles of the present isovalue. */
@compute @workgroup_size(threads)
fn emit_triangles(
  @builtin(global_invocation_id) thread: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  // More blocks than have a table: ask for as many vertices as come with tables for all of them.
  let blocks = atomicLoad(&state.block_demand);
  if (thread.x == 0u && blocks > parameters.block_capacity) {
    atomicMax(&state.vertex_demand, blocks * ${verticesPerTable}u);
  }
  let begin = select(0u, state.ends[2u * max(state.isovalue, 1u) - 1u], state.isovalue > 0u);
  let end = min(atomicLoad(&state.index_demand), parameters.index_capacity);
  for (var index = begin + 3u * thread.x; index < end; index += 3u * groups.x * threads) {
    emit_triangle(index);
  }
}
`,
};

export const emitTrianglesShader = {
  label: "isosurface: emit triangles",
  code: linkFragments(emitTriangles),
  entryPoint: "emit_triangles",
};
