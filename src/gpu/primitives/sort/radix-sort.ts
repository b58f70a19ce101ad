import { badArgument } from "../../../core/primitives/checks.ts";
import type { SortOptions } from "../../../core/primitives/primitives.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import { type BoundCount, bindCount } from "../../compute/count.ts";
import type { Recorder } from "../../compute/recorder.ts";
import { bindView, type Count, checkApart, checkView, maxOf, type View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import { typeNumbers } from "./ordered-bits.ts";
import { type Ends, recordPasses } from "./passes.ts";
import { type SortOverrides, type SortPipelines, sortPipelines } from "./pipelines.ts";
import { sweepSize, type TileShape, threads, tileShape } from "./shape.ts";
import { isSortRight } from "./trial.ts";

export interface KeysRequest extends SortOptions {
  readonly type: ScalarType;
  readonly count: Count;
  readonly keys: View;
}

export interface SortRequest extends KeysRequest {
  readonly sorted: View;
}

export interface SortPairsRequest extends SortRequest {
  readonly values: View;
  readonly sortedValues: View;
  /** Words of a value, interleaved: 1 to 4. */
  readonly words?: number;
}

export interface SegmentedSortRequest extends SortRequest {
  /** The number of each key's segment, ascending, below `segments`. */
  readonly segmentNumbers: View;
  readonly segments: number;
}

/** Workgroups of kernels that loop over what there is. */
const permuteGroups = 4096;

/**
 * Stable radix sort of u32, i32 and f32 keys by 8-bit digits, inputs left as they are. f32: −0 before +0; every NaN
 * equal and last, and written as the quiet NaN. Descending complements the keys, so that equal keys keep their order.
 * A window of bits counts in the keys' ordered form. A count may be the GPU's. 36 bytes a key with OneSweep, 68 with a
 * value; 48 and 80 with reduce-then-scan.
 */
export class RadixSort {
  readonly #gpu: GpuContext;
  readonly #shape: TileShape;
  readonly #pipelines: SortPipelines;

  constructor(gpu: GpuContext, shape: TileShape, pipelines: SortPipelines) {
    this.#gpu = gpu;
    this.#shape = shape;
    this.#pipelines = pipelines;
  }

  /** Whether it is OneSweep that sorts: keys are read and written once a pass. */
  get isOneSweep(): boolean {
    return this.#pipelines.sweep !== undefined;
  }

  /** Sorts keys. Throws BadArgument and TooLarge before anything is recorded, as do all that follow. */
  record(recorder: Recorder, request: SortRequest): void {
    this.#check(request, [request.keys], [request.sorted]);
    this.#sort(recorder, request, request.sorted, undefined, undefined);
  }

  /** Sorts keys with their values. Values of several words are gathered at the end, by sorted indices. */
  recordPairs(recorder: Recorder, request: SortPairsRequest): void {
    const { keys, sorted, values, sortedValues, words = 1 } = request;
    if (!(words >= 1 && words <= 4)) {
      throw badArgument(`A value has ${words} words.`, "Values have 1 to 4 words.");
    }
    this.#check(request, [keys], [sorted]);
    this.#check(request, [values], [sortedValues], words);
    checkApart("The sort of pairs", [keys, values, sortedValues], [sorted]);
    checkApart("The sort of pairs", [keys, values], [sortedValues]);
    if (words === 1) {
      this.#sort(recorder, request, sorted, values, sortedValues);
      return;
    }
    recorder.scratch(() => {
      const order = wholeWorkspace(recorder, "sort: order", maxOf(request.count));
      const count = this.#sort(recorder, request, sorted, "indices", order);
      this.#permute(recorder, this.#pipelines.gather, count, order, values, sortedValues, words);
    });
  }

  /** order[i] is where the ith of the sorted keys was. */
  recordArgsort(recorder: Recorder, request: KeysRequest & { readonly order: View }): void {
    this.#check(request, [request.keys], [request.order]);
    this.#argsort(recorder, request, request.order);
  }

  /** The most keys that one workgroup sorts, in one dispatch. */
  get maxAlone(): number {
    return this.#pipelines.sweep ? sweepSize(this.#pipelines.sweep.lone) : 0;
  }

  /**
   * As `recordArgsort` of more than `maxAlone` keys by all bits, in the memory of who asks: the keys' own, which are
   * lost, and as much again for keys and order, in other buffers than both.
   */
  recordArgsortInPlace(
    recorder: Recorder,
    request: KeysRequest & { readonly order: View; readonly between: Ends },
  ): void {
    const { keys, order, between, type, count } = request;
    if (request.bits || maxOf(count) <= this.maxAlone) {
      throw badArgument(
        `A sort in place was asked for of ${maxOf(count)} keys${request.bits ? " by some bits" : ""}.`,
        `Give it more than ${this.maxAlone} keys, and sort by all bits.`,
      );
    }
    this.#check(request, [keys, order], [between.keys, between.values]);
    const bound = bindCount(recorder, count);
    recorder.scratch(() =>
      recordPasses(recorder, this.#pipelines, this.#shape, {
        count: bound,
        keys,
        sorted: keys,
        values: "indices",
        sortedValues: order,
        keyType: typeNumbers[type],
        complement: request.descending ? 0xffffffff : 0,
        bits: [0, 32],
        between,
      }),
    );
  }

  /** rank[i] is where the ith key goes. */
  recordRank(recorder: Recorder, request: KeysRequest & { readonly rank: View }): void {
    this.#check(request, [request.keys], [request.rank]);
    recorder.scratch(() => {
      const order = wholeWorkspace(recorder, "sort: order", maxOf(request.count));
      const count = this.#argsort(recorder, request, order);
      this.#permute(recorder, this.#pipelines.invert, count, order, undefined, request.rank, 1);
    });
  }

  /** Sorts within segments: by key, then by segment, which leaves each segment where it was. */
  recordSegmented(recorder: Recorder, request: SegmentedSortRequest): void {
    const { keys, segmentNumbers, sorted, segments, count } = request;
    this.#check(request, [keys, segmentNumbers], [sorted]);
    recorder.scratch(() => {
      const n = maxOf(count);
      const keysByKey = wholeWorkspace(recorder, "sort: keys by key", n);
      const segmentsByKey = wholeWorkspace(recorder, "sort: segments by key", n);
      const sortedSegments = wholeWorkspace(recorder, "sort: segments", n);
      this.#sort(recorder, request, keysByKey, segmentNumbers, segmentsByKey);
      const bySegment: KeysRequest = {
        type: "u32",
        count,
        keys: segmentsByKey,
        bits: [0, 32 - Math.clz32(Math.max(0, segments - 1))],
      };
      this.#sort(recorder, bySegment, sortedSegments, keysByKey, sorted);
    });
  }

  #argsort(recorder: Recorder, request: KeysRequest, order: View): BoundCount {
    return recorder.scratch(() => {
      const sorted = wholeWorkspace(recorder, "sort: sorted keys", maxOf(request.count));
      return this.#sort(recorder, request, sorted, "indices", order);
    });
  }

  #sort(
    recorder: Recorder,
    request: KeysRequest,
    sorted: View,
    values: View | "indices" | undefined,
    sortedValues: View | undefined,
  ): BoundCount {
    const count = bindCount(recorder, request.count);
    if (count.max === 0) return count;
    recorder.scratch(() =>
      recordPasses(recorder, this.#pipelines, this.#shape, {
        count,
        keys: request.keys,
        sorted,
        values,
        sortedValues,
        keyType: typeNumbers[request.type],
        complement: request.descending ? 0xffffffff : 0,
        bits: request.bits ?? [0, 32],
      }),
    );
    return count;
  }

  #permute(
    recorder: Recorder,
    pipeline: GPUComputePipeline,
    count: BoundCount,
    order: View,
    source: View | undefined,
    result: View,
    words: number,
  ): void {
    const [boundOrder, to] = [bindView(order), bindView(result, words)];
    const from = source && bindView(source, words);
    const parameters = recorder.parameters([
      count.word,
      count.max,
      boundOrder.lead,
      from?.lead ?? 0,
      to.lead,
      words,
    ]);
    const sources = from ? [from.resource] : [];
    recorder.dispatch(
      pipeline,
      [parameters, count.resource, boundOrder.resource, ...sources, to.resource],
      Math.min(permuteGroups, Math.ceil((count.max * words) / threads)),
    );
  }

  #check(request: KeysRequest, inputs: readonly View[], outputs: readonly View[], words = 1): void {
    const n = maxOf(request.count);
    const [from, to] = request.bits ?? [0, 32];
    if (!(Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from <= to && to <= 32)) {
      throw badArgument(`The bit window is [${from}, ${to}).`, "It has to lie within [0, 32).");
    }
    for (const view of [...inputs, ...outputs]) {
      checkView(this.#gpu.device, "A vector to sort", view, words);
      if (view.length < n) {
        throw badArgument(
          `A vector to sort has ${view.length} elements, and ${n} were asked for.`,
          "Give every vector at least as many elements as are sorted.",
        );
      }
    }
    checkApart("The sort", [...inputs, request.count], outputs);
  }
}

/**
 * Compiles the sort for a device, once: OneSweep with chained scans where a trial of it is right, reduce-then-scan
 * otherwise.
 */
export async function createRadixSort(
  gpu: GpuContext,
  strategy: PrimitiveStrategy,
  overrides: SortOverrides = {},
): Promise<RadixSort> {
  const shape = tileShape(gpu, strategy.subgroups);
  const sort = new RadixSort(gpu, shape, await sortPipelines(gpu, shape, strategy, overrides));
  if (!strategy.subgroups || strategy.scan !== "chained" || (await isSortRight(gpu, sort))) return sort;
  return createRadixSort(gpu, { ...strategy, scan: "reduce-then-scan" });
}

const wholeWorkspace = (recorder: Recorder, label: string, length: number): View => ({
  buffer: recorder.workspace(label, 4 * length),
  offset: 0,
  length,
});
