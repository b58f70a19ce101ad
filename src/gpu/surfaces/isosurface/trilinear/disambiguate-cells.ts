import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { selectedBlocks } from "../../blocks/block-selection.ts";
import { takeRanges } from "../../demand.ts";
import { isosurfaceState } from "../kernels/isosurface-state.ts";
import { decision } from "./decision.ts";

/**
 * Chooses each ambiguous cell's patch, numbers its triangles and its inner vertices, and writes both as \`mark_edges\` writes
 * those of other cells: where its indices will be, and where its vertices will be.
 */
const disambiguateCells: Fragment = {
  name: "disambiguate cells",
  requires: [decision, selectedBlocks, isosurfaceState, takeRanges],
  code: /* wgsl */ `
override threads = 128u;

@group(0) @binding(1) var<storage, read> field: array<u32>;
@group(0) @binding(2) var<storage, read> cases: array<u32>;
@group(0) @binding(3) var<storage, read> selection: SelectedBlocks;
@group(0) @binding(4) var<storage, read_write> state: IsosurfaceState;
@group(0) @binding(5) var<storage, read_write> vertices: array<vec4u>;
@group(0) @binding(6) var<storage, read_write> indices: array<u32>;
/** Only read: in soups the three last are parts of one buffer, which cannot be bound for reading, too. */
@group(0) @binding(7) var<storage, read_write> work: array<u32>;

var<workgroup> open_count: u32;
/** Triangles and inner vertices of the workgroup's cells; then the numbers of their first ones. */
var<workgroup> triangle_tally: atomic<u32>;
var<workgroup> inner_tally: atomic<u32>;
var<workgroup> first: vec2u;

fn write(cell: vec2u, corner: vec3u, decision: Decision, counts: vec2u, starts: vec2u) {
  let first_vertex = first.x + starts.x;
  let nodes = parameters.dims.x * parameters.dims.y * parameters.dims.z;
  for (var slot = 0u; slot < counts.x; slot++) {
    let vertex = first_vertex + slot;
    if (vertex < parameters.vertex_capacity) {
      vertices[2u * vertex] = vec4u(decision.patch_number, decision.ring, 0u, 0u);
      vertices[2u * vertex + 1u] = vec4u(0u, 0u, 0u, (3u + slot) * nodes + number_of(corner, parameters.dims));
    }
  }
  let index = first.y + 3u * starts.y;
  for (var t = 0u; t < counts.y; t++) {
    if (index + 3u * t + 3u <= parameters.index_capacity) {
      indices[index + 3u * t] = cell.x;
      indices[index + 3u * t + 1u] = (cell.y & 127u) | (t << 11u) | (decision.patch_number << 16u);
      indices[index + 3u * t + 2u] = first_vertex;
    }
  }
}

/** As many workgroups as keep the GPU busy share the ambiguous cells of the present isovalue. */
@compute @workgroup_size(threads)
fn disambiguate_cells(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    open_count = min(atomicLoad(&state.open_demand), parameters.open_capacity);
  }
  let count = workgroupUniformLoad(&open_count);
  let isovalue = parameters.isovalues[state.isovalue].xy;
  for (var base = threads * group.x; base < count; base += threads * groups.x) {
    if (lane == 0u) {
      atomicStore(&triangle_tally, 0u);
      atomicStore(&inner_tally, 0u);
    }
    workgroupBarrier();
    let at = base + lane;
    var cell = vec2u(0u);
    var corner = vec3u(0u);
    var decision = Decision(0u, 0u);
    var counts = vec2u(0u);
    var starts = vec2u(0u);
    if (at < count) {
      cell = vec2u(work[parameters.first_open + 2u * at], work[parameters.first_open + 2u * at + 1u]);
      corner = position_of(selection.blocks[cell.x], parameters.blocks) * block_cells +
        position_of(cell.y & 127u, block_cells);
      let above = load_corners(corner, isovalue);
      decision = decide(above);
      let header = cases[decision.patch_number];
      counts = vec2u((header >> 5u) & 7u, header & 31u);
      starts = vec2u(atomicAdd(&inner_tally, counts.x), atomicAdd(&triangle_tally, counts.y));
    }
    workgroupBarrier();
    if (lane == 0u) {
      let inner = atomicLoad(&inner_tally);
      let index_count = 3u * atomicLoad(&triangle_tally);
      atomicAdd(&state.inner_count, inner);
      first = take_ranges(inner, index_count);
    }
    workgroupBarrier();
    write(cell, corner, decision, counts, starts);
    workgroupBarrier();
  }
}
`,
};

export const disambiguateCellsShader = {
  label: "isosurface: disambiguate cells",
  code: linkFragments(disambiguateCells),
  entryPoint: "disambiguate_cells",
};
