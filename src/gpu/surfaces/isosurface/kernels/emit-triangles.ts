import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { demand } from "../../demand.ts";
import { verticesPerTable } from "./block-table.ts";
import { indicesPerAmbiguousCell } from "./inner-vertices.ts";
import { isosurfaceState } from "./isosurface-state.ts";
import { triangleVertices } from "./triangle-vertices.ts";

/** The indices of each marked triangle, from the tables of the blocks that own its vertices. */
const emitTriangles: Fragment = {
  name: "emit triangles",
  requires: [triangleVertices, isosurfaceState, demand],
  code: /* wgsl */ `
override threads = 128u;

@group(0) @binding(1) var<storage, read> cases: array<u32>;
@group(0) @binding(2) var<storage, read> selection: SelectedBlocks;
@group(0) @binding(3) var<storage, read> slots: array<u32>;
@group(0) @binding(4) var<storage, read> tables: array<u32>;
@group(0) @binding(5) var<storage, read_write> state: IsosurfaceState;
@group(0) @binding(6) var<storage, read_write> indices: array<u32>;

fn mark_word(word: u32) -> u32 {
  return indices[word];
}

fn emit_triangle(index: u32) {
  let vertices = triangle_vertices(index);
  indices[index] = vertices.x;
  indices[index + 1u] = vertices.y;
  indices[index + 2u] = vertices.z;
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
  if (is_exact && thread.x == 0u) {
    let open = atomicLoad(&state.open_demand);
    if (open > parameters.open_capacity) {
      let unlisted = min(open - parameters.open_capacity, max_demand / ${2 * indicesPerAmbiguousCell}u);
      take_indices(${indicesPerAmbiguousCell}u * unlisted);
    }
  }
  let begin = select(0u, state.ends[2u * max(state.isovalue, 1u) - 1u], state.isovalue > 0u);
  let end = atomicLoad(&state.index_count);
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
