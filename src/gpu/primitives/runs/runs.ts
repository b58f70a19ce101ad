import type { Operator } from "../../../core/primitives/functions.ts";
import { add } from "../../../core/primitives/operators.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { Recorder } from "../../compute/recorder.ts";
import type { Count, View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import type { TileKernel } from "../scan/options.ts";
import { createTiles } from "../scan/tiles.ts";

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

/**
 * The values of each run, combined in order, or the position of one of them. Chained: one dispatch, 8 bytes an element and 8 a run. `silent`: see
 * createScan.
 */
export function createReduceByKey(
  gpu: GpuContext,
  keyType: ScalarType,
  type: ScalarType,
  operator: Operator,
  strategy: PrimitiveStrategy,
  silent = 0,
): Promise<Runs> {
  return createRuns(gpu, { type, operator, segments: keyType, runs: "combined" }, strategy, silent);
}

/** The length of each run, as u32. Chained: one dispatch, 4 bytes an element and 8 a run. */
export function createRunLengthEncode(
  gpu: GpuContext,
  keyType: ScalarType,
  strategy: PrimitiveStrategy,
): Promise<Runs> {
  return createRuns(gpu, { type: "u32", operator: add, segments: keyType, runs: "lengths" }, strategy);
}

/** The first value of each run. Chained: one dispatch, 4 bytes an element and 12 a run. */
export function createUniqueByKey(
  gpu: GpuContext,
  keyType: ScalarType,
  strategy: PrimitiveStrategy,
): Promise<Runs> {
  return createRuns(gpu, { type: "u32", operator: add, segments: keyType, runs: "first" }, strategy);
}

/** The keys of the runs alone. Chained: one dispatch, 4 bytes an element and 4 a run. `silent`: see createScan. */
export function createUnique(
  gpu: GpuContext,
  keyType: ScalarType,
  strategy: PrimitiveStrategy,
  silent = 0,
): Promise<Runs> {
  return createRuns(gpu, { type: "u32", operator: add, segments: keyType, runs: "keys" }, strategy, silent);
}

async function createRuns(
  gpu: GpuContext,
  kernel: TileKernel,
  strategy: PrimitiveStrategy,
  silent = 0,
): Promise<Runs> {
  const tiles = await createTiles(gpu, kernel, strategy, silent);
  const usesValues = kernel.runs === "combined" || kernel.runs === "first";
  return {
    record(recorder, { keys, values, keysOut, valuesOut, runs, count = keys.length }) {
      const operands = {
        input: usesValues ? values : undefined,
        segments: keys,
        output: kernel.runs === "keys" ? undefined : valuesOut,
        keysOut,
        runs,
      };
      tiles.record(recorder, "An operation on runs", operands, count);
    },
  };
}
