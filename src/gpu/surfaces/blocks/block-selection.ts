import { type Fragment, linkFragments } from "../../shader/fragment.ts";
import { surfaceState } from "../surface-state.ts";

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
  requires: [selection, surfaceState],
  code: /* wgsl */ `
@group(0) @binding(0) var<storage, read_write> selection: Selection;
@group(0) @binding(1) var<storage, read_write> state: SurfaceState;

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

/** Empties the selection at binding 0 and the surface's state at 1. */
export const resetShader = { label: "surface: reset", code: linkFragments(reset), entryPoint: "reset" };

/** Appends the blocks of a workgroup's threads to a `selection`, in uniform control flow and once an invocation. */
export const listBlock: Fragment = {
  name: "list block",
  requires: [selection],
  code: /* wgsl */ `
var<workgroup> listed: atomic<u32>;
var<workgroup> first_listed: u32;

fn list_block(is_listed: bool, block: u32, lane: u32) {
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
    selection.blocks[first_listed + slot] = block;
  }
}
`,
};
