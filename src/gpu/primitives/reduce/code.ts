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
  /** WGSL expression of the accumulator that init is, where `parameters.init`, its words, are not. */
  readonly begin?: string;
  /** WGSL functions that the expressions call. `is_nan` is there. */
  readonly functions?: string;
}

const reduceThreads = 256;
/** Workgroups at most: what the second kernel has to read. */
export const reduceGroups = 1024;
/** Reads of a thread that are under way at a time. */
const unroll = 4;
/** Elements that a workgroup takes at a time. */
export const chunk = reduceThreads * unroll * 4;
/** Up to this many elements one workgroup takes them all, and no second kernel runs. */
export const wholeShare = 4 * chunk;

const bits = (accumulator: string) => (accumulator.startsWith("vec2") ? "vec2u" : "u32");

/** Code that two kernels share: `accumulate`, and `combine_threads`, the total of the first `count` threads. */
function shared({ accumulator, combine, begin, functions = "" }: ReduceKernel): string {
  const words = `parameters.init${bits(accumulator) === "u32" ? ".x" : ""}`;
  return /* wgsl */ `
${linkFragments(finite, linearGroup)}
${functions}
alias Sum = ${accumulator};
fn combine(a: Sum, b: Sum) -> Sum { return ${combine}; }

struct Parameters {
  count_word: u32,
  max_count: u32,
  lead_x: u32,
  lead_y: u32,
  result_lead: u32,
  has_init: u32,
  init: vec2u,
  /** 1: the first kernel writes the result. */
  groups: u32,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
fn read_count() -> u32 { return min(count_words[parameters.count_word], parameters.max_count); }

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

@group(0) @binding(7) var<storage, read_write> result: array<u32>;

/** Writes the sum of all n elements, and init before them. */
fn finish(sum: Sum, n: u32) {
  let init = ${begin ?? `bitcast<Sum>(${words})`};
  var all = sum;
  if (n == 0u) { all = init; } else if (parameters.has_init != 0u) { all = combine(init, sum); }
  let words = bitcast<${bits(accumulator)}>(all);
  ${
    bits(accumulator) === "u32"
      ? "result[parameters.result_lead] = words;"
      : "result[parameters.result_lead] = words.x;\n  result[parameters.result_lead + 1u] = words.y;"
  }
}

/** Elements of a workgroup's share where order counts: chunks, the same in both kernels. */
fn share_of(n: u32) -> u32 {
  let chunks = n / ${chunk}u + u32(n % ${chunk}u != 0u);
  return (chunks + parameters.groups - 1u) / parameters.groups * ${chunk}u;
}
`;
}

/**
 * First kernel: each workgroup's elements to one sum; to the result where there is one workgroup. Those are chunks at
 * the distance of all workgroups' or, where order counts, a range. Entry point reduce_shares.
 */
export function shareCode(kernel: ReduceKernel, isVector: boolean): string {
  const { inputs, load, accumulator, isCommutative } = kernel;
  const names = ["x", "y"].slice(0, inputs.length);
  const scalars = names.map((name) => `${name}_words[parameters.lead_${name} + i]`).join(", ");
  const each = (code: (k: number) => string) =>
    Array.from({ length: unroll }, (_, k) => code(k)).join("\n    ");
  const read = (k: number, v: string) =>
    names.map((name) => `let ${name}${k} = ${name}_quads[parameters.lead_${name} / 4u + ${v}];`).join(" ");
  const four = (k: number, v: string) => {
    const items = ["x", "y", "z", "w"].map(
      (part, j) => `item(${names.map((name) => `${name}${k}.${part}`).join(", ")}, 4u * (${v}) + ${j}u)`,
    );
    return `combine(combine(${items[0]}, ${items[1]}), combine(${items[2]}, ${items[3]}))`;
  };
  const bindings = names.map(
    (name, k) => /* wgsl */ `
@group(0) @binding(${2 + k}) var<storage, read> ${name}_words: array<u32>;
${isVector ? `@group(0) @binding(${5 + k}) var<storage, read> ${name}_quads: array<vec4u>;` : ""}`,
  );
  const take = (item: string) =>
    `if (has) { sum = combine(sum, ${item}); } else { sum = ${item}; has = true; }`;
  const quads = isVector
    ? /* wgsl */ `
    let v = first / 4u + thread;
    if (first + ${chunk}u <= n) {
      ${each((k) => read(k, `v + ${k}u * threads`))}
      var some = ${four(0, "v")};
      ${each((k) => (k === 0 ? "" : `some = combine(some, ${four(k, `v + ${k}u * threads`)});`))}
      ${take("some")}
    } else {
      for (var q = v; q < n / 4u; q += threads) {
        ${read(0, "q")}
        let some = ${four(0, "q")};
        ${take("some")}
      }
      let i = n / 4u * 4u + thread;
      if (i < n) { ${take(`item(${scalars}, i)`)} }
    }`
    : /* wgsl */ `
    for (var i = first + thread; i < min(first + ${chunk}u, n); i += threads) { ${take(`item(${scalars}, i)`)} }`;
  const rest = isVector ? "max((n - start) / 4u, (n - start) % 4u)" : "n - start";
  const strided = /* wgsl */ `
  let start = group.x * ${chunk}u;
  if (start >= n) { return; }
  for (var first = start; first < n; first += parameters.groups * ${chunk}u) {${quads}
  }
  let busy = select(${rest}, threads, n - start >= ${chunk}u);`;
  // Blocks of neighbours for each thread keep the order.
  const blocked = /* wgsl */ `
  let share = share_of(n);
  let start = group.x * share;
  if (start >= n) { return; }
  let end = min(start + share, n);
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
  if (n == 0u && group.x == 0u && thread == 0u && parameters.groups == 1u) { finish(Sum(), n); }
  var sum = Sum();
  var has = false;
  ${isCommutative ? strided : blocked}
  let all = combine_threads(sum, thread, min(busy, threads));
  if (thread == 0u) {
    if (parameters.groups == 1u) { finish(all, n); } else { shares[group.x] = all; }
  }
}`;
}

/** Second kernel: the shares' sums, in order, and init before them, to the result. Entry point join_shares. */
export function joinCode(kernel: ReduceKernel): string {
  return /* wgsl */ `${shared(kernel)}
@group(0) @binding(4) var<storage, read> shares: array<${kernel.accumulator}>;

@compute @workgroup_size(threads)
fn join_shares(@builtin(local_invocation_index) thread: u32) {
  let n = read_count();
  let share = ${kernel.isCommutative ? `${chunk}u` : "max(share_of(n), 1u)"};
  let count = min(parameters.groups, select(0u, (n - 1u) / share + 1u, n > 0u));
  let block = (count + threads - 1u) / threads;
  let begin = min(thread * block, count);
  let end = min(begin + block, count);
  var sum = Sum();
  if (begin < end) {
    sum = shares[begin];
    for (var k = begin + 1u; k < end; k++) { sum = combine(sum, shares[k]); }
  }
  let busy = select(0u, (count - 1u) / max(block, 1u) + 1u, count > 0u);
  let all = combine_threads(sum, thread, busy);
  if (thread == 0u) { finish(all, n); }
}
`;
}
