import type { GpuContext } from "../../device/context.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { clearWords, countAllDigits, scanDigits } from "./kernels/count-digits.ts";
import { sweepDigits } from "./kernels/onesweep.ts";
import { gatherCode, invertCode } from "./kernels/permute.ts";
import { countDigits, scanCounts, scatterDigits } from "./kernels/reduce-then-scan.ts";
import { sortAlone } from "./kernels/sort-alone.ts";
import { type KeysPass, sweepKeys } from "./kernels/sweep-keys.ts";
import {
  type KeysForm,
  type KeysShape,
  keysForm,
  keysShape,
  loneShape,
  type SweepShape,
  sweepShape,
  sweepSize,
  type TileShape,
} from "./shape.ts";

export interface InOrderPipelines {
  readonly count: GPUComputePipeline;
  readonly scan: GPUComputePipeline;
  readonly scatterKeys: GPUComputePipeline;
  readonly scatterPairs: GPUComputePipeline;
}

/** The passes of sorts of keys, or of pairs. */
export interface SweepPasses {
  /** Keys of a tile. */
  readonly size: number;
  /** Any pass. */
  readonly any: GPUComputePipeline;
  /** A pass whose ends are ordered keys, and whose values are not the elements' indices. */
  readonly ordered: GPUComputePipeline;
}

/** The passes of sorts of keys by all bits. */
export interface KeysPasses {
  readonly size: number;
  readonly first: GPUComputePipeline;
  readonly firstOrdered: GPUComputePipeline;
  readonly last: GPUComputePipeline;
  /** Those between, and the last one where its result is ordered keys. */
  readonly laterOrdered: GPUComputePipeline;
}

export interface SweepPipelines {
  readonly clear: GPUComputePipeline;
  readonly count: GPUComputePipeline;
  readonly scan: GPUComputePipeline;
  readonly keys: SweepPasses;
  /** Undefined where those of any bits are as fast. */
  readonly wholeKeys: KeysPasses | undefined;
  readonly pairs: SweepPasses;
  /** What one workgroup sorts alone. */
  readonly lone: SweepShape;
  readonly loneKeys: GPUComputePipeline;
  readonly lonePairs: GPUComputePipeline;
}

/** One of the two forms of passes, and what permutations need. */
export interface SortPipelines {
  readonly inOrder?: InOrderPipelines;
  readonly sweep?: SweepPipelines;
  readonly gather: GPUComputePipeline;
  readonly invert: GPUComputePipeline;
}

/** What tests choose otherwise. */
export interface SortOverrides {
  /** Every so manyth tile of OneSweep posts nothing: a simulated stall. */
  readonly silent?: number;
  /** The form of passes over all bits of keys. */
  readonly keys?: KeysForm;
}

/** Compiles the sort's kernels for a tile shape, once a device. */
export async function sortPipelines(
  gpu: GpuContext,
  shape: TileShape,
  strategy: PrimitiveStrategy,
  { silent = 0, keys: form = keysForm(gpu.device) }: SortOverrides = {},
): Promise<SortPipelines> {
  const get = (entryPoint: string, code: string) =>
    gpu.pipelines.get({ label: `sort: ${entryPoint}`, code, entryPoint });
  const sweeps = strategy.subgroups && strategy.scan === "chained";
  const [gather, invert, passes] = await Promise.all([
    get("gather", gatherCode),
    get("invert", invertCode),
    sweeps ? sweeping() : inOrder(),
  ]);
  return { gather, invert, ...passes };

  async function inOrder(): Promise<{ inOrder: InOrderPipelines }> {
    const [count, scan, scatterKeys, scatterPairs] = await Promise.all([
      get("count_digits", countDigits(shape)),
      get("scan_counts", scanCounts(shape)),
      get("scatter_digits", scatterDigits(shape, false)),
      get("scatter_digits", scatterDigits(shape, true)),
    ]);
    return { inOrder: { count, scan, scatterKeys, scatterPairs } };
  }

  async function sweeping(): Promise<{ sweep: SweepPipelines }> {
    const lone = loneShape(gpu);
    const whole = form && keysShape(gpu.device, form);
    const [clear, count, scan, keys, wholeKeys, pairs, loneKeys, lonePairs] = await Promise.all([
      get("clear_words", clearWords),
      get("count_all_digits", countAllDigits),
      get("scan_digits", scanDigits),
      sweepPasses(false),
      whole && keysPasses(whole),
      sweepPasses(true),
      get("sort_alone", sortAlone(lone, false)),
      get("sort_alone", sortAlone(lone, true)),
    ]);
    return { sweep: { clear, count, scan, keys, wholeKeys, pairs, lone, loneKeys, lonePairs } };
  }

  async function sweepPasses(withValues: boolean): Promise<SweepPasses> {
    const shape = sweepShape(gpu);
    const sweep = (areOrdered: boolean) =>
      get("sweep_digits", sweepDigits(shape, withValues, areOrdered, silent));
    const [any, ordered] = await Promise.all([sweep(false), sweep(true)]);
    return { size: sweepSize(shape), any, ordered };
  }

  async function keysPasses(shape: KeysShape): Promise<KeysPasses> {
    const sweep = (pass: KeysPass) => get("sweep_digits", sweepKeys(shape, pass, silent));
    const [first, firstOrdered, last, laterOrdered] = await Promise.all([
      sweep({ areOrdered: false, isFirst: true }),
      sweep({ areOrdered: true, isFirst: true }),
      sweep({ areOrdered: false, isFirst: false }),
      sweep({ areOrdered: true, isFirst: false }),
    ]);
    return { size: sweepSize(shape), first, firstOrdered, last, laterOrdered };
  }
}
