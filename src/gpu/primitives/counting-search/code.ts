import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";

export const threads = 256;
/** Neighbouring needles of a thread: whole quads of them. */
const items = 12;
export const tileSize = threads * items;
/** Elements of a tile beyond which its needles are searched for one by one. */
const mostWalked = 16 * tileSize;

const head = /* wgsl */ `
${linkFragments(linearGroup)}
const tile_size = ${tileSize}u;
struct Parameters {
  count_word: u32,
  count_most: u32,
  sorted_word: u32,
  sorted_most: u32,
  sorted_lead: u32,
  output_lead: u32,
  quads: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
@group(0) @binding(2) var<storage, read> sorted: array<u32>;
fn read_count() -> u32 { return min(count_words[parameters.count_word], parameters.count_most); }
`;

/** Where each tile of needles begins among the elements, and the last one ends. Entry point split_tiles. */
export const splitCode = /* wgsl */ `${head}
@group(0) @binding(3) var<storage, read> sorted_words: array<u32>;
@group(0) @binding(4) var<storage, read_write> splits: array<u32>;

@compute @workgroup_size(${threads})
fn split_tiles(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let count = read_count();
  let tile = linear_group(group, groups) * ${threads}u + thread;
  if (tile > (count + tile_size - 1u) / tile_size) { return; }
  let needle = min(tile * tile_size, count);
  var low = 0u;
  var high = min(sorted_words[parameters.sorted_word], parameters.sorted_most);
  while (low < high) {
    let middle = low + (high - low) / 2u;
    if (sorted[parameters.sorted_lead + middle] < needle) { low = middle + 1u; } else { high = middle; }
  }
  splits[tile] = low;
}
`;

/** The greatest value of the threads before, or \`init\`. */
const scanMax = (subgroups: boolean): string =>
  subgroups
    ? /* wgsl */ `
/** Of the shares that subgroups have: 64 at most, as these have 4 lanes at least. */
var<workgroup> shares: array<u32, 64>;
fn greatest_before(own: u32, init: u32, thread: u32, lane: u32, size: u32) -> u32 {
  var most = own;
  for (var d = 1u; d < size; d *= 2u) {
    let earlier = subgroupShuffleUp(most, d);
    if (lane >= d) { most = max(most, earlier); }
  }
  let share = thread / size;
  if (lane == size - 1u) { shares[share] = most; }
  let before_lane = subgroupShuffleUp(most, 1u);
  workgroupBarrier();
  var before = init;
  if (lane > 0u) { before = max(before, before_lane); }
  for (var k = 0u; k < share; k++) { before = max(before, shares[k]); }
  return before;
}`
    : /* wgsl */ `
var<workgroup> greatest: array<u32, ${threads}>;
fn greatest_before(own: u32, init: u32, thread: u32, lane: u32, size: u32) -> u32 {
  var most = own;
  greatest[thread] = most;
  workgroupBarrier();
  for (var d = 1u; d < ${threads}u; d *= 2u) {
    if (thread >= d) { most = max(most, greatest[thread - d]); }
    workgroupBarrier();
    greatest[thread] = most;
    workgroupBarrier();
  }
  if (thread == 0u) { return init; }
  return max(init, greatest[thread - 1u]);
}`;

/**
 * For each needle, how many elements are not greater: the end of each run of elements is put at its needle in workgroup
 * memory, and a scan by maximum fills the others in. Where a tile of needles has very many elements, each is searched
 * for instead. Entry point count_tiles.
 */
export function countCode(isVector: boolean, subgroups: boolean): string {
  const each = (code: (k: number) => string) => Array.from({ length: 4 }, (_, k) => code(k)).join("\n    ");
  const store = isVector
    ? /* wgsl */ `
  for (var quad = thread; quad < ${tileSize / 4}u; quad += ${threads}u) {
    let e = base + 4u * quad;
    let at = (parameters.output_lead + e) / 4u;
    let y = vec4u(result(4u * quad), result(4u * quad + 1u), result(4u * quad + 2u), result(4u * quad + 3u));
    if (e + 4u <= count) {
      positions[at] = y;
    } else if (e < count) {
      positions[at].x = y.x;
      if (e + 1u < count) { positions[at].y = y.y; }
      if (e + 2u < count) { positions[at].z = y.z; }
    }
  }`
    : /* wgsl */ `
  for (var i = thread; i < min(tile_size, count - base); i += ${threads}u) {
    positions[parameters.output_lead + base + i] = result(i);
  }`;
  return /* wgsl */ `
${subgroups ? "enable subgroups;\ndiagnostic(off, subgroup_uniformity);" : ""}
${head}
@group(0) @binding(3) var<storage, read> sorted_quads: array<vec4u>;
@group(0) @binding(4) var<storage, read> splits: array<u32>;
@group(0) @binding(5) var<storage, read_write> positions: array<${isVector ? "vec4u" : "u32"}>;
var<workgroup> staged: array<u32, tile_size>;
${scanMax(subgroups)}

/** Where the result of a thread's kth needle is, such that threads seldom meet in a bank. */
fn place_of(thread: u32, k: u32) -> u32 { return k * ${threads}u + (thread ^ (8u * (k / 4u))); }
fn result(needle: u32) -> u32 { return staged[place_of(needle / ${items}u, needle % ${items}u)]; }

/** The words from 4 · quad on, of which those before \`end\` count. */
fn read_words(quad: u32, end: u32) -> vec4u {
  if (quad < parameters.quads) { return sorted_quads[quad]; }
  var words = vec4u();
  for (var k = 0u; k < 4u; k++) {
    if (4u * quad + k < end) { words[k] = sorted[4u * quad + k]; }
  }
  return words;
}

@compute @workgroup_size(${threads})
fn count_tiles(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
  ${subgroups ? "@builtin(subgroup_size) size: u32,\n  @builtin(subgroup_invocation_id) lane: u32," : ""}
) {
  ${subgroups ? "" : `let lane = thread; let size = ${threads}u;`}
  let count = read_count();
  let tile = linear_group(group, groups);
  let base = tile * tile_size;
  if (base >= count) { return; }
  let first = splits[tile];
  let last = splits[tile + 1u];
  if (last - first > ${mostWalked}u) {
    var low = first;
    for (var k = 0u; k < ${items}u; k++) {
      let needle = base + thread * ${items}u + k;
      var high = last;
      while (low < high) {
        let middle = low + (high - low) / 2u;
        if (sorted[parameters.sorted_lead + middle] <= needle) { low = middle + 1u; } else { high = middle; }
      }
      staged[place_of(thread, k)] = low;
    }
  } else {
    let start = parameters.sorted_lead + first;
    let end = parameters.sorted_lead + last;
    for (var quad = start / 4u + thread; 4u * quad < end; quad += ${threads}u) {
      let own = read_words(quad, end);
      var after = 0u;
      if (4u * quad + 4u < end) { after = sorted[4u * quad + 4u]; }
      let next = vec4u(own.yzw, after);
      let at = 4u * quad;
      ${each((k) => {
        const c = "xyzw"[k];
        return /* wgsl */ `if (at + ${k}u >= start && (at + ${k + 1}u == end || (at + ${k + 1}u < end && own.${c} != next.${c}))) {
      let needle = own.${c} - base;
      staged[place_of(needle / ${items}u, needle % ${items}u)] = at + ${k + 1}u - parameters.sorted_lead;
    }`;
      })}
    }
    workgroupBarrier();
    var own_most = 0u;
    for (var k = 0u; k < ${items}u; k++) { own_most = max(own_most, staged[place_of(thread, k)]); }
    var most = greatest_before(own_most, first, thread, lane, size);
    for (var k = 0u; k < ${items}u; k++) {
      let place = place_of(thread, k);
      most = max(most, staged[place]);
      staged[place] = most;
    }
  }
  workgroupBarrier();
  ${store}
}
`;
}
