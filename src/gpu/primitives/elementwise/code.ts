import type { ScalarType } from "../../../core/primitives/vector.ts";
import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";
import { type SourceType, sourceCode, sourceWords } from "./sources.ts";

export const transformThreads = 256;
/** Elements of a thread. */
export const perThread = 4;

/** What a transform's kernels are made for. */
export interface TransformKernel {
  readonly name: string;
  readonly inputs: readonly SourceType[];
  readonly type: ScalarType;
  /** Expression in x0, x1, …, the inputs' elements; its value is converted to `type`. */
  readonly text: string;
}

/** Storage bindings of a source of each kind. */
export const bindingsOf = ({ kind }: Pick<SourceType, "kind">): number =>
  kind === "permuted" ? 2 : kind === "view" || kind === "reversed" ? 1 : 0;

/** First binding of the sources: before it are parameters, count and output. */
const firstSource = 3;

/**
 * Entry point transform: a thread computes four neighbours, read and written whole with vector access, or four
 * elements that lie a workgroup apart.
 */
export function transformCode({ inputs, type, text }: TransformKernel, isVector: boolean): string {
  let binding = firstSource;
  const sources = inputs.map((input, k) => {
    const code = sourceCode(input, k, binding, isVector);
    binding += bindingsOf(input);
    return code;
  });
  const words = Math.max(1, Math.ceil((inputs.length * sourceWords) / 4));
  const apply = (k: number) =>
    `f(${inputs.map(({ type }, i) => `bitcast<${type}>(${isVector ? `q${i}[${k}]` : `one_${i}(e)`})`).join(", ")})`;
  const body = isVector
    ? /* wgsl */ `
  let e = (linear_group(group, groups) * ${transformThreads}u + thread) * 4u;
  if (e >= n) { return; }
  ${inputs.map((_, i) => `let q${i} = quad_${i}(e);`).join("\n  ")}
  let y = vec4u(${[0, 1, 2, 3].map(apply).join(", ")});
  let v = (parameters.output_lead + e) / 4u;
  if (e + 4u <= n) {
    result[v] = y;
  } else {
    result[v].x = y.x;
    if (e + 1u < n) { result[v].y = y.y; }
    if (e + 2u < n) { result[v].z = y.z; }
  }`
    : /* wgsl */ `
  let first = linear_group(group, groups) * ${transformThreads * perThread}u + thread;
  for (var k = 0u; k < ${perThread}u; k++) {
    let e = first + k * ${transformThreads}u;
    if (e < n) { result[parameters.output_lead + e] = ${apply(0)}; }
  }`;
  return /* wgsl */ `${linkFragments(linearGroup)}
struct Parameters {
  count_word: u32,
  max_count: u32,
  output_lead: u32,
  words: array<vec4u, ${words}>,
}
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<${isVector ? "vec4u" : "u32"}>;
${sources.join("")}
fn f(${inputs.map(({ type }, i) => `x${i}: ${type}`).join(", ")}) -> u32 {
  return bitcast<u32>(${type}(${text}));
}

@compute @workgroup_size(${transformThreads})
fn transform(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let n = min(count_words[parameters.count_word], parameters.max_count);${body}
}
`;
}
