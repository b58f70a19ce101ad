import type { ScalarType } from "../../../core/primitives/vector.ts";
import { bindView, maxOf } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import { typeNumbers } from "../base/order.ts";
import { recordSplits } from "../merge/record-splits.ts";
import { splitCode } from "../merge/split.ts";
import { type Bound, checkSearch, type Search } from "./search.ts";
import { sortedSearchCode } from "./sorted-code.ts";

/**
 * lowerBound or upperBound of ascending needles, by merging them with the elements: 4 bytes an element and 8 a needle,
 * in order. Worth it where needles are not few beside the elements.
 */
export async function createSortedSearch(gpu: GpuContext, type: ScalarType, bound: Bound): Promise<Search> {
  const isLower = bound === "lower";
  const compile = (code: string, entryPoint: string) =>
    gpu.pipelines.get({ label: `search for ascending needles: ${entryPoint}`, code, entryPoint });
  const [split, search] = await Promise.all([
    compile(splitCode(false), "split_tiles"),
    compile(sortedSearchCode(isLower), "search_tiles"),
  ]);
  return {
    record(recorder, operands) {
      checkSearch(gpu, operands);
      const { sorted, needles, output, count, sortedCount } = operands;
      const length = Math.min(needles.length, output.length, maxOf(count ?? needles.length));
      if (length === 0) return;
      const [a, b] = isLower ? [needles, sorted] : [sorted, needles];
      const limited = typeof count === "object" ? { ...count, max: length } : length;
      const [aCount, bCount] = isLower ? [limited, sortedCount] : [sortedCount, limited];
      recorder.scratch(() => {
        const { tiles, splits } = recordSplits(recorder, split, type, { a, b, aCount, bCount }, false);
        const [fromA, fromB, to] = [a, b, output].map((view) => bindView(view));
        const parameters = recorder.parameters([
          fromA.lead,
          fromB.lead,
          to.lead,
          0,
          0,
          0,
          0,
          tiles,
          typeNumbers[type],
        ]);
        recorder.dispatch(search, [parameters, splits, fromA.resource, fromB.resource, to.resource], tiles);
      });
    },
  };
}
