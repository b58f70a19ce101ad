import { add, max, min } from "../../../core/primitives/operators.ts";
import { bindCount } from "../../compute/count.ts";
import type { Bindings, Recorder } from "../../compute/recorder.ts";
import { bindView, type Count, checkApart, checkView, maxOf, type View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { createScan } from "../scan/scan.ts";
import { placeHeadsCode, type SplitKernel, splitCode, summarizeCode, tileSize } from "./split-code.ts";
import { threads } from "./split-scans.ts";

export type { SplitKernel } from "./split-code.ts";

export interface SplitOperands {
  /** Elements of the kernel's words. */
  readonly input: View;
  /** u32, one an element. */
  readonly flags: View;
  /** Keys or head flags, one an element; element 0 begins a segment in any case. */
  readonly segments: View;
  /** As long as the input, in another buffer than what is read. */
  readonly output: View;
  /** The input's length where it is left out. */
  readonly count?: Count;
}

export interface SegmentedSplit {
  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: SplitOperands): void;
}

/**
 * Within each segment, elements whose flag is 0 first, then the others, both in their order (seed 000's split of
 * KD-trees). 8 bytes an element for each of its words, 8 for flags and segments, and 1 for
 * the workspace that keeps their bits.
 */
export async function createSegmentedSplit(
  gpu: GpuContext,
  kernel: SplitKernel,
  strategy: PrimitiveStrategy,
): Promise<SegmentedSplit> {
  const { subgroups } = strategy;
  const compile = (code: string, entryPoint: string) =>
    gpu.pipelines.get({ label: `segmented split: ${entryPoint}`, code, entryPoint });
  const [summarize, placeHeads, split, sum, forward, backward] = await Promise.all([
    compile(summarizeCode(kernel, subgroups), "summarize_tiles"),
    compile(placeHeadsCode, "place_heads"),
    compile(splitCode(kernel.words, subgroups), "split_tiles"),
    createScan(gpu, { type: "u32", operator: add }, strategy),
    createScan(gpu, { type: "u32", operator: max }, strategy),
    createScan(gpu, { type: "u32", operator: min, reverse: true }, strategy),
  ]);
  return {
    record(recorder, { input, flags, segments, output, count = input.length }) {
      const what = "A segmented split";
      checkView(gpu.device, `${what}'s input`, input, kernel.words);
      checkView(gpu.device, `${what}'s output`, output, kernel.words);
      checkView(gpu.device, `${what}'s flags`, flags);
      checkView(gpu.device, `${what}'s segments`, segments);
      checkApart(what, [input, flags, segments], [output]);
      const most = Math.min(maxOf(count), ...[input, flags, segments, output].map(({ length }) => length));
      if (most === 0) return;
      const tiles = Math.ceil(most / tileSize);
      recorder.scratch(() => {
        const bound = bindCount(recorder, count);
        const [from, to] = [input, output].map((view) => bindView(view, kernel.words));
        const [by, within] = [flags, segments].map((view) => bindView(view));
        const parameters = recorder.parameters([
          bound.word,
          most,
          by.lead,
          within.lead,
          from.lead,
          to.lead,
          tiles,
        ]);
        const head: Bindings = [parameters, bound.resource];
        const elements: Bindings = [...head, by.resource, within.resource];
        const [zeros, ones, firsts, zerosThrough, onesBefore, zerosAfter] = Array.from({ length: 6 }, () => {
          const buffer = recorder.workspace("tiles of a segmented split", tiles * 4);
          return { buffer, offset: 0, length: tiles };
        });
        const buffers = (...views: readonly View[]): Bindings => views.map(({ buffer }) => ({ buffer }));
        const bits = { buffer: recorder.workspace("bits of a segmented split", tiles * threads * 4) };
        recorder.dispatch(summarize, [...elements, ...buffers(zeros, ones, firsts), bits], tiles);
        if (tiles > 1) {
          sum.record(recorder, { input: zeros, output: zerosThrough });
          const places = [...head, undefined, undefined, ...buffers(zerosThrough, ones, firsts)];
          recorder.dispatch(placeHeads, places, Math.ceil(tiles / threads));
          forward.record(recorder, { input: ones, output: onesBefore });
          backward.record(recorder, { input: firsts, output: zerosAfter });
        }
        const carried = buffers(zerosThrough, onesBefore, zerosAfter);
        recorder.dispatch(split, [...head, bits, from.resource, ...carried, to.resource], tiles);
      });
    },
  };
}
