import { linearGroup } from "../../../shader/dispatch.ts";
import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { selection } from "../../blocks/block-selection.ts";
import { parameters } from "../parameters.ts";
import { isosurfaceState } from "./isosurface-state.ts";

/** Begins an extraction; `next` goes on with its next isovalue. */
const reset: Fragment = {
  name: "reset",
  requires: [selection, isosurfaceState],
  code: /* wgsl */ `
@group(0) @binding(1) var<storage, read_write> selection: Selection;
@group(0) @binding(2) var<storage, read_write> state: IsosurfaceState;

@compute @workgroup_size(1)
fn reset() {
  atomicStore(&selection.count, 0u);
  atomicStore(&state.index_count, 0u);
  state.instance_count = 1u;
  atomicStore(&state.vertex_demand, 0u);
  atomicStore(&state.index_demand, 0u);
  atomicStore(&state.block_demand, 0u);
  atomicStore(&state.open_demand, 0u);
  atomicStore(&state.inner_count, 0u);
  state.isovalue = 0u;
}

@compute @workgroup_size(1)
fn next() {
  atomicStore(&selection.count, 0u);
  state.ends[2u * state.isovalue] = atomicLoad(&state.vertex_demand);
  state.ends[2u * state.isovalue + 1u] = atomicLoad(&state.index_demand);
  state.isovalue++;
  atomicStore(&state.open_demand, 0u);
  atomicStore(&state.inner_count, 0u);
}
`,
};

/** Threads of a workgroup, each with a block. */
export const selectThreads = 256;

/** Lists the blocks that the isovalue cuts, and where in the list each of them is. */
const selectBlocks: Fragment = {
  name: "select blocks",
  requires: [parameters, linearGroup, selection, isosurfaceState],
  code: /* wgsl */ `
@group(0) @binding(1) var<storage, read> ranges: array<vec2f>;
@group(0) @binding(2) var<storage, read_write> selection: Selection;
@group(0) @binding(3) var<storage, read_write> slots: array<u32>;
@group(0) @binding(4) var<storage, read_write> state: IsosurfaceState;

var<workgroup> selected: atomic<u32>;
var<workgroup> first: u32;

@compute @workgroup_size(${selectThreads})
fn select_blocks(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = linear_group(group, groups) * ${selectThreads}u + lane;
  let isovalue = parameters.isovalues[state.isovalue].x;
  var is_cut = false;
  if (block < parameters.block_count) {
    let range = ranges[block];
    is_cut = range.x <= isovalue && range.y > isovalue;
  }
  var slot = 0u;
  if (is_cut) {
    slot = atomicAdd(&selected, 1u);
  }
  workgroupBarrier();
  if (lane == 0u) {
    let count = atomicLoad(&selected);
    if (count > 0u) {
      first = atomicAdd(&selection.count, count);
      atomicMax(&state.block_demand, first + count);
    }
  }
  workgroupBarrier();
  if (is_cut) {
    slots[block] = first + slot;
    if (first + slot < parameters.block_capacity) {
      selection.blocks[first + slot] = block;
    }
  }
}
`,
};

export const resetShader = { label: "isosurface: reset", code: linkFragments(reset), entryPoint: "reset" };
export const nextShader = { label: "isosurface: next", code: linkFragments(reset), entryPoint: "next" };

export const selectBlocksShader = {
  label: "isosurface: select blocks",
  code: linkFragments(selectBlocks),
  entryPoint: "select_blocks",
};
