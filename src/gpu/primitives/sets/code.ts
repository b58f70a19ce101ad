import { splitWords } from "../merge/split.ts";
import { anyOrder, eachItem, mergeTileCode, splitHead, threads } from "../merge/tile.ts";

/**
 * Whether an element is kept follows from its pair: of equal elements, the rth of `a` goes with the rth of `b`. Unions
 * keep `a` and what has no pair in `b`; intersections keep what has a pair in `a`, differences what has none.
 */
const keeps = {
  union: "is_a || !pair_in_a(t, i, rank, b_key)",
  part: "is_a && pair_in_b(t, j, rank, a_key) == (parameters.keeps_pairs != 0u)",
};

/** As elements of `a` come before their equals in `b`, what was taken of `a` ends with, what comes of `b` begins with them. */
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

const countKept = /* wgsl */ `
@group(0) @binding(4) var<storage, read_write> counts: array<u32>;
var<workgroup> tile_kept: atomic<u32>;

@compute @workgroup_size(${threads})
fn count_kept(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let tile = linear_group(group, groups);
  if (tile >= parameters.tiles) { return; }
  let t = find_tile(tile);
  load_tile(t, thread);
  workgroupBarrier();
  atomicAdd(&tile_kept, countOneBits(select_items(tile, t, thread).kept));
  workgroupBarrier();
  if (thread == 0u) { counts[tile] = atomicLoad(&tile_kept); }
}
`;

const writeKept = /* wgsl */ `
@group(0) @binding(4) var<storage, read> places: array<u32>;
@group(0) @binding(5) var<storage, read_write> result: array<u32>;
@group(0) @binding(6) var<storage, read_write> total: array<u32>;
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
  load_tile(t, thread);
  workgroupBarrier();
  let chosen = select_items(tile, t, thread);
  var i = chosen.a_first;
  var j = chosen.b_first;
  var is_a = false;
  ${eachItem(
    (k) => /* wgsl */ `is_a = (chosen.of_a & ${2 ** k}u) != 0u;
  let word${k} = tile_words[min(select(j, i, is_a), tile_size - 1u)];
  i += select(0u, 1u, is_a);
  j += select(1u, 0u, is_a);`,
  )}
  var sum = countOneBits(chosen.kept);
  sums[thread] = sum;
  workgroupBarrier();
  for (var d = 1u; d < ${threads}u; d *= 2u) {
    if (thread >= d) { sum += sums[thread - d]; }
    workgroupBarrier();
    sums[thread] = sum;
    workgroupBarrier();
  }
  var at = sum - countOneBits(chosen.kept);
  ${eachItem(
    (k) => /* wgsl */ `if ((chosen.kept & ${2 ** k}u) != 0u) {
    tile_words[at] = word${k};
    at++;
  }`,
  )}
  workgroupBarrier();
  let place = parameters.output_lead + places[tile];
  let kept = sums[${threads - 1}u];
  for (var k = thread; k < kept; k += ${threads}u) { result[place + k] = tile_words[k]; }
}
`;

/**
 * Unions, or intersections and differences (which `keeps_pairs` tells apart), on a tile of the merged sequence. Entry point count_kept (how many elements each tile keeps) or
 * write_kept (writes them from the tile's place on, and how many there are in all).
 */
export function setCode(result: "union" | "part", entry: "count_kept" | "write_kept"): string {
  const ranksB = result === "union";
  const [key, index, first, end, word] = ranksB
    ? ["b_key", "j", "t.a_count", "t.count", 2]
    : ["a_key", "i", "0u", "t.a_count", 1];
  const tileRank = ranksB ? "t.b0" : "t.a0";
  return /* wgsl */ `
${mergeTileCode(anyOrder, splitWords.withRuns)}
${ranksB ? pairs.a : pairs.b}

/** A thread's elements: which are of \`a\`, which are kept, and where in the tile they begin. */
struct Items { of_a: u32, kept: u32, a_first: u32, b_first: u32 }

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

fn select_items(tile: u32, t: Tile, thread: u32) -> Items {
  let d = min(thread * items, t.count);
  let due = min(items, t.count - d);
  var i = split_tile(t, d);
  var j = t.a_count + d - i;
  var chosen = Items(0u, 0u, i, j);
  var a_key = key_in_tile(i);
  var b_key = key_in_tile(j);
  var rank = rank_of(tile, t, ${index});
  for (var k = 0u; k < due; k++) {
    let is_a = i < t.a_count && (j >= t.count || a_key <= b_key);
    chosen.of_a |= select(0u, 1u, is_a) << k;
    chosen.kept |= select(0u, 1u, ${keeps[result]}) << k;
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
${entry === "count_kept" ? countKept : writeKept}`;
}
