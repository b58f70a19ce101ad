import { badArgument } from "../../../core/primitives/checks.ts";
import { bindCount } from "../../compute/count.ts";
import type { Recorder } from "../../compute/recorder.ts";
import { bindView, type Count, checkApart, checkView, maxOf, type View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import { linearGroup } from "../../shader/dispatch.ts";
import { linkFragments } from "../../shader/fragment.ts";

const threads = 256;
const perThread = 4;

const code = (words: number) => /* wgsl */ `${linkFragments(linearGroup)}
struct Parameters { count_word: u32, max_count: u32, input_lead: u32, output_lead: u32 }
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> count_words: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;
@group(0) @binding(3) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(${threads})
fn reverse(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let n = min(count_words[parameters.count_word], parameters.max_count);
  let first = linear_group(group, groups) * ${threads * perThread}u + thread;
  for (var k = 0u; k < ${perThread}u; k++) {
    let w = first + k * ${threads}u;
    if (w >= n * ${words}u) { return; }
    let place = ${words === 1 ? "n - 1u - w" : `(n - 1u - w / ${words}u) * ${words}u + w % ${words}u`};
    result[parameters.output_lead + w] = source[parameters.input_lead + place];
  }
}
`;

export interface ReverseOperands {
  readonly input: View;
  /** In a buffer that is not read. */
  readonly output: View;
  /** The input's length where it is left out. */
  readonly count?: Count;
}

export interface Reverse {
  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: ReverseOperands): void;
}

/** Elements of so many words (1 to 4), the last one first: 8 bytes a word. */
export async function createReverse(gpu: GpuContext, words = 1): Promise<Reverse> {
  const record = { label: `reverse of ${words}`, code: code(words), entryPoint: "reverse" };
  const pipeline = await gpu.pipelines.get(record);
  return {
    record(recorder, { input, output, count = input.length }) {
      const most = maxOf(count);
      for (const view of [input, output]) checkView(gpu.device, "A vector to reverse", view, words);
      checkApart("A reversal", [input, count], [output]);
      if (Math.min(input.length, output.length) < most) {
        throw badArgument(
          `${most} elements were to be reversed, of ${input.length} into ${output.length}.`,
          "Give both vectors at least as many elements as are reversed.",
        );
      }
      if (most === 0) return;
      recorder.scratch(() => {
        const counted = bindCount(recorder, count);
        const [from, to] = [input, output].map((view) => bindView(view, words));
        recorder.dispatch(
          pipeline,
          [
            recorder.parameters([counted.word, most, from.lead, to.lead]),
            counted.resource,
            from.resource,
            to.resource,
          ],
          Math.ceil((most * words) / (threads * perThread)),
        );
      });
    },
  };
}
