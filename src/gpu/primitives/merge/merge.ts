import { badArgument } from "../../../core/primitives/checks.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { Recorder } from "../../compute/recorder.ts";
import { bindView, checkApart, checkView, type View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import { mergeCode } from "./code.ts";
import { maxSorted, recordSplits, type TwoSorted } from "./record-splits.ts";
import { splitCode } from "./split.ts";

export interface MergeOperands extends TwoSorted {
  /** As long as both together can be, in a buffer that is not read. */
  readonly output: View;
  /** A word for each key, which goes with it. Needed where the merge has values. */
  readonly values?: { readonly a: View; readonly b: View; readonly output: View };
}

export interface Merge {
  /** Encodes the merge. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: MergeOperands): void;
}

/**
 * Two ascending vectors as one, stable: of equal elements those of `a` come first, and each vector's stay in order.
 * Elements compare as numbers (`orderKey`). 8 bytes an element of the result, and 8 more with values.
 */
export async function createMerge(gpu: GpuContext, type: ScalarType, hasValues = false): Promise<Merge> {
  const compile = (code: string, entryPoint: string) =>
    gpu.pipelines.get({ label: `merge of ${type}: ${entryPoint}`, code, entryPoint });
  const [split, merge] = await Promise.all([
    compile(splitCode(false), "split_tiles"),
    compile(mergeCode(type, hasValues), "merge_tiles"),
  ]);
  return {
    record(recorder, operands) {
      const { a, b, output, values } = operands;
      const reads = [a, b, ...(values ? [values.a, values.b] : [])];
      const writes = [output, ...(values ? [values.output] : [])];
      for (const view of [...reads, ...writes]) checkView(gpu.device, "A merge's view", view);
      checkApart("A merge", reads, writes);
      const [maxA, maxB] = maxSorted("A merge", operands, writes);
      checkLengths(operands, maxA, maxB, hasValues);
      if (maxA + maxB === 0) return;
      recorder.scratch(() => {
        const { tiles, splits } = recordSplits(recorder, split, type, operands, false);
        const views = [a, b, output, values?.a, values?.b, values?.output];
        const bound = views.map((view) => view && bindView(view));
        const parameters = recorder.parameters(bound.map((view) => view?.lead ?? 0));
        recorder.dispatch(merge, [parameters, splits, ...bound.map((view) => view?.resource)], tiles);
      });
    },
  };
}

function checkLengths({ output, values }: MergeOperands, a: number, b: number, hasValues: boolean): void {
  const problem =
    output.length < a + b
      ? `A merge of ${a} and ${b} elements was given an output of ${output.length}.`
      : hasValues !== (values !== undefined)
        ? `A merge ${hasValues ? "with" : "without"} values was given ${values ? "some" : "none"}.`
        : values && (values.a.length < a || values.b.length < b || values.output.length < a + b)
          ? `A merge of ${a} and ${b} keys was given ${values.a.length} and ${values.b.length} values and room for ${values.output.length}.`
          : undefined;
  if (problem) {
    throw badArgument(problem, "Values go with keys one to one, and the output holds both vectors.");
  }
}
