import type { GpuContext } from "../../device/context.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { clearWords, countAllDigits, scanDigits } from "./kernels/count-digits.ts";
import { type FixedPass, fixedSweep } from "./kernels/fixed-sweep.ts";
import { sweepDigits } from "./kernels/onesweep.ts";
import { gatherCode, invertCode } from "./kernels/permute.ts";
import { countDigits, scanCounts, scatterDigits } from "./kernels/reduce-then-scan.ts";
import { sortAlone } from "./kernels/sort-alone.ts";
import {
  digitBits,
  type FixedForm,
  type FixedForms,
  type FixedShape,
  fixedShape,
  formsOf,
  loneShape,
  maxPasses,
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
  /** Passes by their numbers where all bits count; those above where there is none. */
  readonly whole: readonly (GPUComputePipeline | undefined)[];
  readonly wholeOrdered: readonly (GPUComputePipeline | undefined)[];
}

export interface SweepPipelines {
  readonly clear: GPUComputePipeline;
  readonly count: GPUComputePipeline;
  readonly scan: GPUComputePipeline;
  readonly keys: SweepPasses;
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
  readonly forms?: FixedForms;
}

/** Compiles the sort's kernels for a tile shape, once a device. */
export async function sortPipelines(
  gpu: GpuContext,
  shape: TileShape,
  strategy: PrimitiveStrategy,
  { silent = 0, forms = formsOf(gpu.device) }: SortOverrides = {},
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
    const lone = loneShape(gpu.device);
    const [clear, count, scan, keys, pairs, loneKeys, lonePairs] = await Promise.all([
      get("clear_words", clearWords),
      get("count_all_digits", countAllDigits),
      get("scan_digits", scanDigits),
      passesOf(forms.keys, false),
      passesOf(forms.pairs, true),
      get("sort_alone", sortAlone(lone, false)),
      get("sort_alone", sortAlone(lone, true)),
    ]);
    return { sweep: { clear, count, scan, keys, pairs, lone, loneKeys, lonePairs } };
  }

  function passesOf(form: FixedForm | undefined, withValues: boolean): Promise<SweepPasses> {
    const fixed = form && fixedShape(gpu.device, form);
    return fixed ? fixedPasses(fixed, withValues) : anyPasses(withValues);
  }

  async function anyPasses(withValues: boolean): Promise<SweepPasses> {
    const shape = sweepShape(gpu.device);
    const sweep = (areOrdered: boolean) =>
      get("sweep_digits", sweepDigits(shape, withValues, areOrdered, silent));
    const [any, ordered] = await Promise.all([sweep(false), sweep(true)]);
    return { size: sweepSize(shape), any, ordered, whole: [], wholeOrdered: [] };
  }

  async function fixedPasses(shape: FixedShape, withValues: boolean): Promise<SweepPasses> {
    const sweep = (pass: Pick<FixedPass, "areOrdered" | "order" | "shift">) =>
      get("sweep_digits", fixedSweep(shape, { withValues, ...pass }, silent));
    const shiftOf = (pass: number) => (shape.hasOwnKernels ? digitBits * pass : undefined);
    const byArrival = !withValues && shape.ranking === "arrival";
    const later = byArrival ? "by lower bits" : "kept";
    const wholePass = (pass: number) => {
      const order = withValues ? "kept" : pass === 0 ? "any" : later;
      return sweep({ areOrdered: true, order, shift: shiftOf(pass) });
    };
    const [any, ordered, first, ...wholeOrdered] = await Promise.all([
      sweep({ areOrdered: false, order: "kept" }),
      sweep({ areOrdered: true, order: "kept" }),
      withValues ? undefined : sweep({ areOrdered: false, order: "any" }),
      ...Array.from({ length: maxPasses }, (_, pass) => wholePass(pass)),
    ]);
    const last = byArrival ? await sweep({ areOrdered: false, order: later }) : undefined;
    return { size: sweepSize(shape), any, ordered, whole: [first, undefined, undefined, last], wholeOrdered };
  }
}
