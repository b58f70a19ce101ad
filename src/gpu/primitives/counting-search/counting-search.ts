import { bindCount } from "../../compute/count.ts";
import type { Recorder } from "../../compute/recorder.ts";
import {
  bindView,
  type Count,
  checkApart,
  checkAtLeast,
  checkView,
  maxOf,
  type View,
} from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { countCode, splitCode, threads, tileSize } from "./code.ts";

export interface CountingSearchOperands {
  /** Ascending u32. */
  readonly sorted: View;
  /** u32, one for each of the needles 0, 1, …; in another buffer than what is read. */
  readonly output: View;
  /** How many needles; the output's length where it is left out. */
  readonly count?: Count;
  /** How many elements of `sorted` there are; all where it is left out. */
  readonly sortedCount?: Count;
}

export interface CountingSearch {
  /** Encodes the search. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: CountingSearchOperands): void;
}

/**
 * upperBound of 0, 1, …, count − 1: result k is the number of elements that are at most k (seed 000's monotone form).
 * Elements in any distribution: each is read once at most, 4 bytes, and those from `count` on are not; 4 bytes a needle.
 */
export async function createCountingSearch(
  gpu: GpuContext,
  { subgroups }: PrimitiveStrategy,
): Promise<CountingSearch> {
  const compile = (code: string, entryPoint: string) =>
    gpu.pipelines.get({ label: `counting search: ${entryPoint}`, code, entryPoint });
  const [split, vector, scalar] = await Promise.all([
    compile(splitCode, "split_tiles"),
    compile(countCode(true, subgroups), "count_tiles"),
    compile(countCode(false, subgroups), "count_tiles"),
  ]);
  return {
    record(recorder, { sorted, output, count = output.length, sortedCount = sorted.length }) {
      for (const view of [sorted, output]) checkView(gpu.device, "A counting search's view", view);
      checkApart("A counting search", [sorted, count, sortedCount], [output]);
      checkAtLeast("A counting search", maxOf(count), output);
      checkAtLeast("A counting search", maxOf(sortedCount), sorted);
      const most = Math.min(maxOf(count), output.length);
      if (most === 0) return;
      const tiles = Math.ceil(most / tileSize);
      recorder.scratch(() => {
        const needles = bindCount(recorder, count);
        const elements = bindCount(recorder, sortedCount);
        const [from, to] = [bindView(sorted), bindView(output)];
        const splits = { buffer: recorder.workspace("splits of a counting search", (tiles + 1) * 4) };
        // Elements of a buffer that holds no vec4u are read one by one; something has to be bound all the same.
        const quads = Math.floor((from.resource.size ?? 0) / 16);
        const parameters = recorder.parameters([
          needles.word,
          most,
          elements.word,
          Math.min(elements.max, sorted.length),
          from.lead,
          to.lead,
          quads,
        ]);
        const head = [parameters, needles.resource, from.resource];
        recorder.dispatch(split, [...head, elements.resource, splits], Math.ceil((tiles + 1) / threads));
        const isVector = output.offset % 4 === 0 && output.length % 4 === 0;
        recorder.dispatch(
          isVector ? vector : scalar,
          [...head, quads > 0 ? from.resource : splits, splits, to.resource],
          tiles,
        );
      });
    },
  };
}
