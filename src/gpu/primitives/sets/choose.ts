import { splitWords } from "../merge/split.ts";
import { anyOrder, mergeTileCode, splitHead, threads } from "../merge/tile.ts";

/** What a set operation's elements are of: both vectors, or the first alone. */
export type SetResult = "union" | "part";

/**
 * Whether an element is kept follows from its pair: of equal elements, the rth of `a` goes with the rth of `b`. Unions
 * keep `a` and what has no pair in `b`; intersections keep what has a pair in `a`, differences what has none.
 */
const keeps: Readonly<Record<SetResult, string>> = {
  union: "is_a || !pair_in_a(t, i, rank, b_key)",
  part: "is_a && pair_in_b(t, j, rank, a_key) == (parameters.keeps_pairs != 0u)",
};

/**
 * As elements of `a` come before their equals in `b`, what was taken of `a` ends with an element's equals when it is
 * met in `b`, and what is to come of `b` begins with them when it is met in `a`.
 */
const pairs = {
  a: /* wgsl */ `
fn pair_in_a(t: Tile, i: u32, rank: u32, key: u32) -> bool {
  let back = rank + 1u;
  if (back <= i) { return key_in_tile(i - back) == key; }
  return back <= t.a0 + i && order_key(a[parameters.a_lead + t.a0 + i - back]) == key;
}`,
  b: /* wgsl */ `
fn pair_in_b(t: Tile, j: u32, rank: u32, key: u32) -> bool {
  if (j + rank < t.count) { return key_in_tile(j + rank) == key; }
  let at = t.b0 + (j - t.a_count) + rank;
  return at < splits[1] && order_key(b[parameters.b_lead + at]) == key;
}`,
};

/**
 * Which elements of each tile of the merged sequence a union keeps, or an intersection or difference (`keeps_pairs`
 * says which). Entry point choose_kept: for each thread's elements a word of flags, bits 0 to 14 for those that are
 * of `a`, bits 15 to 29 for those that are kept; and for each tile how many are.
 */
export function chooseCode(result: SetResult): string {
  const ranksB = result === "union";
  const [key, index, first, end, word] = ranksB
    ? ["b_key", "j", "t.a_count", "t.count", 2]
    : ["a_key", "i", "0u", "t.a_count", 1];
  const tileRank = ranksB ? "t.b0" : "t.a0";
  return /* wgsl */ `
${mergeTileCode(anyOrder, splitWords.withRuns)}
${ranksB ? pairs.a : pairs.b}

@group(0) @binding(4) var<storage, read_write> counts: array<u32>;
@group(0) @binding(5) var<storage, read_write> flags: array<u32>;
var<workgroup> tile_kept: atomic<u32>;

/** How many equals come before the element at a place of the tile, in the vector that it is of. */
fn rank_of(tile: u32, t: Tile, at: u32) -> u32 {
  if (at >= ${end}) { return 0u; }
  let key = key_in_tile(at);
  var low = ${first};
  var high = at;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (key_in_tile(middle) < key) { low = middle + 1u; } else { high = middle; }
  }
  if (low > ${first}) { return at - low; }
  return at - low + ${tileRank} - splits[${splitHead}u + ${splitWords.withRuns}u * tile + ${word}u];
}

fn choose_items(tile: u32, t: Tile, thread: u32) -> u32 {
  let d = min(thread * items, t.count);
  let due = min(items, t.count - d);
  var i = split_tile(t, d);
  var j = t.a_count + d - i;
  var chosen = 0u;
  var a_key = key_in_tile(i);
  var b_key = key_in_tile(j);
  var rank = rank_of(tile, t, ${index});
  for (var k = 0u; k < due; k++) {
    let is_a = i < t.a_count && (j >= t.count || a_key <= b_key);
    chosen |= select(0u, 1u, is_a) << k;
    chosen |= select(0u, 1u, ${keeps[result]}) << (k + items);
    let before = ${key};
    if (is_a) {
      i++;
      a_key = key_in_tile(i);
    } else {
      j++;
      b_key = key_in_tile(j);
    }
    if (${ranksB ? "!is_a" : "is_a"}) { rank = select(0u, rank + 1u, ${key} == before); }
  }
  return chosen;
}

@compute @workgroup_size(${threads})
fn choose_kept(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let tile = linear_group(group, groups);
  if (tile >= parameters.tiles) { return; }
  let t = find_tile(tile);
  if (t.count == 0u) {
    if (thread == 0u) { counts[tile] = 0u; }
    return;
  }
  if (thread == 0u) { atomicStore(&tile_kept, 0u); }
  load_tile(t, thread);
  workgroupBarrier();
  let chosen = choose_items(tile, t, thread);
  flags[tile * ${threads}u + thread] = chosen;
  atomicAdd(&tile_kept, countOneBits(chosen >> items));
  workgroupBarrier();
  if (thread == 0u) { counts[tile] = atomicLoad(&tile_kept); }
}
`;
}
