import { noBin, type Tally } from "../../../core/primitives/reduction.ts";
import type { Recorder } from "../../compute/recorder.ts";
import type { View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
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

export interface CountEach {
  /** Encodes what adds the counts of elements to those of the bins. Throws BadArgument or TooLarge. */
  record(recorder: Recorder, operands: EachOperands, counts: View): void;
}

/** Counts in one kernel; each workgroup adds its own counts at the end, or every element where bins are over 4096. */
export async function createCountEach(gpu: GpuContext, tally: Tally, capacity: number): Promise<CountEach> {
  const pipeline = await gpu.pipelines.get({
    label: `count each: ${tally.name}`,
    code: code(tally, capacity),
    entryPoint: "count_each",
  });
  return {
    record(recorder, operands, counts) {
      checkOperands(gpu, tally, operands);
      const bindings = bindingsOf(recorder, tally, operands, [counts.length], counts);
      recorder.dispatch(pipeline, bindings, groupsFor(operands.count, 2 * capacity));
    },
  };
}

function code(tally: Tally, capacity: number): string {
  const own = /* wgsl */ `
  workgroupBarrier();
  for (var bin = lane; bin < bins; bin += threads) {
    let count = atomicLoad(&own[bin]);
    if (count != 0u) { atomicAdd(&counts[result_lead() + bin], count); }
  }`;
  const target = capacity > 0 ? "own[bin]" : "counts[result_lead() + bin]";
  return /* wgsl */ `${signatureCode(tally, 1)}
@group(0) @binding(${resultBinding}) var<storage, read_write> counts: array<atomic<u32>>;
${capacity > 0 ? `var<workgroup> own: array<atomic<u32>, ${capacity}>;` : ""}
struct Out { bin: u32 }
var<private> out: Out;
${tally.functions ?? ""}
fn body() {
  ${tally.text.trim()}
}
fn bin_of(i: u32) -> u32 {
  move_to(i);
  out.bin = ${noBin}u;
  body();
  return out.bin;
}

const threads = ${eachThreads}u;

@compute @workgroup_size(threads)
fn count_each(
  @builtin(global_invocation_id) thread: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  ${uses(tally)}
  let bins = ${ownWord(0)};
  for (var i = thread.x; i < element_count(); i += groups.x * threads) {
    let bin = bin_of(i);
    if (bin < bins) { atomicAdd(&${target}, 1u); }
  }${capacity > 0 ? own : ""}
}
`;
}
