import { type Combination, writtenCombination } from "../../../core/primitives/combinations.ts";
import type { BinaryOperator } from "../../../core/primitives/functions.ts";
import { add } from "../../../core/primitives/operators.ts";
import type { Reduction, Terms, Totals } from "../../../core/primitives/reduction.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { Recorder } from "../../compute/recorder.ts";
import type { View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import { toWord } from "../base/operator-wgsl.ts";
import {
  bindingsOf,
  checkOperands,
  type EachOperands,
  eachThreads,
  groupsFor,
  ownWord,
  resultBinding,
  signatureCode,
  uses,
} from "./signature.ts";

export interface ReduceEach {
  /** Workgroups for so many elements, 0 for none: each leaves one word for each term. */
  groups(count: number): number;
  /** Encodes one kernel that writes a share of each workgroup, term by term. Throws BadArgument or TooLarge. */
  record(recorder: Recorder, operands: EachOperands, shares: View): void;
  /** What the shares of all workgroups combine to. Sums of f32 keep their digits. */
  join(shares: Uint32Array<ArrayBuffer>): Totals<Terms>;
}

/**
 * Terms that are combined before they join the thread's own: rounding grows with the longer of the two chains. Each thread
 * has so many where workgroups could be fewer, as the host takes longer for their shares than they do.
 */
const chain = 16;

/**
 * Several reductions in one kernel, to one share of each of 1024 workgroups at most, which the host combines. Sums of n f32
 * are within (24 + n / 2²²) · 2⁻²⁴ of those of the magnitudes before that.
 */
export async function createReduceEach(gpu: GpuContext, reduction: Reduction): Promise<ReduceEach> {
  const pipeline = await gpu.pipelines.get({
    label: `reduce each: ${reduction.name}`,
    code: code(reduction),
    entryPoint: "reduce_each",
  });
  const identities = Object.values(reduction.terms).map(({ type, operator }) =>
    toWord(type, operator.identity(type)),
  );
  const groups = (count: number) => groupsFor(count, chain * eachThreads);
  const join = await joining(reduction);
  return {
    groups,
    record(recorder, operands, shares) {
      checkOperands(gpu, reduction, operands);
      const bindings = bindingsOf(recorder, reduction, operands, identities, shares);
      recorder.dispatch(pipeline, bindings, groups(operands.count));
    },
    join,
  };
}

/** The kernel layer is loaded for operators of the callers' own alone. */
async function combinationOf(type: ScalarType, operator: BinaryOperator): Promise<Combination> {
  if (type === "f32" && operator === add) return (a, b) => a + b;
  const written = writtenCombination(type, operator);
  if (written) return written;
  const { combination } = await import("../../../kernel/element-functions.ts");
  return combination(type, operator);
}

async function joining({ terms }: Reduction): Promise<ReduceEach["join"]> {
  const joins = await Promise.all(
    Object.entries(terms).map(async ([name, { type, operator }]) => ({
      name,
      type,
      identity: operator.identity(type),
      combine: await combinationOf(type, operator),
    })),
  );
  return (shares) => {
    const values = {
      u32: shares,
      i32: new Int32Array(shares.buffer),
      f32: new Float32Array(shares.buffer),
    };
    return Object.fromEntries(
      joins.map(({ name, type, identity, combine }, k) => {
        const numbers = values[type];
        let total = identity;
        for (let at = k; at < numbers.length; at += joins.length) total = combine(total, numbers[at]);
        return [name, total];
      }),
    );
  };
}

function code(reduction: Reduction): string {
  const terms = Object.entries(reduction.terms);
  const combined = terms.map(([name]) => `combine_${name}(a.${name}, b.${name})`);
  const identities = terms.map(([, { type }], k) => `bitcast<${type}>(${ownWord(k)})`);
  const combine = terms.map(
    ([name, { type, operator }]) =>
      `fn combine_${name}(a: ${type}, b: ${type}) -> ${type} { return ${operator.text(type)}; }\n`,
  );
  const stores = terms.map(([name], k) => `  shares[at + ${k}u] = bitcast<u32>(tree[0].${name});\n`);
  return /* wgsl */ `${signatureCode(reduction, terms.length)}
@group(0) @binding(${resultBinding}) var<storage, read_write> shares: array<u32>;

struct Terms { ${terms.map(([name, { type }]) => `${name}: ${type}`).join(", ")} }
fn none() -> Terms { return Terms(${identities.join(", ")}); }
${combine.join("")}
fn joined(a: Terms, b: Terms) -> Terms { return Terms(${combined.join(", ")}); }
var<private> out: Terms;
${reduction.functions ?? ""}
fn body() {
  ${reduction.text.trim()}
}
fn terms_of(i: u32) -> Terms {
  move_to(i);
  out = none();
  body();
  return out;
}

const threads = ${eachThreads}u;
var<workgroup> tree: array<Terms, threads>;

@compute @workgroup_size(threads)
fn reduce_each(
  @builtin(global_invocation_id) thread: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  ${uses(reduction)}
  let count = element_count();
  let stride = groups.x * threads;
  var total = none();
  var i = thread.x;
  while (i < count) {
    var part = none();
    for (var link = 0u; link < ${chain}u && i < count; link++) {
      part = joined(part, terms_of(i));
      i += stride;
    }
    total = joined(total, part);
  }
  tree[lane] = total;
  for (var half = threads / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (lane < half) { tree[lane] = joined(tree[lane], tree[lane + half]); }
  }
  if (lane == 0u) {
    let at = result_lead() + group.x * ${terms.length}u;
  ${stores.join("  ")}  }
}
`;
}
