import { badArgument } from "../../../core/primitives/checks.ts";
import { add } from "../../../core/primitives/operators.ts";
import { maxKept, type SetOperation } from "../../../core/primitives/set-operations.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { Recorder } from "../../compute/recorder.ts";
import { bindView, checkApart, checkView, type View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import { typeNumbers } from "../base/order.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { maxSorted, recordSplits, type TwoSorted } from "../merge/record-splits.ts";
import { splitCode } from "../merge/split.ts";
import { threads } from "../merge/tile.ts";
import { createScan } from "../scan/scan.ts";
import { chooseCode } from "./choose.ts";
import { writeCode } from "./write.ts";

export interface SetOperands extends TwoSorted {
  /** As long as the result can be (`maxKept`), like all outputs in a buffer that is not read. */
  readonly output: View;
  /** Where the result's length goes: one u32, in another buffer than the output. */
  readonly total: View;
}

/** A set operation on ascending vectors; the result's length stays on the GPU. */
export interface SetOperator {
  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: SetOperands): void;
}

/**
 * Union, intersection or difference with Thrust's multiplicities: of an element m times in `a` and n times in `b`,
 * max(m, n) (a's, then b's last), min(m, n) (a's first) or max(m − n, 0) (a's last). Elements compare as numbers
 * (`orderKey`). 4 bytes for each element of both, again for each that can be kept (of `a` alone but for unions), and
 * for each of the result.
 */
export async function createSetOperator(
  gpu: GpuContext,
  type: ScalarType,
  operation: SetOperation,
  strategy: PrimitiveStrategy,
): Promise<SetOperator> {
  const result = operation === "union" ? "union" : "part";
  const compile = (code: string, entryPoint: string) =>
    gpu.pipelines.get({ label: `set operation: ${entryPoint}`, code, entryPoint });
  const [split, choose, write, scan] = await Promise.all([
    compile(splitCode(true), "split_tiles"),
    compile(chooseCode(result), "choose_kept"),
    compile(writeCode(result), "write_kept"),
    createScan(gpu, { type: "u32", operator: add, exclusive: true }, strategy),
  ]);
  return {
    record(recorder, operands) {
      const { a, b, output, total } = operands;
      for (const view of [a, b, output, total]) checkView(gpu.device, "A set operation's view", view);
      checkApart("A set operation", [a, b, output], [total]);
      checkApart("A set operation", [a, b], [output]);
      const [maxA, maxB] = maxSorted("A set operation", operands, [output, total]);
      checkLengths(operation, operands, maxKept(operation, maxA, maxB));
      recorder.scratch(() => {
        const { tiles, splits } = recordSplits(recorder, split, type, operands, true);
        const length = Math.ceil((tiles + 1) / 4) * 4;
        const column = (label: string, words: number) => ({ buffer: recorder.workspace(label, words * 4) });
        const counts = column("counts of a set operation", length);
        const places = column("places of a set operation", length);
        const flags = column("flags of a set operation", Math.max(1, tiles) * threads);
        const [fromA, fromB, to, toTotal] = [a, b, output, total].map((view) => bindView(view));
        const leads = [fromA.lead, fromB.lead, to.lead, 0, 0, 0, toTotal.lead];
        const kind = [typeNumbers[type], operation === "intersection" ? 1 : 0];
        const reads = [splits, fromA.resource, fromB.resource];
        recorder.dispatch(
          choose,
          [recorder.parameters([...leads, length, ...kind]), ...reads, counts, flags],
          length,
        );
        scan.record(recorder, {
          input: { ...counts, offset: 0, length },
          output: { ...places, offset: 0, length },
        });
        recorder.dispatch(
          write,
          [recorder.parameters([...leads, tiles]), ...reads, places, flags, to.resource, toTotal.resource],
          Math.max(1, tiles),
        );
      });
    },
  };
}

function checkLengths(operation: SetOperation, { output, total }: SetOperands, max: number): void {
  if (output.length >= max && total.length >= 1) return;
  throw badArgument(
    `The ${operation} of two vectors can have ${max} elements and was given an output of ${output.length}, and ${total.length} words for its length.`,
    "Make the output as long as the result can be, and give its length a word.",
  );
}
