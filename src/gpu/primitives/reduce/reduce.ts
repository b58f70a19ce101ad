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
import { chunk, joinCode, type ReduceKernel, reduceGroups, shareCode, wholeShare } from "./code.ts";

export type { ReduceKernel } from "./code.ts";

export interface ReduceOperands {
  /** As many as the kernel reads. */
  readonly inputs: readonly View[];
  /** Where the result's words (1 or 2) go. */
  readonly result: View;
  /** The shortest input's length where it is left out. */
  readonly count?: Count;
  /** Combined before the first element. Words, as `toWord` makes them. */
  readonly init?: readonly number[];
  /** What no elements give where there is no init: words. */
  readonly empty: readonly number[];
}

export interface Reduce {
  /** Encodes the reduction. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: ReduceOperands): void;
}

/**
 * Reductions in two kernels: up to 1024 workgroups' sums, and their join. The first is enough for up to 16384
 * elements. Reads each element once.
 * Operators that do not commute see their operands in order. Sums of f32 are within (n / 2¹⁹ + 80) · 2⁻²⁴ of the
 * sum of magnitudes.
 */
export async function createReduce(gpu: GpuContext, kernel: ReduceKernel): Promise<Reduce> {
  const compile = (code: string, entryPoint: string) =>
    gpu.pipelines.get({ label: `${kernel.name}: ${entryPoint}`, code, entryPoint });
  const [vector, scalar, join] = await Promise.all([
    compile(shareCode(kernel, kernel.isCommutative), "reduce_shares"),
    compile(shareCode(kernel, false), "reduce_shares"),
    compile(joinCode(kernel), "join_shares"),
  ]);
  const resultWords = kernel.accumulator.startsWith("vec2") ? 2 : 1;

  return {
    record(recorder, { inputs, result, count, init, empty }) {
      const length = Math.min(...inputs.map((input) => input.length));
      const counted = count ?? length;
      for (const view of [...inputs, result]) checkView(gpu.device, "A reduction's view", view);
      checkView(gpu.device, "A reduction's result", { ...result, length: resultWords });
      checkApart("A reduction", [...inputs, counted], [result]);
      checkAtLeast("A reduction", maxOf(counted), ...inputs);
      const most = Math.min(length, maxOf(counted));
      const groups = most <= wholeShare ? 1 : Math.min(reduceGroups, Math.ceil(most / chunk));
      recorder.scratch(() => {
        const bound = bindCount(recorder, counted);
        const [x, y] = inputs.map((input) => bindView(input));
        const target = bindView({ ...result, length: resultWords });
        const [low, high = 0] = init ?? empty;
        const parameters = recorder.parameters([
          bound.word,
          most,
          x.lead,
          y?.lead ?? 0,
          target.lead,
          init ? 1 : 0,
          low,
          high,
          groups,
        ]);
        const shares = {
          buffer: recorder.workspace("shares of a reduction", groups * 4 * resultWords),
        };
        const isVector =
          kernel.isCommutative && inputs.every(({ offset, length }) => offset % 4 === 0 && length >= 4);
        recorder.dispatch(
          isVector ? vector : scalar,
          [
            parameters,
            bound.resource,
            x.resource,
            y?.resource,
            shares,
            isVector ? x.resource : undefined,
            isVector ? y?.resource : undefined,
            target.resource,
          ],
          groups,
        );
        if (groups === 1) return;
        const none = undefined;
        recorder.dispatch(
          join,
          [parameters, bound.resource, none, none, shares, none, none, target.resource],
          1,
        );
      });
    },
  };
}
