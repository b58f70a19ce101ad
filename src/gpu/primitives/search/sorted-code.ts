import { splitWords } from "../merge/split.ts";
import { anyOrder, eachItem, mergeTileCode, threads } from "../merge/tile.ts";

/**
 * Searches for ascending needles by merging: in the merged sequence, where needles come first among equals (lower
 * bound) or last (upper bound), what was taken of the sorted elements before a needle is its position. Needles are
 * `a` for lower bounds, `b` for upper ones. Entry point search_tiles, a workgroup for each tile.
 */
export function sortedSearchCode(isLower: boolean): string {
  const [needle, needles0, position] = isLower
    ? ["i", "t.a0", "t.b0 + j - t.a_count"]
    : ["j - t.a_count", "t.b0", "t.a0 + i"];
  return /* wgsl */ `
${mergeTileCode(anyOrder, splitWords.plain)}
@group(0) @binding(4) var<storage, read_write> positions: array<u32>;

@compute @workgroup_size(${threads})
fn search_tiles(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let t = find_tile(linear_group(group, groups));
  if (t.count == 0u) { return; }
  load_tile(t, thread);
  workgroupBarrier();
  let d = min(thread * items, t.count);
  let due = min(items, t.count - d);
  var i = split_tile(t, d);
  var j = t.a_count + d - i;
  var at = ${needle};
  var a_key = key_in_tile(i);
  var b_key = key_in_tile(j);
  var of_needles = 0u;
  var is_a = false;
  ${eachItem(
    (k) => /* wgsl */ `is_a = i < t.a_count && (j >= t.count || a_key <= b_key);
  let position${k} = ${position};
  of_needles |= select(0u, ${2 ** k}u, ${isLower ? "is_a" : "!is_a"} && ${k}u < due);
  if (is_a) {
    i++;
    a_key = key_in_tile(i);
  } else {
    j++;
    b_key = key_in_tile(j);
  }`,
  )}
  workgroupBarrier();
  ${eachItem(
    (k) => /* wgsl */ `if ((of_needles & ${2 ** k}u) != 0u) {
    tile_words[at] = position${k};
    at++;
  }`,
  )}
  workgroupBarrier();
  let first = parameters.output_lead + ${needles0};
  let count = ${isLower ? "t.a_count" : "t.count - t.a_count"};
  for (var k = thread; k < count; k += ${threads}u) { positions[first + k] = tile_words[k]; }
}
`;
}
