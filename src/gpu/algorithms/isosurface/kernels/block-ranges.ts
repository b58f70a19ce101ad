import { linearGroup } from "../../../shader/dispatch.ts";
import { finite } from "../../../shader/finite.ts";
import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { blockLayout } from "../blocks.ts";
import { parameters } from "../parameters.ts";

/** Least and greatest finite value over each block's points; least > greatest where there is none. Once a field. */
const blockRanges: Fragment = {
  name: "block ranges",
  requires: [parameters, blockLayout, finite, linearGroup],
  code: /* wgsl */ `
@group(0) @binding(1) var<storage, read> field: array<f32>;
@group(0) @binding(2) var<storage, read_write> ranges: array<vec2f>;

const range_threads = 64u;
const largest = 0x1.fffffep+127f;
var<workgroup> extremes: array<vec2f, range_threads>;

@compute @workgroup_size(range_threads)
fn find_block_ranges(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let block = linear_group(group, groups);
  if (block >= parameters.block_count) {
    return;
  }
  let origin = position_of(block, parameters.blocks) * block_cells;
  var least = largest;
  var greatest = -largest;
  for (var p = lane; p < point_count; p += range_threads) {
    let at = min(origin + position_of(p, block_points), parameters.dims - 1u);
    let value = field[parameters.plane + number_of(at, parameters.dims)];
    if (is_finite(value)) {
      least = min(least, value);
      greatest = max(greatest, value);
    }
  }
  extremes[lane] = vec2f(least, greatest);
  for (var half = range_threads / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) {
      let other = extremes[lane + half];
      extremes[lane] = vec2f(min(extremes[lane].x, other.x), max(extremes[lane].y, other.y));
    }
  }
  if (lane == 0u) {
    ranges[block] = extremes[0];
  }
}
`,
};

export const blockRangesShader = {
  label: "isosurface: block ranges",
  code: linkFragments(blockRanges),
  entryPoint: "find_block_ranges",
};
