import { linearGroup } from "../../shader/dispatch.ts";
import { type Fragment, linkFragments } from "../../shader/fragment.ts";
import { blockLayout } from "../blocks/block-layout.ts";
import { listBlock } from "../blocks/block-selection.ts";
import { cutParameters, implicitValue } from "./cut-parameters.ts";

/** Threads of a workgroup, each with a block. */
export const selectThreads = 256;

/**
 * Lists the blocks that the zero set may meet. Each term depends on one coordinate: over a block it is greatest at an
 * end, and least at an end or, for a sphere whose center lies between, 0. The slack is for kernels whose sums the
 * compiler rounds otherwise.
 */
const selectBlocks: Fragment = {
  name: "cut: select blocks",
  requires: [cutParameters, implicitValue, blockLayout, linearGroup, listBlock],
  code: /* wgsl */ `
@group(0) @binding(1) var<storage, read> coordinates: array<f32>;
@group(0) @binding(2) var<storage, read_write> selection: Selection;

const slack = 4e-6;

fn may_be_cut(block: u32) -> bool {
  let origin = position_of(block, parameters.blocks) * block_cells;
  let end = min(origin + block_cells, parameters.dims - 1u);
  let from_here = node_position(origin);
  let to_here = node_position(end);
  let a = implicit_terms(from_here);
  let b = implicit_terms(to_here);
  let holds_center = (from_here <= parameters.origin) & (parameters.origin <= to_here);
  let high = max(a, b);
  let low = select(min(a, b), vec3f(0.0), holds_center & vec3<bool>(parameters.is_sphere != 0u));
  let largest = max(abs(a), abs(b));
  let tolerance = slack * (largest.x + largest.y + largest.z + parameters.level);
  return low.x + low.y + low.z - parameters.level <= tolerance && high.x + high.y + high.z - parameters.level >= -tolerance;
}

@compute @workgroup_size(${selectThreads})
fn select_blocks(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = linear_group(group, groups) * ${selectThreads}u + lane;
  let is_cut = block < parameters.block_count && may_be_cut(min(block, parameters.block_count - 1u));
  list_block(is_cut, block, lane);
}
`,
};

export const selectCutBlocksShader = {
  label: "cut: select blocks",
  code: linkFragments(selectBlocks),
  entryPoint: "select_blocks",
};
