import { linearGroup } from "../../shader/dispatch.ts";
import { type Fragment, linkFragments } from "../../shader/fragment.ts";
import { resetCounts, surfaceState } from "../surface-state.ts";

/** Words of a selection before its list of blocks: the list's length. */
const headerWords = 1;

export const selectionBytes = (blocks: number) => 4 * (headerWords + Math.max(blocks, 1));

/** The selection as it is made. */
export const selection: Fragment = {
  name: "selection",
  code: /* wgsl */ `
struct Selection {
  count: atomic<u32>,
  blocks: array<u32>,
}
`,
};

/** The selection as kernels read it. */
export const selectedBlocks: Fragment = {
  name: "selected blocks",
  code: /* wgsl */ `
struct SelectedBlocks {
  count: u32,
  blocks: array<u32>,
}
`,
};

const reset: Fragment = {
  name: "reset",
  requires: [selection, surfaceState, resetCounts],
  code: /* wgsl */ `
@group(0) @binding(0) var<storage, read_write> selection: Selection;
@group(0) @binding(1) var<storage, read_write> state: SurfaceState;

@compute @workgroup_size(1)
fn reset() {
  atomicStore(&selection.count, 0u);
  reset_counts(0u);
}
`,
};

/** Empties the selection at binding 0 and the surface's state at 1. */
export const resetShader = { label: "surface: reset", code: linkFragments(reset), entryPoint: "reset" };

/** Threads of a workgroup of `select_blocks`, each with a block. */
export const selectThreads = 256;

/**
 * The entry point `select_blocks`, which lists the blocks that a surface may meet. Needs `may_show(block) -> bool`,
 * `list_block(block, slot)`, which gets each such block with its place in the list, and a uniform `parameters` with the
 * member `block_count`.
 */
export const selectBlocks: Fragment = {
  name: "select blocks",
  requires: [linearGroup, selection],
  code: /* wgsl */ `
var<workgroup> listed: atomic<u32>;
var<workgroup> first_listed: u32;

@compute @workgroup_size(${selectThreads})
fn select_blocks(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = linear_group(group, groups) * ${selectThreads}u + lane;
  var is_listed = false;
  if (block < parameters.block_count) {
    is_listed = may_show(block);
  }
  var slot = 0u;
  if (is_listed) {
    slot = atomicAdd(&listed, 1u);
  }
  workgroupBarrier();
  if (lane == 0u) {
    let count = atomicLoad(&listed);
    if (count > 0u) {
      first_listed = atomicAdd(&selection.count, count);
    }
  }
  workgroupBarrier();
  if (is_listed) {
    list_block(block, first_listed + slot);
  }
}
`,
};

/** `list_block` where the selection has room for every block. */
export const listBlock: Fragment = {
  name: "list block",
  requires: [selection],
  code: /* wgsl */ `
fn list_block(block: u32, slot: u32) {
  selection.blocks[slot] = block;
}
`,
};
