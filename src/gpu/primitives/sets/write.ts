import { splitWords } from "../merge/split.ts";
import { anyOrder, eachItem, mergeTileCode, threads } from "../merge/tile.ts";
import type { SetResult } from "./choose.ts";

/**
 * Writes the elements that choose_kept flagged, from each tile's place on, and how many there are in all. Where only
 * elements of `a` can be kept, those of `b` are not read again. Entry point write_kept, a workgroup for each tile.
 */
export const writeCode = (result: SetResult): string => /* wgsl */ `
${mergeTileCode(anyOrder, splitWords.withRuns)}
@group(0) @binding(4) var<storage, read> places: array<u32>;
@group(0) @binding(5) var<storage, read> flags: array<u32>;
@group(0) @binding(6) var<storage, read_write> kept: array<u32>;
@group(0) @binding(7) var<storage, read_write> total: array<u32>;

/** Elements of threads and those before them: the kept ones in the low half, those of \`a\` in the high one. */
var<workgroup> sums: array<u32, ${threads}>;

@compute @workgroup_size(${threads})
fn write_kept(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let tile = linear_group(group, groups);
  if (tile == 0u && thread == 0u) { total[parameters.total_lead] = places[parameters.tiles]; }
  let t = find_tile(tile);
  if (t.count == 0u) { return; }
  load_tile(Tile(t.a0, t.b0, t.a_count, ${result === "union" ? "t.count" : "t.a_count"}), thread);
  let chosen = flags[tile * ${threads}u + thread];
  let own = countOneBits(chosen >> items) | (countOneBits(chosen & ((1u << items) - 1u)) << 16u);
  var sum = own;
  sums[thread] = sum;
  workgroupBarrier();
  for (var d = 1u; d < ${threads}u; d *= 2u) {
    if (thread >= d) { sum += sums[thread - d]; }
    workgroupBarrier();
    sums[thread] = sum;
    workgroupBarrier();
  }
  let before = sum - own;
  var i = before >> 16u;
  var j = t.a_count + min(thread * items, t.count) - i;
  var is_a = false;
  ${eachItem(
    (k) => /* wgsl */ `is_a = (chosen & ${2 ** k}u) != 0u;
  let word${k} = tile_words[min(select(j, i, is_a), tile_size - 1u)];
  i += select(0u, 1u, is_a);
  j += select(1u, 0u, is_a);`,
  )}
  workgroupBarrier();
  var at = before & 0xffffu;
  ${eachItem(
    (k) => /* wgsl */ `if (((chosen >> items) & ${2 ** k}u) != 0u) {
    tile_words[at] = word${k};
    at++;
  }`,
  )}
  workgroupBarrier();
  let place = parameters.output_lead + places[tile];
  let count = sums[${threads - 1}u] & 0xffffu;
  for (var k = thread; k < count; k += ${threads}u) { kept[place + k] = tile_words[k]; }
}
`;
