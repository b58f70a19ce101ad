import type { ScalarType } from "../../../core/primitives/vector.ts";
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
import { typeNumbers } from "../base/order.ts";
import { indexCode, indexWords, maxStaged, needlesInFlight, searchCode, searchThreads } from "./code.ts";

/** Whether a search counts the elements below the needle, or those not above it. */
export type Bound = "lower" | "upper";

export interface SearchOperands {
  /** Ascending. */
  readonly sorted: View;
  /** In any order. */
  readonly needles: View;
  /** u32 positions, in a buffer that is not read. */
  readonly output: View;
  /** How many needles; the shorter of needles and output where it is left out. */
  readonly count?: Count;
  /** How many elements of `sorted` there are; all where it is left out. */
  readonly sortedCount?: Count;
}

export interface Search {
  /** Encodes the search. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: SearchOperands): void;
}

const share = searchThreads * needlesInFlight;
const maxGroups = 2048;
/** A tree of the sorted elements pays where they exceed what caches hold near, and needles are not few beside them. */
const minIndexed = 1 << 18;
const elementsPerNeedle = 16;

/**
 * lowerBound or upperBound of any needles in ascending elements, compared as numbers (`orderKey`). 8 bytes a needle,
 * and about a sector of 32 bytes for each factor of 8 by which the elements exceed 4096; half an element's bytes
 * more where a tree of them is made first, which is where there is a needle for every 16 elements.
 */
export async function createSearch(gpu: GpuContext, type: ScalarType, bound: Bound): Promise<Search> {
  const compile = (code: string, entryPoint: string) =>
    gpu.pipelines.get({ label: `search: ${entryPoint}`, code, entryPoint });
  const [plain, indexed, makeIndex] = await Promise.all([
    compile(searchCode(false), "search"),
    compile(searchCode(true), "search"),
    compile(indexCode, "index_sorted"),
  ]);
  return {
    record(recorder, operands) {
      checkSearch(gpu, operands);
      const { sorted, needles, output, count, sortedCount = sorted.length } = operands;
      const length = Math.min(needles.length, output.length);
      const most = Math.min(length, maxOf(count ?? length));
      const maxSorted = Math.min(sorted.length, maxOf(sortedCount));
      recorder.scratch(() => {
        const boundNeedles = bindCount(recorder, count ?? length);
        const boundSorted = bindCount(recorder, sortedCount);
        const [from, by, to] = [sorted, needles, output].map((view) => bindView(view));
        const parameters = recorder.parameters([
          boundNeedles.word,
          most,
          boundSorted.word,
          maxSorted,
          by.lead,
          from.lead,
          to.lead,
          most >= maxGroups * share ? maxStaged.many : maxStaged.few,
          typeNumbers[type],
          bound === "upper" ? 1 : 0,
        ]);
        const isIndexed = maxSorted >= minIndexed && most >= maxSorted / elementsPerNeedle;
        const tree = isIndexed
          ? { buffer: recorder.workspace("tree of a search", indexWords(maxSorted) * 4) }
          : undefined;
        if (tree) {
          const groups = Math.ceil(maxSorted / 8 / searchThreads);
          recorder.dispatch(makeIndex, [parameters, boundSorted.resource, from.resource, tree], groups);
        }
        recorder.dispatch(
          tree ? indexed : plain,
          [
            parameters,
            boundSorted.resource,
            from.resource,
            undefined,
            boundNeedles.resource,
            by.resource,
            to.resource,
            tree,
          ],
          Math.min(maxGroups, Math.ceil(most / share)),
        );
      });
    },
  };
}

export function checkSearch(
  gpu: GpuContext,
  { sorted, needles, output, count = needles.length, sortedCount = sorted.length }: SearchOperands,
): void {
  for (const view of [sorted, needles, output]) checkView(gpu.device, "A search's view", view);
  checkApart("A search", [sorted, needles, count, sortedCount], [output]);
  checkAtLeast("A search", maxOf(count), needles, output);
  checkAtLeast("A search", maxOf(sortedCount), sorted);
}
