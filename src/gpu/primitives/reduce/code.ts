import type { ScalarType } from "../../../core/primitives/vector.ts";
import { linearGroup } from "../../shader/dispatch.ts";
import { finite } from "../../shader/finite.ts";
import { linkFragments } from "../../shader/fragment.ts";

/** What a reduction's kernels are made for. */
export interface ReduceKernel {
  readonly name: string;
  /** Types of the one or two vectors that are read. */
  readonly inputs: readonly ScalarType[];
  /** WGSL expression of an element's contribution, in `x` (also `y` of a second vector) and its position `i`. */
  readonly load: string;
  /** Type of what is combined; its words, 1 or 2, are the result. */
  readonly accumulator: "u32" | "i32" | "f32" | "vec2u" | "vec2i" | "vec2f";
  /** WGSL expression in `a` (earlier) and `b`. */
  readonly combine: string;
  /** Whether elements may be combined in another order, which is faster. */
  readonly isCommutative: boolean;
  /** WGSL functions that the expressions call. `is_nan` is there. */
  readonly functions?: string;
}

export const reduceThreads = 128;
/** Workgroups at most: what the second kernel has to read. */
export const reduceGroups = 4096;
/** Elements that a workgroup takes at least. */
export const leastShare = 4096;

const bits = (accumulator: string) => (accumulator.startsWith("vec2") ? "vec2u" : "u32");

/** Code that two kernels share: `accumulate`, and `combine_threads`, the total of the first `count` threads. */
function shared({ accumulator, combine, functions = "" }: ReduceKernel): string {
  return /* wgsl */ `
${linkFragments(finite, linearGroup)}
${functions}
alias Sum = ${accumulator};
fn combine(a: Sum, b: Sum) -> Sum { return ${combine}; }

struct Parameters {
  count_word: u32,
  count_most: u32,
  lead_x: u32,
  lead_y: u32,
  result_lead: u32,
  has_init: u32,
  init: vec2u,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
fn read_count() -> u32 { return min(count_words[parameters.count_word], parameters.count_most); }

const threads = ${reduceThreads}u;
var<workgroup> sums: array<Sum, threads>;

fn combine_threads(own: Sum, thread: u32, count: u32) -> Sum {
  var sum = own;
  for (var d = 1u; d < threads; d *= 2u) {
    sums[thread] = sum;
    workgroupBarrier();
    if (thread % (2u * d) == 0u && thread + d < count) { sum = combine(sum, sums[thread + d]); }
    workgroupBarrier();
  }
  return sum;
}
`;
}

/** First kernel: each workgroup's share, a range of elements, to one sum. Entry point reduce_shares. */
export function shareCode(kernel: ReduceKernel, isVector: boolean): string {
  const { inputs, load, accumulator, isCommutative } = kernel;
  const names = ["x", "y"].slice(0, inputs.length);
  const scalars = names.map((name) => `${name}_words[parameters.lead_${name} + i]`).join(", ");
  const quads = names
    .map((name) => `let q${name} = ${name}_quads[parameters.lead_${name} / 4u + v];`)
    .join(" ");
  const parts = (k: string) => names.map((name) => `q${name}.${k}`).join(", ");
  const bindings = names.map(
    (name, k) => /* wgsl */ `
@group(0) @binding(${2 + k}) var<storage, read> ${name}_words: array<u32>;
${isVector ? `@group(0) @binding(${5 + k}) var<storage, read> ${name}_quads: array<vec4u>;` : ""}`,
  );
  const take = (item: string) =>
    `if (has) { sum = combine(sum, ${item}); } else { sum = ${item}; has = true; }`;
  const quad = (v: string) => /* wgsl */ `{
      let v = ${v};
      let i = 4u * v;
      ${quads}
      let four = combine(
        combine(item(${parts("x")}, i), item(${parts("y")}, i + 1u)),
        combine(item(${parts("z")}, i + 2u), item(${parts("w")}, i + 3u)));
      ${take("four")}
    }`;
  const strided = isVector
    ? /* wgsl */ `
  var v = start / 4u + thread;
  let last_quad = end / 4u;
  for (; v + 7u * threads < last_quad; v += 8u * threads) {
    ${Array.from({ length: 8 }, (_, k) => quad(`v + ${k}u * threads`)).join("\n")}
  }
  for (; v < last_quad; v += threads) ${quad("v")}
  let tail = last_quad * 4u + thread;
  if (tail < end) { let i = tail; ${take(`item(${scalars}, i)`)} }
  let busy = max((end - start) / 4u, (end - start) % 4u);`
    : /* wgsl */ `
  for (var i = start + thread; i < end; i += threads) { ${take(`item(${scalars}, i)`)} }
  let busy = end - start;`;
  // Blocks of neighbours for each thread keep the order.
  const blocked = /* wgsl */ `
  let block = (end - start + threads - 1u) / threads;
  let begin = min(start + thread * block, end);
  for (var i = begin; i < min(begin + block, end); i++) { ${take(`item(${scalars}, i)`)} }
  let busy = (end - start + block - 1u) / block;`;
  return /* wgsl */ `${shared(kernel)}
${bindings.join("\n")}
@group(0) @binding(4) var<storage, read_write> shares: array<${accumulator}>;

fn item(${names.map((name) => `${name}_word: u32`).join(", ")}, i: u32) -> Sum {
  ${names.map((name, k) => `let ${name} = bitcast<${inputs[k]}>(${name}_word);`).join("\n  ")}
  return ${load};
}

@compute @workgroup_size(threads)
fn reduce_shares(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let n = read_count();
  let share = share_of(n);
  let start = group.x * share;
  if (start >= n) { return; }
  let end = min(start + share, n);
  var sum = Sum();
  var has = false;
  ${isCommutative ? strided : blocked}
  let all = combine_threads(sum, thread, min(busy, threads));
  if (thread == 0u) { shares[group.x] = all; }
}
${shareOf}`;
}

/** Elements of a workgroup's share: a multiple of 4, the same in both kernels. */
const shareOf = /* wgsl */ `
fn share_of(n: u32) -> u32 {
  return max(${leastShare}u, (n / ${reduceGroups * 4}u + 1u) * 4u);
}`;

/** Second kernel: the shares' sums, in order, and init before them, to the result. Entry point join_shares. */
export function joinCode(kernel: ReduceKernel): string {
  const { accumulator } = kernel;
  const type = bits(accumulator);
  return /* wgsl */ `${shared(kernel)}
@group(0) @binding(4) var<storage, read> shares: array<${accumulator}>;
@group(0) @binding(7) var<storage, read_write> result: array<u32>;
${shareOf}

@compute @workgroup_size(threads)
fn join_shares(@builtin(local_invocation_index) thread: u32) {
  let n = read_count();
  let share = share_of(n);
  let count = select(0u, (n - 1u) / share + 1u, n > 0u);
  let block = (count + threads - 1u) / threads;
  let begin = min(thread * block, count);
  let end = min(begin + block, count);
  var sum = Sum();
  if (begin < end) {
    sum = shares[begin];
    for (var k = begin + 1u; k < end; k++) { sum = combine(sum, shares[k]); }
  }
  var all = combine_threads(sum, thread, select(0u, (count - 1u) / max(block, 1u) + 1u, count > 0u));
  if (thread == 0u) {
    let init = bitcast<Sum>(parameters.init${type === "u32" ? ".x" : ""});
    if (n == 0u) { all = init; } else if (parameters.has_init != 0u) { all = combine(init, all); }
    let words = bitcast<${type}>(all);
    ${
      type === "u32"
        ? "result[parameters.result_lead] = words;"
        : "result[parameters.result_lead] = words.x;\n    result[parameters.result_lead + 1u] = words.y;"
    }
  }
}
`;
}
