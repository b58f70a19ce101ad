import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";
import { type CompactKernel, eachItem, firstElement, type TileShape, tileSize } from "./options.ts";

/** Which elements go first. */
function selectionCode({ type, selection }: CompactKernel): string {
  const isStencil = selection === "stencil";
  return /* wgsl */ `
@group(0) @binding(${isStencil ? 4 : 2}) var<storage, read> selector: array<u32>;
fn read_selector(e: u32) -> u32 { return selector[parameters.${isStencil ? "stencil_lead" : "source_lead"} + e]; }
fn is_selected(x: ${isStencil ? "u32" : type}) -> bool { return ${isStencil ? "x != 0u" : selection.where.text}; }
fn goes_first(word: u32) -> bool {
  return is_selected(bitcast<${isStencil ? "u32" : type}>(word)) != (parameters.flip != 0u);
}`;
}

const ranks = {
  subgroups: /* wgsl */ `
fn bits_of(m: vec4u, size: u32) -> u32 {
  if (size <= 32u) { return countOneBits(m.x); }
  let counts = countOneBits(m);
  return counts.x + counts.y + counts.z + counts.w;
}
fn lanes_below(lane: u32) -> vec4u {
  let over = vec4u(lane) - min(vec4u(lane), vec4u(0u, 32u, 64u, 96u));
  return select((vec4u(1u) << (over & vec4u(31u))) - 1u, vec4u(0xffffffffu), over >= vec4u(32u));
}`,
  workgroup: /* wgsl */ `
const bit_words = tile_size / 32u;
var<workgroup> tile_bits: array<atomic<u32>, bit_words>;
var<workgroup> bit_sums: array<u32, bit_words>;
fn set_bit(i: u32) { atomicOr(&tile_bits[i / 32u], 1u << (i % 32u)); }
fn sum_bits(thread: u32) {
  workgroupBarrier();
  let own = min(thread, bit_words - 1u);
  var sum = countOneBits(atomicLoad(&tile_bits[own]));
  for (var d = 1u; d < bit_words; d *= 2u) {
    if (thread < bit_words) { bit_sums[thread] = sum; }
    workgroupBarrier();
    if (thread >= d && thread < bit_words) { sum += bit_sums[thread - d]; }
    workgroupBarrier();
  }
  if (thread < bit_words) { bit_sums[thread] = sum; }
  workgroupBarrier();
}
fn bits_before(i: u32) -> u32 {
  let word = atomicLoad(&tile_bits[i / 32u]);
  return bit_sums[i / 32u] - countOneBits(word >> (i % 32u));
}`,
};

/** What all kernels of a family share: parameters, the length, selection, and what ranks need. */
export function tileCode(kernel: CompactKernel, shape: TileShape): string {
  const { subgroups, threads } = shape;
  return /* wgsl */ `
${subgroups ? "enable subgroups;\ndiagnostic(off, subgroup_uniformity);" : ""}
${linkFragments(linearGroup)}
const tile_size = ${tileSize(shape)}u;
struct Parameters {
  count_word: u32,
  max_count: u32,
  source_lead: u32,
  stencil_lead: u32,
  output_lead: u32,
  max_output: u32,
  kept_lead: u32,
  tag: u32,
  flip: u32,
  silent: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
fn read_count() -> u32 { return min(count_words[parameters.count_word], parameters.max_count); }
${selectionCode(kernel)}
${subgroups ? ranks.subgroups : ranks.workgroup}

/** Counts of the shares of a tile that subgroups have: these have 4 lanes at least. */
var<workgroup> shares: array<u32, ${subgroups ? threads / 4 : 1}>;
fn tile_total(size: u32) -> u32 {
  var all = 0u;
  for (var k = 0u; k < ${threads}u / size; k++) { all += shares[k]; }
  return all;
}
`;
}

/**
 * Body of a kernel that reads `tile`: elements e0, e1, … with selecting words w0, w1, …, whether f0, f1, … they go first,
 * and how many r0, r1, … of their share do before them. The shares' counts are in workgroup memory then.
 */
export const countItems = (shape: TileShape): string => /* wgsl */ `
  let e0 = ${firstElement(shape)};
  ${eachItem(shape, (k) => (k === 0 ? "" : `let e${k} = e0 + ${k}u * size;`))}
  ${eachItem(shape, (k) => `var w${k} = 0u;`)}
  if (n - tile * tile_size >= tile_size) {
    ${eachItem(shape, (k) => `w${k} = read_selector(e${k});`)}
  } else {
    ${eachItem(shape, (k) => `if (e${k} < n) { w${k} = read_selector(e${k}); }`)}
  }
  ${eachItem(shape, (k) => `let f${k} = goes_first(w${k}) & (e${k} < n);`)}
  ${
    shape.subgroups
      ? /* wgsl */ `
  let below = lanes_below(lane);
  var share_total = 0u;
  ${eachItem(
    shape,
    (k) => /* wgsl */ `let m${k} = subgroupBallot(f${k});
  let r${k} = share_total + bits_of(m${k} & below, size);
  share_total += bits_of(m${k}, size);`,
  )}
  if (lane == 0u) { shares[share] = share_total; }`
      : /* wgsl */ `
  ${eachItem(shape, (k) => `if (f${k}) { set_bit(e${k} - tile * tile_size); }`)}
  sum_bits(thread);
  ${eachItem(shape, (k) => `let r${k} = bits_before(e${k} - tile * tile_size);`)}
  if (thread == 0u) { shares[0] = bit_sums[bit_words - 1u]; }`
  }
  workgroupBarrier();`;

/** What a kernel that writes needs besides: access to the output. */
export function writerCode({ words, selection }: CompactKernel): string {
  const isRead = selection === "stencil";
  const copied = Array.from({ length: words }, (_, j) =>
    isRead ? `result[to + ${j}u] = source[first + ${j}u];` : `result[to + ${j}u] = word;`,
  );
  return /* wgsl */ `
${isRead ? "@group(0) @binding(2) var<storage, read> source: array<u32>;" : ""}
@group(0) @binding(3) var<storage, read_write> result: array<u32>;
@group(0) @binding(6) var<storage, read_write> kept: array<u32>;

/** Puts an element at its place; what has none in the output is left out. */
fn put(place: u32, word: u32, e: u32) {
  if (place >= parameters.max_output) { return; }
  let to = parameters.output_lead + place * ${words}u;
  ${isRead ? `let first = parameters.source_lead + e * ${words}u;` : ""}
  ${copied.join("\n  ")}
}`;
}

/** Body that computes `first_count`, the tile's elements that go first, and `mine`, those before this share's. */
export const sumShares = /* wgsl */ `
  let first_count = tile_total(size);
  var mine = 0u;
  for (var k = 0u; k < share; k++) { mine += shares[k]; }`;

/** Body that writes the tile: what goes first from place `prefix` on, and the rest, where both go, from `rest` on. */
export const writeItems = ({ keeps }: CompactKernel, shape: TileShape): string => /* wgsl */ `
  let start = prefix + mine;
  ${eachItem(shape, (k) =>
    keeps === "both"
      ? `if (e${k} < n) { put(select(rest + e${k} - tile * tile_size - mine - r${k}, start + r${k}, f${k}), w${k}, e${k}); }`
      : `if (f${k}) { put(start + r${k}, w${k}, e${k}); }`,
  )}`;

/** Thread numbers by names that do with and without subgroups. */
export const entryArguments = ({ subgroups, lanes }: TileShape): string => /* wgsl */ `
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
  ${subgroups && lanes === undefined ? "@builtin(subgroup_size) size: u32," : ""}
  ${subgroups ? "@builtin(subgroup_invocation_id) lane: u32," : ""}`;

/** Begins an entry point: `n`, `tile` (one a workgroup; surplus workgroups leave), `share`, `lane`, `size`. */
export const entryHead = ({ subgroups, threads, lanes }: TileShape, writes: boolean): string => /* wgsl */ `
  ${lanes === undefined ? "" : `let size = ${lanes}u;`}
  ${subgroups ? "let share = thread / size;" : `let share = 0u; let lane = thread; let size = ${threads}u;`}
  let n = read_count();
  let tile = linear_group(group, groups);
  ${writes ? "if (n == 0u && tile == 0u && thread == 0u) { kept[parameters.kept_lead] = 0u; }" : ""}
  if (tile * tile_size >= n) { return; }
  let is_last = n - tile * tile_size <= tile_size;`;
