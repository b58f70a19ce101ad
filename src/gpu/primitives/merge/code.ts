import type { ScalarType } from "../../../core/primitives/vector.ts";
import { orderKey } from "../base/order.ts";
import { splitWords } from "./split.ts";
import { eachItem, mergeTileCode, threads } from "./tile.ts";

/**
 * Merges a tile: each thread finds where its 15 elements begin in the tile's two ranges and takes them in order; what
 * they leave in workgroup memory is then written by neighbours to neighbours, and values are fetched from where their
 * keys were. Entry point merge_tiles, a workgroup for each tile.
 */
export const mergeCode = (type: ScalarType, hasValues: boolean): string => /* wgsl */ `
${mergeTileCode(orderKey(type), splitWords.plain)}
@group(0) @binding(4) var<storage, read_write> merged: array<u32>;
${
  hasValues
    ? /* wgsl */ `
@group(0) @binding(5) var<storage, read> a_values: array<u32>;
@group(0) @binding(6) var<storage, read> b_values: array<u32>;
@group(0) @binding(7) var<storage, read_write> merged_values: array<u32>;

fn value_of(t: Tile, source: u32) -> u32 {
  if (source < t.a_count) { return a_values[parameters.a_values_lead + t.a0 + source]; }
  return b_values[parameters.b_values_lead + t.b0 + source - t.a_count];
}`
    : ""
}

@compute @workgroup_size(${threads})
fn merge_tiles(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let tile = linear_group(group, groups);
  let t = find_tile(tile);
  if (t.count == 0u) { return; }
  load_tile(t, thread);
  workgroupBarrier();
  let d = min(thread * items, t.count);
  var i = split_tile(t, d);
  var j = t.a_count + d - i;
  var a_word = tile_words[min(i, tile_size - 1u)];
  var b_word = tile_words[min(j, tile_size - 1u)];
  var is_a = false;
  var next = 0u;
  ${eachItem(
    (k) => /* wgsl */ `is_a = i < t.a_count && (j >= t.count || order_key(a_word) <= order_key(b_word));
  let word${k} = select(b_word, a_word, is_a);
  ${hasValues ? `let source${k} = select(j, i, is_a);` : ""}
  i += select(0u, 1u, is_a);
  j += select(1u, 0u, is_a);
  next = tile_words[min(select(j, i, is_a), tile_size - 1u)];
  a_word = select(a_word, next, is_a);
  b_word = select(next, b_word, is_a);`,
  )}
  workgroupBarrier();
  ${eachItem((k) => `tile_words[thread * items + ${k}u] = word${k};`)}
  workgroupBarrier();
  let first = tile * tile_size;
  for (var k = thread; k < t.count; k += ${threads}u) {
    merged[parameters.output_lead + first + k] = tile_words[k];
  }
  ${
    hasValues
      ? /* wgsl */ `
  workgroupBarrier();
  ${eachItem((k) => `tile_words[thread * items + ${k}u] = source${k};`)}
  workgroupBarrier();
  for (var k = thread; k < t.count; k += ${threads}u) {
    merged_values[parameters.output_values_lead + first + k] = value_of(t, tile_words[k]);
  }`
      : ""
  }
}
`;
