import type { BinaryOperator } from "../../../core/primitives/functions.ts";
import { add } from "../../../core/primitives/operators.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { GpuContext } from "../../device/context.ts";
import { bindCount } from "../base/count.ts";
import type { Recorder } from "../base/recorder.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { bindView, type Count, checkApart, checkView, mostOf, type View } from "../base/view.ts";
import { createScan, type Scan, type ScanKernel } from "../scan/scan.ts";
import { type KeptValue, scatterCode, scatterThreads } from "./scatter.ts";

export interface RunOperands {
  readonly keys: View;
  /** Needed to reduce by key and for the first value of each run. */
  readonly values?: View;
  /** As long as there can be runs; like all outputs in a buffer of its own. */
  readonly keysOut: View;
  /** Needed where runs have values. */
  readonly valuesOut?: View;
  /** Where the number of runs goes: one u32. */
  readonly runs: View;
  /** The keys' length where it is left out. */
  readonly count?: Count;
}

/** Something done for each run of equal neighbouring keys; the number of runs stays on the GPU. */
export interface Runs {
  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: RunOperands): void;
}

/** The values of each run, combined in order. 36 bytes an element with chained scans. */
export function createReduceByKey(
  gpu: GpuContext,
  keyType: ScalarType,
  type: ScalarType,
  operator: BinaryOperator,
  strategy: PrimitiveStrategy,
): Promise<Runs> {
  return createRuns(gpu, keyType, "last", strategy, { type, operator, segments: keyType });
}

/** The length of each run, as u32. */
export function createRunLengthEncode(
  gpu: GpuContext,
  keyType: ScalarType,
  strategy: PrimitiveStrategy,
): Promise<Runs> {
  const one = { name: "one", js: () => 1, wgsl: "1u + 0u * bitcast<u32>(x)" };
  const ones: ScanKernel = {
    type: "u32",
    operator: add,
    segments: keyType,
    transform: one,
    inputType: keyType,
  };
  return createRuns(gpu, keyType, "last", strategy, ones);
}

/** The first value of each run. */
export function createUniqueByKey(
  gpu: GpuContext,
  keyType: ScalarType,
  strategy: PrimitiveStrategy,
): Promise<Runs> {
  return createRuns(gpu, keyType, "first", strategy);
}

/** The keys of the runs alone. */
export function createUnique(
  gpu: GpuContext,
  keyType: ScalarType,
  strategy: PrimitiveStrategy,
): Promise<Runs> {
  return createRuns(gpu, keyType, "none", strategy);
}

async function createRuns(
  gpu: GpuContext,
  keyType: ScalarType,
  kept: KeptValue,
  strategy: PrimitiveStrategy,
  byKey?: ScanKernel,
): Promise<Runs> {
  const numbering: ScanKernel = { type: "u32", operator: add, segments: keyType, countsHeads: true };
  const [number, combine, scatter] = await Promise.all([
    createScan(gpu, numbering, strategy),
    byKey && createScan(gpu, byKey, strategy),
    gpu.pipelines.get({
      label: `scatter runs of ${keyType}`,
      code: scatterCode(keyType, kept),
      entryPoint: "scatter_runs",
    }),
  ]);
  return {
    record(recorder, operands) {
      const { keys, values = keys, keysOut, valuesOut, runs, count = keys.length } = operands;
      const outputs = [keysOut, runs, ...(valuesOut ? [valuesOut] : [])];
      for (const view of [keys, values, ...outputs]) checkView(gpu.device, "A view of runs", view);
      checkApart("An operation on runs", [keys, values], outputs);
      const most = Math.min(mostOf(count), keys.length, values.length);
      recorder.scratch(() => {
        const column = (label: string): View => {
          const length = Math.max(4, Math.ceil(most / 4) * 4);
          return { buffer: recorder.workspace(label, length * 4), offset: 0, length };
        };
        const places = column("places of runs");
        number.record(recorder, { segments: keys, output: places, count });
        const taken = combine
          ? scanValues(recorder, combine, values, keys, column("scan of runs"), count)
          : values;
        const bound = bindCount(recorder, count);
        const views = [keys, taken, keysOut, valuesOut, runs].map((view) => view && bindView(view));
        const [from, value, to, valueTo, total] = views;
        const parameters = recorder.parameters([bound.word, most, ...views.map((view) => view?.lead ?? 0)]);
        const hasValues = kept !== "none";
        recorder.dispatch(
          scatter,
          [
            parameters,
            bound.resource,
            from!.resource,
            bindView(places).resource,
            to!.resource,
            total!.resource,
            hasValues ? value!.resource : undefined,
            hasValues ? valueTo!.resource : undefined,
          ],
          Math.max(1, Math.ceil(most / scatterThreads)),
        );
      });
    },
  };
}

function scanValues(
  recorder: Recorder,
  scan: Scan,
  input: View,
  segments: View,
  output: View,
  count: Count,
): View {
  scan.record(recorder, { input, segments, output, count });
  return output;
}
