import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { passParameters } from "../parameters.ts";
import { type TileShape, threads, tileSize } from "../shape.ts";
import { blockScan } from "./block-scan.ts";
import { entryInputs, entryStart, keysIn, preamble, scatterTile } from "./tile.ts";

/** A workgroup's own tiles: neighbouring ones, so that what it carries from tile to tile is all it needs to know. */
const share = (shape: TileShape): string => /* wgsl */ `
  let count = read_count(sorting.count_word, sorting.max_count);
  let tiles = (count + ${tileSize(shape) - 1}u) / ${tileSize(shape)}u;
  let tiles_each = (tiles + sorting.groups - 1u) / sorting.groups;
  let first_tile = min(group * tiles_each, tiles);
  let last_tile = min(first_tile + tiles_each, tiles);`;

/** Counts each workgroup's digits into counts[digit · groups + workgroup]. */
export function countDigits(shape: TileShape): string {
  const entry: Fragment = {
    name: "count digits",
    requires: [keysIn()],
    code: /* wgsl */ `
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

var<workgroup> digits: array<atomic<u32>, ${threads}>;

@compute @workgroup_size(${threads})
fn count_digits(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group_id: vec3u,
  @builtin(num_workgroups) group_counts: vec3u,
) {
  let group = linear_group(group_id, group_counts);${share(shape)}
  let end = min(last_tile * ${tileSize(shape)}u, count);
  atomicStore(&digits[thread], 0u);
  workgroupBarrier();
  for (var at = first_tile * ${tileSize(shape)}u + thread; at < end; at += ${4 * threads}u) {
    let places = at + vec4u(0u, ${threads}u, ${2 * threads}u, ${3 * threads}u);
    let inside = min(places, vec4u(end - 1u));
    let words = vec4u(read_word(inside.x), read_word(inside.y), read_word(inside.z), read_word(inside.w));
    atomicAdd(&digits[digit_of(key_of(words.x))], 1u);
    if (places.y < end) { atomicAdd(&digits[digit_of(key_of(words.y))], 1u); }
    if (places.z < end) { atomicAdd(&digits[digit_of(key_of(words.z))], 1u); }
    if (places.w < end) { atomicAdd(&digits[digit_of(key_of(words.w))], 1u); }
  }
  workgroupBarrier();
  if (group < sorting.groups) {
    counts[thread * sorting.groups + group] = atomicLoad(&digits[thread]);
  }
}
`,
  };
  return linkFragments(entry);
}

/** Sums, for one digit a workgroup, the counts of earlier workgroups, and the total of the digit. */
export function scanCounts(shape: TileShape): string {
  const entry: Fragment = {
    name: "scan digit counts",
    requires: [passParameters, blockScan(shape.subgroups)],
    code: /* wgsl */ `
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> totals: array<u32>;

@compute @workgroup_size(${threads})
fn scan_counts(
  @builtin(local_invocation_index) thread: u32,
  @builtin(workgroup_id) group_id: vec3u,${
    shape.subgroups
      ? `
  @builtin(subgroup_invocation_id) own_lane: u32,
  @builtin(subgroup_size) own_lanes: u32,`
      : ""
  }
) {${shape.subgroups ? "\n  lane = own_lane;\n  lanes = own_lanes;" : ""}
  let row = group_id.x * sorting.groups;
  var carried = 0u;
  for (var first = 0u; first < sorting.groups; first += ${threads}u) {
    let at = first + thread;
    var number = 0u;
    if (at < sorting.groups) {
      number = counts[row + at];
    }
    let scanned = block_scan(thread, number);
    if (at < sorting.groups) {
      counts[row + at] = carried + scanned.x;
    }
    carried += scanned.y;
  }
  if (thread == 0u) {
    totals[group_id.x] = carried;
  }
}
`,
  };
  return preamble(shape) + linkFragments(entry);
}

/** Sorts each tile by the digit in workgroup memory and writes it where its digits continue. */
export function scatterDigits(shape: TileShape, withValues: boolean): string {
  const entry: Fragment = {
    name: "scatter by digits",
    requires: [scatterTile(shape, withValues ? 6 : undefined)],
    code: /* wgsl */ `
@group(0) @binding(4) var<storage, read> counts: array<u32>;
@group(0) @binding(5) var<storage, read> totals: array<u32>;

@compute @workgroup_size(${threads})
fn scatter_digits(${entryInputs(shape)}
) {
${entryStart(shape)}${share(shape)}
  var goal = block_scan(thread, totals[thread]).x + counts[thread * sorting.groups + min(group, sorting.groups - 1u)];
  for (var tile = first_tile; tile < last_tile; tile++) {
    let first = tile * ${tileSize(shape)}u;
    load_tile(thread, first, count);
    let digit = rank_items(thread);
    scatter_tile(thread, first, count, goal - digit.x);
    goal += digit.y;
  }
}
`,
  };
  return preamble(shape) + linkFragments(entry);
}
