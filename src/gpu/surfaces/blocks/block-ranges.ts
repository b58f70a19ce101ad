import { linearGroup } from "../../shader/dispatch.ts";
import { finite } from "../../shader/finite.ts";
import { type Fragment, linkFragments } from "../../shader/fragment.ts";
import { fieldValues } from "../field-values.ts";
import { blockLayout } from "./block-layout.ts";

export const blockRangeParameters: Fragment = {
  name: "block ranges: parameters",
  code: /* wgsl */ `
struct Parameters {
  dims: vec3u,
  /** First element of the field's component. */
  plane: u32,
  blocks: vec3u,
  /** Of the field: see \`storedValue\`. */
  storage: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
`,
};

export interface BlockRangeParameters {
  dims: readonly number[];
  plane: number;
  blocks: readonly number[];
  storage: number;
}

/** Blocks along x whose ranges one workgroup finds. */
export const blocksPerRow = 16;

/** What marks the range of a block with a value that is not finite. */
export const largest = "0x1.fffffep+127f";

/**
 * Least and greatest value over each block's points. Where some are not finite, the range of all f32, so that a block
 * is known to have such values; where none is finite, least > greatest. Once a field.
 * A workgroup takes a row of blocks along x, so that its threads read neighbouring words: first each thread the
 * points of one x, then a few of them the columns of one block.
 */
const blockRanges: Fragment = {
  name: "block ranges",
  requires: [blockRangeParameters, fieldValues, blockLayout, finite, linearGroup],
  code: /* wgsl */ `
@group(0) @binding(1) var<storage, read> field: array<u32>;
@group(0) @binding(2) var<storage, read_write> ranges: array<vec2f>;

const blocks_per_row = ${blocksPerRow}u;
const row_threads = blocks_per_row * block_cells.x;
const largest = ${largest};
/** Least and greatest finite value, and whether one is not finite. */
var<workgroup> columns: array<vec3f, row_threads + 1u>;

fn joined(a: vec3f, b: vec3f) -> vec3f {
  return vec3f(min(a.x, b.x), max(a.yz, b.yz));
}

fn column_range(origin: vec3u) -> vec3f {
  var range = vec3f(largest, -largest, 0.0);
  let last = parameters.dims - 1u;
  for (var z = 0u; z < block_points.z; z++) {
    for (var y = 0u; y < block_points.y; y++) {
      let value = field_value(number_of(min(origin + vec3u(0u, y, z), last), parameters.dims));
      if (is_finite(value)) {
        range = joined(range, vec3f(value, value, 0.0));
      } else {
        range.z = 1.0;
      }
    }
  }
  return range;
}

@compute @workgroup_size(row_threads)
fn find_block_ranges(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let rows = vec3u((parameters.blocks.x + blocks_per_row - 1u) / blocks_per_row, parameters.blocks.yz);
  let row = linear_group(group, groups);
  if (row >= rows.x * rows.y * rows.z) {
    return;
  }
  let first_block = position_of(row, rows) * vec3u(blocks_per_row, 1u, 1u);
  let origin = first_block * block_cells;
  for (var column = lane; column <= row_threads; column += row_threads) {
    columns[column] = column_range(origin + vec3u(column, 0u, 0u));
  }
  workgroupBarrier();
  let block = first_block + vec3u(lane, 0u, 0u);
  if (lane < blocks_per_row && block.x < parameters.blocks.x) {
    var range = vec3f(largest, -largest, 0.0);
    for (var x = 0u; x < block_points.x; x++) {
      range = joined(range, columns[lane * block_cells.x + x]);
    }
    let is_mixed = range.z > 0.0 && range.x <= range.y;
    ranges[number_of(block, parameters.blocks)] = select(range.xy, vec2f(-largest, largest), is_mixed);
  }
}
`,
};

export const blockRangesShader = {
  label: "surface: block ranges",
  code: linkFragments(blockRanges),
  entryPoint: "find_block_ranges",
};
