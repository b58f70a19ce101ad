import { type Fragment, linkFragments } from "../../shader/fragment.ts";
import { blockLayout } from "../blocks/block-layout.ts";
import { listBlock, selectBlocks } from "../blocks/block-selection.ts";
import { cutParameters, implicitValue } from "./cut-parameters.ts";

/**
 * Lists the blocks that the zero set may meet. Each term depends on one coordinate: over a block it is least at an end,
 * and greatest at an end or, for a sphere whose center lies between, 0. The slack is for kernels whose sums the
 * compiler rounds otherwise.
 */
const selectCutBlocks: Fragment = {
  name: "cut: select blocks",
  requires: [cutParameters, implicitValue, blockLayout, selectBlocks, listBlock],
  code: /* wgsl */ `
@group(0) @binding(1) var<storage, read> coordinates: array<f32>;
@group(0) @binding(2) var<storage, read_write> selection: Selection;

const slack = 4e-6;

fn may_show(block: u32) -> bool {
  let origin = position_of(block, parameters.blocks) * block_cells;
  let end = min(origin + block_cells, parameters.dims - 1u);
  let from_here = node_position(origin);
  let to_here = node_position(end);
  let a = implicit_terms(from_here);
  let b = implicit_terms(to_here);
  let holds_center = (from_here <= parameters.origin) & (parameters.origin <= to_here);
  let low = min(a, b);
  let high = select(max(a, b), vec3f(0.0), holds_center & vec3<bool>(parameters.is_sphere != 0u));
  let largest = max(abs(a), abs(b));
  let tolerance = slack * (largest.x + largest.y + largest.z + abs(parameters.level));
  return low.x + low.y + low.z - parameters.level <= tolerance && high.x + high.y + high.z - parameters.level >= -tolerance;
}
`,
};

export const selectCutBlocksShader = {
  label: "cut: select blocks",
  code: linkFragments(selectCutBlocks),
  entryPoint: "select_blocks",
};
