import { linearGroup } from "../../../shader/dispatch.ts";
import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { surfaceState } from "../../surface/surface-state.ts";
import { parameters } from "../parameters.ts";

/** Words of the selection before its list of blocks: the list's length. */
export const selectionHeaderWords = 1;

const selection: Fragment = {
  name: "selection",
  code: /* wgsl */ `
struct Selection {
  count: atomic<u32>,
  blocks: array<u32>,
}
`,
};

const reset: Fragment = {
  name: "reset",
  requires: [selection, surfaceState],
  code: /* wgsl */ `
@group(0) @binding(1) var<storage, read_write> selection: Selection;
@group(0) @binding(2) var<storage, read_write> state: SurfaceState;

@compute @workgroup_size(1)
fn reset() {
  atomicStore(&selection.count, 0u);
  atomicStore(&state.index_count, 0u);
  state.instance_count = 1u;
  atomicStore(&state.vertex_demand, 0u);
  atomicStore(&state.index_demand, 0u);
}
`,
};

/** Threads of a workgroup, each with a block. */
export const selectThreads = 256;

/** Lists the blocks that the isovalue cuts. */
const selectBlocks: Fragment = {
  name: "select blocks",
  requires: [parameters, linearGroup, selection],
  code: /* wgsl */ `
@group(0) @binding(1) var<storage, read> ranges: array<vec2f>;
@group(0) @binding(2) var<storage, read_write> selection: Selection;

var<workgroup> selected: atomic<u32>;
var<workgroup> first: u32;

@compute @workgroup_size(${selectThreads})
fn select_blocks(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = linear_group(group, groups) * ${selectThreads}u + lane;
  var is_cut = false;
  if (block < parameters.block_count) {
    let range = ranges[block];
    is_cut = range.x <= parameters.isovalue && range.y > parameters.isovalue;
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
    }
  }
  workgroupBarrier();
  if (is_cut) {
    selection.blocks[first + slot] = block;
  }
}
`,
};

export const resetShader = { label: "isosurface: reset", code: linkFragments(reset), entryPoint: "reset" };

export const selectBlocksShader = {
  label: "isosurface: select blocks",
  code: linkFragments(selectBlocks),
  entryPoint: "select_blocks",
};
