import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { selectBlocks, selection } from "../../blocks/block-selection.ts";
import { resetCounts } from "../../surface-state.ts";
import { parameters } from "../parameters.ts";
import { isosurfaceState } from "./isosurface-state.ts";

/** Begins an extraction; `next` goes on with its next isovalue. */
const reset: Fragment = {
  name: "reset",
  requires: [selection, isosurfaceState, resetCounts],
  code: /* wgsl */ `
@group(0) @binding(0) var<storage, read_write> selection: Selection;
@group(0) @binding(1) var<storage, read_write> state: IsosurfaceState;

@compute @workgroup_size(1)
fn reset() {
  atomicStore(&selection.count, 0u);
  reset_counts(0u);
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

/** Lists the blocks that the isovalue cuts, and where in the list each of them is. */
const selectCutBlocks: Fragment = {
  name: "isosurface: select blocks",
  requires: [parameters, selectBlocks, isosurfaceState],
  code: /* wgsl */ `
@group(0) @binding(1) var<storage, read> ranges: array<vec2f>;
@group(0) @binding(2) var<storage, read_write> selection: Selection;
@group(0) @binding(3) var<storage, read_write> slots: array<u32>;
@group(0) @binding(4) var<storage, read_write> state: IsosurfaceState;

fn may_show(block: u32) -> bool {
  let isovalue = parameters.isovalues[state.isovalue].x;
  let range = ranges[block];
  return range.x <= isovalue && range.y > isovalue;
}

fn list_block(block: u32, slot: u32) {
  slots[block] = slot;
  if (slot < parameters.block_capacity) {
    selection.blocks[slot] = block;
  }
}
`,
};

export const resetShader = { label: "isosurface: reset", code: linkFragments(reset), entryPoint: "reset" };
export const nextShader = { label: "isosurface: next", code: linkFragments(reset), entryPoint: "next" };

export const selectBlocksShader = {
  label: "isosurface: select blocks",
  code: linkFragments(selectCutBlocks),
  entryPoint: "select_blocks",
};
