import type { ScalarType } from "../../../core/primitives/vector.ts";
import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";
import { keysDiffer } from "../base/keys-differ.ts";
import { threads, tileScans } from "./split-scans.ts";

/** What a segmented split is made for. */
export interface SplitKernel {
  /** Words of an element, 1 to 4. */
  readonly words: number;
  /** What begins segments: head flags that are not 0, or neighbouring keys of a type that differ. */
  readonly segments: "heads" | ScalarType;
}

/** Neighbouring elements of a thread. */
const items = 8;
export const tileSize = threads * items;

const each = (code: (k: number) => string): string =>
  Array.from({ length: items }, (_, k) => code(k)).join("\n  ");

const head = /* wgsl */ `
${linkFragments(linearGroup)}
const tile_size = ${tileSize}u;
const none = 0xffffffffu;
struct Parameters {
  count_word: u32,
  max_count: u32,
  flags_lead: u32,
  segments_lead: u32,
  source_lead: u32,
  output_lead: u32,
  tiles: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
fn read_count() -> u32 { return min(count_words[parameters.count_word], parameters.max_count); }
`;

/** What both passes over the elements share: what the bits of a thread's elements say of the tile. */
const tileCode = (subgroups: boolean): string => /* wgsl */ `
${subgroups ? "enable subgroups;\ndiagnostic(off, subgroup_uniformity);" : ""}
${head}
var<workgroup> staged: array<u32, tile_size>;

/** Where a thread's kth word is, such that threads seldom meet in a bank. */
fn place_of(thread: u32, k: u32) -> u32 { return k * ${threads}u + (thread ^ (4u * k)); }

${tileScans(subgroups)}

fn stage(e: u32, word: u32) { staged[place_of(e / ${items}u, e % ${items}u)] = word; }

/** Bits of a thread's elements: whose flag is not 0 (or that are none), and which begin a segment. */
struct Bits { ones: u32, heads: u32 }

/** Zeros among the thread's first k elements. */
fn zeros_up_to(bits: Bits, k: u32) -> u32 { return k - countOneBits(bits.ones & ((1u << k) - 1u)); }

/** Ends, counted from the elements at the tile's start, where \`zeros\` come before this thread's. */
fn find_ends(bits: Bits, zeros: u32, thread: u32, lane: u32, size: u32) -> Ends {
  var ones_at = 0u;
  var zeros_at = none;
  if (bits.heads != 0u) {
    let last = firstLeadingBit(bits.heads);
    let first = firstTrailingBit(bits.heads);
    // One more, as 0 stands for no head.
    ones_at = thread * ${items}u + last - zeros - zeros_up_to(bits, last) + 1u;
    zeros_at = zeros + zeros_up_to(bits, first);
  }
  return ends_around(ones_at, zeros_at, thread, lane, size);
}
`;

const entryArguments = (subgroups: boolean): string => /* wgsl */ `
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
  ${subgroups ? "@builtin(subgroup_size) size: u32,\n  @builtin(subgroup_invocation_id) lane: u32," : ""}`;

const entryHead = (subgroups: boolean): string => /* wgsl */ `
  ${subgroups ? "" : `let lane = thread; let size = ${threads}u;`}
  let n = read_count();
  let tile = linear_group(group, groups);
  let base = tile * tile_size;
  if (base >= n) { return; }
  let bits = read_bits(base, n, thread);
  let sums = sum_before(zeros_up_to(bits, ${items}u), thread, lane, size);
  let ends = find_ends(bits, sums.before, thread, lane, size);`;

/** Bits of a thread's elements from what is given. */
function readCode({ segments }: Pick<SplitKernel, "segments">): string {
  const begins =
    segments === "heads"
      ? "segments[at] != 0u"
      : keysDiffer(segments, "segments[at]", "segments[at - 1u]", "u32");
  return /* wgsl */ `
@group(0) @binding(2) var<storage, read> flags: array<u32>;
@group(0) @binding(3) var<storage, read> segments: array<u32>;

fn begins(i: u32) -> bool {
  if (i == 0u) { return true; }
  let at = parameters.segments_lead + i;
  return ${begins};
}

fn bits_of(i: u32) -> u32 {
  return select(0u, 1u, flags[parameters.flags_lead + i] != 0u) | select(0u, 2u, begins(i));
}

fn read_bits(base: u32, n: u32, thread: u32) -> Bits {
  let e = base + thread;
  ${each((k) => `var bits${k} = 1u;`)}
  if (base + tile_size <= n) {
    ${each((k) => `bits${k} = bits_of(e + ${k * threads}u);`)}
  } else {
    ${each((k) => `if (e + ${k * threads}u < n) { bits${k} = bits_of(e + ${k * threads}u); }`)}
  }
  ${each((k) => `stage(thread + ${k * threads}u, bits${k});`)}
  workgroupBarrier();
  var bits = Bits();
  for (var k = 0u; k < ${items}u; k++) {
    let own = staged[place_of(thread, k)];
    bits.ones |= (own & 1u) << k;
    bits.heads |= (own >> 1u) << k;
  }
  return bits;
}
`;
}

/**
 * For each tile its zeros, and within it the ones before its last head (plus 1; 0 for no head) and the zeros before its
 * first; and its elements' bits. Entry point summarize_tiles.
 */
export const summarizeCode = (
  kernel: Pick<SplitKernel, "segments">,
  subgroups: boolean,
): string => /* wgsl */ `
${tileCode(subgroups)}
${readCode(kernel)}
@group(0) @binding(4) var<storage, read_write> zeros: array<u32>;
@group(0) @binding(5) var<storage, read_write> last_ones: array<u32>;
@group(0) @binding(6) var<storage, read_write> first_zeros: array<u32>;
@group(0) @binding(7) var<storage, read_write> packed: array<u32>;

@compute @workgroup_size(${threads})
fn summarize_tiles(${entryArguments(subgroups)}) {
  ${entryHead(subgroups)}
  packed[tile * ${threads}u + thread] = bits.ones | (bits.heads << ${items}u);
  if (thread == 0u) {
    zeros[tile] = sums.all;
    last_ones[tile] = ends.last;
    first_zeros[tile] = ends.first;
  }
}
`;

/**
 * Turns what tiles say of their heads into ones and zeros from the beginning, given the scan of their zeros. Tiles
 * beyond the last say nothing. Entry point place_heads.
 */
export const placeHeadsCode = /* wgsl */ `
${head}
@group(0) @binding(4) var<storage, read> zeros_through: array<u32>;
@group(0) @binding(5) var<storage, read_write> last_ones: array<u32>;
@group(0) @binding(6) var<storage, read_write> first_zeros: array<u32>;

@compute @workgroup_size(${threads})
fn place_heads(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let tile = linear_group(group, groups) * ${threads}u + thread;
  if (tile >= parameters.tiles) { return; }
  let is_tile = tile * tile_size < read_count();
  if (!is_tile || last_ones[tile] == 0u) {
    last_ones[tile] = 0u;
    first_zeros[tile] = none;
    return;
  }
  var before = 0u;
  if (tile > 0u) { before = zeros_through[tile - 1u]; }
  last_ones[tile] += tile * tile_size - before - 1u;
  first_zeros[tile] += before;
}
`;

/**
 * Moves elements. A zero goes as far as there are zeros before it and ones before its segment; a one as far as
 * there are ones before it and zeros up to its segment's end. Entry point split_tiles.
 */
export const splitCode = (words: number, subgroups: boolean): string => /* wgsl */ `
${tileCode(subgroups)}
@group(0) @binding(2) var<storage, read> packed: array<u32>;
@group(0) @binding(4) var<storage, read> zeros_through: array<u32>;
@group(0) @binding(5) var<storage, read> ones_before: array<u32>;
@group(0) @binding(6) var<storage, read> zeros_after: array<u32>;
@group(0) @binding(3) var<storage, read> source: array<u32>;
@group(0) @binding(7) var<storage, read_write> result: array<u32>;
const words = ${words}u;

fn read_bits(base: u32, n: u32, thread: u32) -> Bits {
  let word = packed[base / ${items}u + thread];
  return Bits(word & ${2 ** items - 1}u, word >> ${items}u);
}

@compute @workgroup_size(${threads})
fn split_tiles(${entryArguments(subgroups)}) {
  ${entryHead(subgroups)}
  var tile_zeros = 0u;
  var ones_at = 0u;
  if (tile > 0u) {
    tile_zeros = zeros_through[tile - 1u];
    ones_at = ones_before[tile - 1u];
  }
  let is_last = n - base <= tile_size;
  var zeros_at = tile_zeros + sums.all;
  if (!is_last) { zeros_at = min(zeros_after[tile + 1u], zeros_through[(n - 1u) / tile_size]); }
  if (ends.before > 0u) { ones_at = base - tile_zeros + ends.before - 1u; }
  if (ends.after != none) { zeros_at = tile_zeros + ends.after; }

  let own_zeros = tile_zeros + sums.before;
  let own_ones = base + thread * ${items}u - own_zeros;
  for (var k = 0u; k < ${items}u; k++) {
    let zeros = zeros_up_to(bits, k);
    if (((bits.heads >> k) & 1u) != 0u) { ones_at = own_ones + k - zeros; }
    if (((bits.ones >> k) & 1u) == 0u) { staged[place_of(thread, k)] = own_zeros + zeros + ones_at; }
  }
  for (var k = ${items}u; k > 0u;) {
    k--;
    let zeros = zeros_up_to(bits, k);
    if (((bits.ones >> k) & 1u) != 0u) { staged[place_of(thread, k)] = own_ones + k - zeros + zeros_at; }
    if (((bits.heads >> k) & 1u) != 0u) { zeros_at = own_zeros + zeros; }
  }
  workgroupBarrier();
  let count = min(n - base, tile_size) * words;
  for (var w = thread; w < count; w += ${threads}u) {
    let e = w / words;
    let place = staged[place_of(e / ${items}u, e % ${items}u)];
    result[parameters.output_lead + place * words + w % words] = source[parameters.source_lead + base * words + w];
  }
}
`;
