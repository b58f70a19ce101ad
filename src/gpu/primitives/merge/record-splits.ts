import type { ScalarType } from "../../../core/primitives/vector.ts";
import { bindCount } from "../../compute/count.ts";
import type { Recorder } from "../../compute/recorder.ts";
import { bindView, type Count, checkApart, checkAtLeast, maxOf, type View } from "../../compute/view.ts";
import { typeNumbers } from "../base/order.ts";
import { splitThreads, splitWords } from "./split.ts";
import { splitHead, tileSize } from "./tile.ts";

/** Two ascending vectors, and how many elements of them there are: all where it is left out. */
export interface TwoSorted {
  readonly a: View;
  readonly b: View;
  readonly aCount?: Count;
  readonly bCount?: Count;
}

/** Throws BadArgument where they are shorter than their counts, or a count is in a buffer of `outputs`. */
export function maxSorted(
  what: string,
  { a, b, aCount = a.length, bCount = b.length }: TwoSorted,
  outputs: readonly View[],
): [number, number] {
  checkApart(what, [aCount, bCount], outputs);
  checkAtLeast(what, maxOf(aCount), a);
  checkAtLeast(what, maxOf(bCount), b);
  return [maxOf(aCount), maxOf(bCount)];
}

/** Splits the merged sequence into tiles: their number at most, and the workspace with the boundaries. */
export function recordSplits(
  recorder: Recorder,
  split: GPUComputePipeline,
  type: ScalarType,
  operands: TwoSorted,
  withRuns: boolean,
): { readonly tiles: number; readonly splits: { readonly buffer: GPUBuffer } } {
  const { a, b, aCount = a.length, bCount = b.length } = operands;
  const [maxA, maxB] = [aCount, bCount].map(maxOf);
  const tiles = Math.ceil((maxA + maxB) / tileSize);
  const words = splitHead + (withRuns ? splitWords.withRuns : splitWords.plain) * (tiles + 1);
  const splits = { buffer: recorder.workspace("splits of a merge", words * 4) };
  const [countA, countB] = [bindCount(recorder, aCount), bindCount(recorder, bCount)];
  const [fromA, fromB] = [bindView(a), bindView(b)];
  const parameters = recorder.parameters([
    countA.word,
    maxA,
    countB.word,
    maxB,
    fromA.lead,
    fromB.lead,
    typeNumbers[type],
    tiles + 1,
  ]);
  recorder.dispatch(
    split,
    [parameters, countA.resource, countB.resource, fromA.resource, fromB.resource, splits],
    Math.ceil((tiles + 1) / splitThreads),
  );
  return { tiles, splits };
}
