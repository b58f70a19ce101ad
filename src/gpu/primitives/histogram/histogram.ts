import { badArgument } from "../../../core/primitives/checks.ts";
import { type EvenBins, evenBins } from "../../../core/primitives/histogram.ts";
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
import { toWord } from "../base/operator-wgsl.ts";
import { typeNumbers } from "../base/order.ts";
import { blockSize, clearCode, copiesOf, countCode, threads } from "./code.ts";

interface HistogramOperands {
  readonly input: View;
  /** u32 counts, one for each bin, in a buffer that is not read. */
  readonly output: View;
  /** The input's length where it is left out. */
  readonly count?: Count;
  /** Adds to the counts that the output has. */
  readonly adds?: boolean;
}

export interface EvenHistogramOperands extends HistogramOperands {
  /** The output's length is the number of bins. */
  readonly low: number;
  readonly high: number;
}

export interface RangeHistogramOperands extends HistogramOperands {
  /** What `edgesOf` made: ascending elements of the input's type, at most one more than there are bins. */
  readonly edges: View;
}

export interface Histogram<Operands> {
  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: Operands): void;
}

/** Workgroups at most: each adds its counters to the result. */
const maxGroups = 1024;

/**
 * Counts elements in equal parts of [low, high), as `binOf` (core) numbers them. 4 bytes an element. Up to 4096 bins
 * are counted in workgroup memory, in up to 32 copies; more in the result.
 */
export async function createHistogramEven(
  gpu: GpuContext,
  type: ScalarType,
): Promise<Histogram<EvenHistogramOperands>> {
  const pipelines = await compile(gpu, type);
  return {
    record(recorder, operands) {
      const { output, low, high } = operands;
      const bins = evenBins(type, low, high, output.length);
      checkHistogram(gpu, operands);
      const kind = { copies: copiesOf("even", output.length), words: wordsOf(bins), edges: undefined };
      recordCounts(recorder, pipelines, operands, kind, bins.least >= bins.beyond);
    },
  };
}

/**
 * Counts elements in [edge k, edge k + 1). 4 bytes an element, and a search among the edges, of which 2047 are in
 * workgroup memory. Up to 2048 bins are counted there too; more in the result.
 */
export async function createHistogramRange(
  gpu: GpuContext,
  type: ScalarType,
): Promise<Histogram<RangeHistogramOperands>> {
  const pipelines = await compile(gpu, "range");
  return {
    record(recorder, operands) {
      const { output, edges } = operands;
      checkHistogram(gpu, operands, [edges]);
      if (output.length < 1 || edges.length > output.length + 1) {
        throw badArgument(
          `A histogram was given ${edges.length} edges and ${output.length} bins.`,
          "Give it one bin less than edges.",
        );
      }
      const words = [0, 0, 0, 0, 0, typeNumbers[type], edges.length];
      const kind = { copies: copiesOf("range", output.length), words, edges };
      recordCounts(recorder, pipelines, operands, kind, edges.length === 0);
    },
  };
}

interface Pipelines {
  readonly clear: GPUComputePipeline;
  readonly count: GPUComputePipeline;
}

async function compile(gpu: GpuContext, kind: ScalarType | "range"): Promise<Pipelines> {
  const get = (code: string, entryPoint: string) =>
    gpu.pipelines.get({ label: `histogram, ${kind}: ${entryPoint}`, code, entryPoint });
  const [clear, count] = await Promise.all([
    get(clearCode, "clear_bins"),
    get(countCode(kind), "count_bins"),
  ]);
  return { clear, count };
}

function checkHistogram(
  gpu: GpuContext,
  { input, output, count = input.length }: HistogramOperands,
  others: readonly View[] = [],
): void {
  const inputs = [input, ...others];
  for (const view of [...inputs, output]) checkView(gpu.device, "A histogram's view", view);
  checkApart("A histogram", [...inputs, count], [output]);
  checkAtLeast("A histogram", maxOf(count), input);
}

/** least, end, shift, scale and mask of the kernel's parameters. */
function wordsOf({ type, least, beyond, shift, scale, step }: EvenBins): number[] {
  const factors = [toWord("f32", shift), toWord("f32", scale)];
  if (type === "f32") {
    return [toWord(type, least), toWord(type, beyond), ...factors, toWord(type, beyond - least)];
  }
  const lowest = type === "i32" ? -(2 ** 31) : 0;
  return [least - lowest, beyond - least - 1, ...factors, -step >>> 0];
}

interface Kind {
  readonly copies: number;
  /** Parameters from `least` on. */
  readonly words: readonly number[];
  readonly edges: View | undefined;
}

function recordCounts(
  recorder: Recorder,
  { clear, count: counting }: Pipelines,
  { input, output, count = input.length, adds }: HistogramOperands,
  { copies, words, edges }: Kind,
  isEmpty: boolean,
): void {
  const most = Math.min(maxOf(count), input.length);
  recorder.scratch(() => {
    const bound = bindCount(recorder, count);
    const [source, target] = [bindView(input), bindView(output)];
    const limits = edges && bindView(edges);
    const parameters = recorder.parameters([
      bound.word,
      most,
      source.lead,
      target.lead,
      output.length,
      copies,
      ...words,
      ...(limits ? [limits.lead] : []),
    ]);
    if (!adds) recorder.dispatch(clear, [parameters, target.resource], Math.ceil(output.length / threads));
    if (isEmpty || most === 0) return;
    // Too short for a quad: any binding that is long enough serves, since none is read.
    const quads = source.lead + most < 4 ? recorder.parameters([]) : source.resource;
    recorder.dispatch(
      counting,
      [parameters, bound.resource, quads, source.resource, target.resource, limits?.resource],
      Math.min(maxGroups, Math.ceil((source.lead + most) / blockSize)),
    );
  });
}
