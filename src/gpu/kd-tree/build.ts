import type { AxisRule } from "../../core/kd-tree/kd-tree.ts";
import { leftBalanced } from "../../core/kd-tree/splits.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { Recorder } from "../compute/recorder.ts";
import { type BoundView, bindView, checkApart, checkAtLeast, checkView, type View } from "../compute/view.ts";
import type { GpuContext } from "../device/context.ts";
import type { PrimitiveStrategy } from "../primitives/base/strategy.ts";
import { createRadixSort, type RadixSort } from "../primitives/sort/radix-sort.ts";
import { axesPerWord } from "./axes.ts";
import { type BuildPipelines, buildPipelines } from "./pipelines.ts";
import { Room } from "./room.ts";
import { type BuildShape, lonePoints, threads, tileSize, tileWords } from "./shape.ts";

export interface BuildOptions {
  readonly dimensions: 2 | 3;
  /** "alternating" where it is left out. */
  readonly axes?: AxisRule;
  /** The most points that a workgroup divides alone: a power of two from 512 on; for measurements. */
  readonly lone?: number;
}

export interface BuildOperands {
  /** f32, `dimensions` a point, interleaved; numbers, not NaN. */
  readonly points: View;
  /** The points in the order of the tree's nodes, whose memory is worked in until then. */
  readonly nodes: View;
  /** u32: where each node's point is in `points`. Worked in, too. */
  readonly ids: View;
  /** 2 bits a node, 16 nodes a word, the first lowest: where axes are the widest. */
  readonly axes?: View;
}

/** Workgroups of kernels that loop over what there is. */
const loopGroups = 4096;

/**
 * Builds a left-balanced KD-tree on the GPU: what `buildKdTree` of the primitives builds, to the bit. One sort an axis
 * gives the points' order along it; then each level divides the lists of the other axes as it divides its own, stably,
 * until segments fit a workgroup. Nothing is read back, and no workgroup waits for another but in the sort. For points
 * in three dimensions it takes 5 to 8 bytes a point beside points and results where axes alternate, 9 to 10 elsewhere.
 */
export class KdTreeBuild {
  readonly #gpu: GpuContext;
  readonly #shape: BuildShape;
  readonly #sort: RadixSort;
  readonly #pipelines: BuildPipelines;

  constructor(gpu: GpuContext, shape: BuildShape, sort: RadixSort, pipelines: BuildPipelines) {
    this.#gpu = gpu;
    this.#shape = shape;
    this.#sort = sort;
    this.#pipelines = pipelines;
  }

  /** Encodes it. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: BuildOperands): void {
    this.#check(operands);
    if (operands.points.length > 0) recorder.scratch(() => this.#build(recorder, operands));
  }

  #check({ points, nodes, ids, axes }: BuildOperands): void {
    const { dimensions, isWidest } = this.#shape;
    const what = "The build of a KD-tree";
    checkView(this.#gpu.device, `${what}: points`, points, dimensions);
    checkView(this.#gpu.device, `${what}: nodes`, nodes, dimensions);
    checkView(this.#gpu.device, `${what}: ids`, ids);
    checkAtLeast(what, points.length, nodes, ids);
    checkApart(what, [points, ids], [nodes]);
    checkApart(what, [points], [ids]);
    if (isWidest !== (axes !== undefined)) {
      throw badArgument(
        `${what} was ${axes ? "" : "not "}given a place for axes.`,
        "Give it one where axes are the widest, and only there.",
      );
    }
    if (!axes) return;
    checkView(this.#gpu.device, `${what}: axes`, axes);
    checkAtLeast(what, Math.ceil(points.length / axesPerWord), axes);
    checkApart(what, [points, nodes, ids], [axes]);
  }

  #build(recorder: Recorder, operands: BuildOperands): void {
    const { points, nodes, ids } = operands;
    const n = points.length;
    const { order, lists } = this.#sortAxes(recorder, operands);
    const tops = this.#divideLevels(recorder, operands, order, lists);
    if (tops) this.#addWords(recorder, tops, part(ids, 0, tops.length), 0);
    const { dimensions } = this.#shape;
    const [from, of, to] = [
      bindView(points, dimensions),
      bindView(part(ids, 0, n)),
      bindView(part(nodes, 0, n), dimensions),
    ];
    recorder.dispatch(
      this.#pipelines.takePoints,
      [recorder.parameters([n, from.lead, of.lead, to.lead]), from.resource, of.resource, to.resource],
      loopsOf(n),
    );
  }

  /**
   * The points' order along the first axis, and the lists of all axes, of points as it numbers them. Where the root divides
   * many points by the first axis, the others' lists are sorted apart on both sides, and are divided.
   *
   * Results keep what they hold. Bindings begin at multiples of 256 bytes, so that parts of a buffer which border on each
   * other cannot be bound together where one of them is written. Of the parts of the nodes' memory the second has the
   * order, which then is only read, and no list borders on another.
   */
  #sortAxes(
    recorder: Recorder,
    { points, nodes, ids }: BuildOperands,
  ): { readonly order: View; readonly lists: View[] } {
    const { dimensions } = this.#shape;
    const n = points.length;
    const own = workspace(recorder, "order", n);
    const [first, middle, last] = [0, n, 2 * n].map((start) => part(nodes, start, n));
    const lists = [own, first, last].slice(0, dimensions);
    const sides = this.#sides(n);
    const isInPlace = sides.every(({ size }) => size > this.#sort.maxAlone);
    // The third coordinates wait where the third axis's list comes.
    const keepsThird = isInPlace && dimensions === 3;
    const free = (start: number, end: number) =>
      new Room(recorder, { ...nodes, offset: nodes.offset + start, length: end - start });
    const none = free(0, 0);
    let order = own;
    const sort = (axis: number, { start, size }: Side, isLast: boolean) => {
      const [rest, list] = [new Room(recorder, ids), part(lists[axis], start, size)];
      const column = rest.take("column", size);
      if (axis === 0) this.#takeColumn(recorder, points, axis, column);
      else if (!keepsThird) this.#takeColumn(recorder, points, axis, column, { order, start });
      else if (axis === 1) {
        this.#takeColumns(recorder, points, { order, start }, column, part(last, start, size));
      } else this.#addWords(recorder, list, column, 0);
      if (axis === 1 && isLast) {
        this.#addWords(recorder, own, middle, 0);
        order = middle;
      }
      const sorted = axis === 0 ? own : (isInPlace ? rest : none).take("order of an axis", size);
      const request = { type: "f32", count: size, keys: column, order: sorted } as const;
      if (!isInPlace) this.#sort.recordArgsort(recorder, request);
      else if (order === own) {
        const room = free(start, axis === 0 ? dimensions * n : 2 * n);
        const between = { keys: room.take("keys", size), values: room.take("values", size) };
        this.#sort.recordArgsortInPlace(recorder, { ...request, between });
      } else {
        const between = { keys: part(own, 0, size), values: list };
        this.#sort.recordArgsortInPlace(recorder, { ...request, between });
      }
      if (axis > 0) this.#addWords(recorder, sorted, list, start);
    };
    recorder.scratch(() => sort(0, { start: 0, size: n }, true));
    for (let axis = 1; axis < dimensions; axis++) {
      for (const side of sides) recorder.scratch(() => sort(axis, side, side === sides.at(-1)));
    }
    return { order, lists };
  }

  /** What is sorted apart: all points, or those left and right of the root. */
  #sides(n: number): readonly Side[] {
    const { isWidest, lone } = this.#shape;
    if (isWidest || n <= lone) return [{ start: 0, size: n }];
    const left = leftBalanced.left(n);
    return [
      { start: 0, size: left },
      { start: left + 1, size: n - left - 1 },
    ];
  }

  /** Divides lists level by level, and returns ids of nodes that are not written to the results yet. */
  #divideLevels(
    recorder: Recorder,
    { points, ids, axes }: BuildOperands,
    order: View,
    lists: View[],
  ): View | undefined {
    const { dimensions, isWidest } = this.#shape;
    const { beginLists, placeNodes, markSides, countLeft, divideList, divideAlone } = this.#pipelines;
    const n = points.length;
    const mask = workspace(recorder, "mask", Math.ceil(n / 32));
    const firstList = bindView(lists[0]);
    recorder.dispatch(
      beginLists,
      [recorder.parameters([n, firstList.lead, mask.length]), firstList.resource, bound(mask)],
      loopsOf(n),
    );
    if (axes) recorder.encoder.clearBuffer(axes.buffer, axes.offset * 4, Math.ceil(n / axesPerWord) * 4);
    const from = bindView(points, dimensions);
    const noted = axes && bindView(axes);
    const outputs = noted ? [noted.resource, from.resource] : [];
    const parametersOf = (level: number, tiles: number, to: number, own: ListLeads = noList, cleared = 0) => {
      const leads = [order, ...lists].map((view) => bindView(view).lead);
      const given = [n, level, tiles, level % dimensions, ...own, to, from.lead, noted?.lead ?? 0, cleared];
      return recorder.parameters([...given, ...leads]);
    };
    const boundLists = () => {
      const resources = lists.map((view) => bindView(view).resource);
      return dimensions === 3 ? resources : [...resources, undefined];
    };
    const largest = this.#largestSegments(n);
    const levels = largest.length;
    const tilesOf = largest.map((most) => Math.ceil(most / tileSize));
    const maxSlots = Math.max(0, ...tilesOf.map((tiles, level) => tiles * 2 ** level));
    const tops = workspace(recorder, "ids of the first levels", 2 ** levels);
    const pivots = bound(workspace(recorder, "nodes", 2 ** levels));
    const sides = bound(workspace(recorder, "sides", maxSlots * tileWords));
    const counts = bound(workspace(recorder, "tiles", maxSlots));
    let spare: View = { ...ids, length: n };
    for (const [level, tiles] of tilesOf.entries()) {
      const slots = tiles * 2 ** level;
      const whole = parametersOf(level, tiles, 0);
      const given = [whole, pivots, ...boundLists(), bound(order), bound(tops), ...outputs];
      recorder.dispatch(placeNodes, given, Math.ceil(2 ** level / threads));
      if (level === 0 && !isWidest) continue;
      const axis = isWidest ? -1 : level % dimensions;
      if (axis !== 0) {
        const rightTiles = Math.ceil(leftBalanced.left(largest[level]) / tileSize);
        recorder.dispatch(
          markSides,
          [parametersOf(level, rightTiles, 0), pivots, ...boundLists(), bound(mask)],
          rightTiles * 2 ** level,
        );
      }
      const divided = lists.map((_, own) => own).filter((own) => own !== axis);
      for (const own of divided) {
        const [list, result] = [bindView(lists[own]), bindView(spare)];
        const cleared = own === divided.at(-1) && axis !== 0 ? mask.length : 0;
        const words = parametersOf(level, tiles, 0, [own, list.lead, result.lead], cleared);
        recorder.dispatch(countLeft, [words, pivots, list.resource, bound(mask), sides, counts], slots);
        const divide = [words, pivots, list.resource, sides, counts, result.resource, bound(mask)];
        recorder.dispatch(divideList, divide, slots);
        [lists[own], spare] = [spare, lists[own]];
      }
    }
    // A list may be where ids are to be written.
    const kept = lists.findIndex(({ buffer }) => buffer === ids.buffer);
    if (kept >= 0) {
      this.#addWords(recorder, lists[kept], spare, 0);
      lists[kept] = spare;
    }
    const to = bindView(part(ids, 0, n));
    recorder.dispatch(
      divideAlone,
      [parametersOf(levels, 1, to.lead), undefined, ...boundLists(), bound(order), to.resource, ...outputs],
      2 ** levels,
    );
    return levels === 0 ? undefined : { ...tops, length: 2 ** levels - 1 };
  }

  /** Points of the largest segment of each level before segments fit a workgroup. */
  #largestSegments(n: number): readonly number[] {
    const largest: number[] = [];
    for (let most = n; most > this.#shape.lone; most = leftBalanced.left(most)) largest.push(most);
    return largest;
  }

  #takeColumns(recorder: Recorder, points: View, { order, start }: Ordered, second: View, third: View): void {
    const [from, to, thirdTo] = [bindView(points, 3), bindView(second), bindView(third)];
    const first = bindView(order).lead + start;
    const words = recorder.parameters([second.length, from.lead, to.lead, thirdTo.lead, first]);
    recorder.dispatch(
      this.#pipelines.takeColumns,
      [words, from.resource, bound(order), to.resource, thirdTo.resource],
      loopsOf(second.length),
    );
  }

  #addWords(recorder: Recorder, source: View, result: View, added: number): void {
    const [from, to] = [bindView(source), bindView(result)];
    recorder.dispatch(
      this.#pipelines.addWords,
      [recorder.parameters([source.length, from.lead, to.lead, added]), from.resource, to.resource],
      loopsOf(source.length),
    );
  }

  #takeColumn(recorder: Recorder, points: View, axis: number, column: View, ordered?: Ordered): void {
    const [from, to] = [bindView(points, this.#shape.dimensions), bindView(column)];
    const first = ordered ? bindView(ordered.order).lead + ordered.start : 0;
    const words = recorder.parameters([column.length, axis, from.lead, to.lead, first]);
    const { takeColumn, takeOrdered } = this.#pipelines;
    recorder.dispatch(
      ordered ? takeOrdered : takeColumn,
      [words, from.resource, to.resource, ...(ordered ? [bound(ordered.order)] : [])],
      loopsOf(column.length),
    );
  }
}

interface Ordered {
  readonly order: View;
  /** Of those that are taken in this order. */
  readonly start: number;
}

/** Points next to each other on the first axis. */
interface Side {
  readonly start: number;
  readonly size: number;
}

const part = ({ buffer, offset }: View, start: number, length: number): View => ({
  buffer,
  offset: offset + start,
  length,
});

const workspace = (recorder: Recorder, label: string, length: number): View => ({
  buffer: recorder.workspace(`KD-tree: ${label}`, 4 * length),
  offset: 0,
  length,
});

/** A list's axis, and words before it where it is read and written. */
type ListLeads = readonly [axis: number, from: number, to: number];
const noList: ListLeads = [0, 0, 0];

const loopsOf = (n: number): number => Math.min(loopGroups, Math.ceil(n / threads));

/** Workspace as a binding. */
const bound = (view: View): BoundView["resource"] => bindView(view).resource;

/** Compiles the build for a device. */
export async function createKdTreeBuild(
  gpu: GpuContext,
  { dimensions, axes = "alternating", lone }: BuildOptions,
  strategy: PrimitiveStrategy,
): Promise<KdTreeBuild> {
  const isWidest = axes === "widest";
  const shape: BuildShape = {
    dimensions,
    isWidest,
    subgroups: strategy.subgroups,
    lone: lonePoints(gpu.device.limits, dimensions, isWidest, lone),
  };
  const [sort, pipelines] = await Promise.all([createRadixSort(gpu, strategy), buildPipelines(gpu, shape)]);
  return new KdTreeBuild(gpu, shape, sort, pipelines);
}
