import type { ScalarType } from "../../../core/primitives/vector.ts";
import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";
import { orderKey, orderKeyOf } from "../base/order.ts";

export const threads = 256;
/** Elements that a workgroup takes at a time: four quads a thread. */
export const blockSize = threads * 16;
/** Counters in workgroup memory, where they are all of it and where edges take half. */
const counters = { even: 4096, range: 2048 };
/** Edges in workgroup memory at most. */
const maxStaged = 2047;

/** Copies of each counter in workgroup memory: neighbours count in different ones. None where bins are too many. */
export function copiesOf(kind: keyof typeof counters, bins: number): number {
  const most = Math.floor(counters[kind] / bins);
  return most === 0 ? 0 : Math.min(32, 2 ** Math.floor(Math.log2(most)));
}

/** What kernels share: the bins of four words, where the word is within. `none` elsewhere. */
const declarations = /* wgsl */ `
const none = 0xffffffffu;
struct Parameters {
  count_word: u32,
  max_count: u32,
  lead: u32,
  output_lead: u32,
  bins: u32,
  copies: u32,
  /** Even bins: the least element, and for f32 the first beyond and the width, all as words; for integers how far
   * the last is from the least, and what rounds that down to steps. */
  least: u32,
  end: u32,
  shift: f32,
  scale: f32,
  mask: u32,
  type_number: u32,
  edges: u32,
  edges_lead: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
`;

/** \`binOf\` of core/primitives/histogram.ts. t of f32 is compared by its bits too, which NaN never passes. */
const evenBins = (type: ScalarType): string =>
  type === "f32"
    ? /* wgsl */ `
fn prepare_bins(thread: u32) {}

fn bins_of(words: vec4u) -> vec4u {
  let is_normal = (words & vec4u(0x7f800000u)) != vec4u();
  let x = select(vec4f(), bitcast<vec4f>(words), is_normal);
  let t = x - bitcast<f32>(parameters.least);
  let within = (x >= vec4f(bitcast<f32>(parameters.least))) & (x < vec4f(bitcast<f32>(parameters.end)));
  let is_number = bitcast<vec4u>(t) <= vec4u(parameters.mask);
  let bins = min(vec4u(t * parameters.scale), vec4u(parameters.bins - 1u));
  return select(vec4u(none), bins, within & is_number);
}`
    : /* wgsl */ `
${linkFragments(orderKey(type))}
fn prepare_bins(thread: u32) {}

fn bins_of(words: vec4u) -> vec4u {
  let keys = vec4u(order_key(words.x), order_key(words.y), order_key(words.z), order_key(words.w));
  let d = keys - parameters.least;
  let t = vec4f(d & vec4u(parameters.mask)) + parameters.shift;
  let bins = min(vec4u(t * parameters.scale), vec4u(parameters.bins - 1u));
  return select(vec4u(none), bins, d <= vec4u(parameters.end));
}`;

/** The number of edges at or below an element, less one: as searches find it, from pivots in workgroup memory on. */
const rangeBins = /* wgsl */ `
${linkFragments(orderKeyOf)}
@group(0) @binding(5) var<storage, read> edges: array<u32>;
var<workgroup> staged: array<u32, ${maxStaged + 1}>;

fn pivot(level: u32, i: u32) -> u32 {
  let at = parameters.edges_lead + ((i + 1u) << (3u * level)) - 1u;
  return order_key_of(edges[at], parameters.type_number);
}

fn top_level() -> u32 {
  var top = 0u;
  while ((parameters.edges >> (3u * top)) > ${maxStaged}u) { top++; }
  return top;
}

fn prepare_bins(thread: u32) {
  let top = top_level();
  for (var i = thread; i < (parameters.edges >> (3u * top)); i += ${threads}u) { staged[i] = pivot(top, i); }
}

fn bins_of(words: vec4u) -> vec4u {
  let x = vec4u(
    order_key_of(words.x, parameters.type_number), order_key_of(words.y, parameters.type_number),
    order_key_of(words.z, parameters.type_number), order_key_of(words.w, parameters.type_number));
  let top = top_level();
  let top_count = parameters.edges >> (3u * top);
  var c = vec4u();
  for (var step = 1u << firstLeadingBit(top_count | 1u); step > 0u; step /= 2u) {
    let i = c + (step - 1u);
    let at = min(i, vec4u(${maxStaged}u));
    let keys = vec4u(staged[at.x], staged[at.y], staged[at.z], staged[at.w]);
    c += select(vec4u(), vec4u(step), (i < vec4u(top_count)) & (keys <= x));
  }
  for (var level = top; level > 0u;) {
    level--;
    let count = parameters.edges >> (3u * level);
    c *= 8u;
    for (var step = 4u; step > 0u; step /= 2u) {
      let i = c + (step - 1u);
      let at = min(i, vec4u(count - 1u));
      let keys = vec4u(pivot(level, at.x), pivot(level, at.y), pivot(level, at.z), pivot(level, at.w));
      c += select(vec4u(), vec4u(step), (i < vec4u(count)) & (keys <= x));
    }
  }
  return select(vec4u(none), c - 1u, (c > vec4u()) & (c <= vec4u(parameters.bins)));
}`;

/** Sets counters to 0. Entry point clear_bins. */
export const clearCode = /* wgsl */ `
${linkFragments(linearGroup)}
${declarations}
@group(0) @binding(1) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(${threads})
fn clear_bins(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let bin = linear_group(group, groups) * ${threads}u + thread;
  if (bin < parameters.bins) { result[parameters.output_lead + bin] = 0u; }
}
`;

/**
 * Counts elements into bins. Elements are read four at a time from the quad that has the first one on; those after
 * the last whole quad one by one. A thread adds up equal bins that it meets one after the other, so that data which
 * are all alike take few atomic operations. Neighbours count in copies of their own, where bins are few enough to
 * have counters in workgroup memory; elsewhere each workgroup has some there for bins that it met at first, which are
 * likely those that would be waited for in the result. Entry point count_bins.
 */
export function countCode(kind: ScalarType | "range"): string {
  const size = kind === "range" ? counters.range : counters.even;
  const quads = [0, 1, 2, 3];
  return /* wgsl */ `
${linkFragments(linearGroup)}
${declarations}
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
@group(0) @binding(2) var<storage, read> quads: array<vec4u>;
@group(0) @binding(3) var<storage, read> words: array<u32>;
@group(0) @binding(4) var<storage, read_write> result: array<atomic<u32>>;
${kind === "range" ? rangeBins : evenBins(kind)}

/** Counters; where there are none for all bins, the bins of the frequent ones, then their counters. */
var<workgroup> local_counts: array<atomic<u32>, ${size}>;
const frequent = ${size / 8}u;
const frequent_copies = 4u;

/** Equal bins that a thread has met since it met another. */
struct Run { bin: u32, length: u32 }

fn flush(run: Run, thread: u32) {
  if (run.bin == none || run.length == 0u) { return; }
  if (parameters.copies != 0u) {
    atomicAdd(&local_counts[run.bin * parameters.copies + thread % parameters.copies], run.length);
    return;
  }
  let slot = run.bin % frequent;
  if (atomicLoad(&local_counts[slot]) == run.bin) {
    atomicAdd(&local_counts[frequent + slot * frequent_copies + thread % frequent_copies], run.length);
  } else {
    atomicAdd(&result[parameters.output_lead + run.bin], run.length);
  }
}

fn take(run: ptr<function, Run>, bin: u32, thread: u32) {
  if (bin != (*run).bin) {
    flush(*run, thread);
    *run = Run(bin, 0u);
  }
  (*run).length++;
}

@compute @workgroup_size(${threads})
fn count_bins(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let n = min(count_words[parameters.count_word], parameters.max_count);
  let number = linear_group(group, groups);
  let end = parameters.lead + n;
  let whole = end / 4u;
  if (number > 0u && number * ${blockSize / 4}u >= whole) { return; }
  let has_all = parameters.copies != 0u;
  let used = select(frequent * (1u + frequent_copies), parameters.bins * parameters.copies, has_all);
  for (var i = thread; i < used; i += ${threads}u) {
    atomicStore(&local_counts[i], select(0u, none, !has_all && i < frequent));
  }
  prepare_bins(thread);
  workgroupBarrier();
  if (!has_all) {
    let at = number * ${blockSize / 4}u + thread;
    if (at < whole && 4u * at >= parameters.lead) {
      let bin = bins_of(quads[at]).x;
      if (bin != none) { atomicStore(&local_counts[bin % frequent], bin); }
    }
    workgroupBarrier();
  }
  var run = Run(none, 0u);
  for (var block = number * ${blockSize / 4}u; block < whole; block += groups.x * groups.y * ${blockSize / 4}u) {
    let v = block + thread;
    ${quads.map((q) => `let words${q} = quads[min(v + ${q * threads}u, whole - 1u)];`).join("\n    ")}
    for (var q = 0u; q < 4u; q++) {
      let at = v + q * ${threads}u;
      var four = words0;
      if (q == 1u) { four = words1; } else if (q == 2u) { four = words2; } else if (q == 3u) { four = words3; }
      if (at < whole) {
        let places = 4u * at + vec4u(0u, 1u, 2u, 3u);
        let bins = select(vec4u(none), bins_of(four), places >= vec4u(parameters.lead));
        take(&run, bins.x, thread);
        take(&run, bins.y, thread);
        take(&run, bins.z, thread);
        take(&run, bins.w, thread);
      }
    }
  }
  let rest = max(4u * whole, parameters.lead) + thread;
  if (number == 0u && rest < end) { take(&run, bins_of(vec4u(words[rest])).x, thread); }
  flush(run, thread);
  workgroupBarrier();
  if (!has_all) {
    for (var slot = thread; slot < frequent; slot += ${threads}u) {
      var sum = 0u;
      for (var c = 0u; c < frequent_copies; c++) {
        sum += atomicLoad(&local_counts[frequent + slot * frequent_copies + c]);
      }
      if (sum != 0u) { atomicAdd(&result[parameters.output_lead + atomicLoad(&local_counts[slot])], sum); }
    }
    return;
  }
  for (var bin = thread; bin < parameters.bins; bin += ${threads}u) {
    var sum = 0u;
    for (var c = 0u; c < parameters.copies; c++) {
      sum += atomicLoad(&local_counts[bin * parameters.copies + (thread + c) % parameters.copies]);
    }
    if (sum != 0u) { atomicAdd(&result[parameters.output_lead + bin], sum); }
  }
}
`;
}
