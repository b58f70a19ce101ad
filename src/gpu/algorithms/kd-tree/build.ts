import type { AxisRule } from "../../../core/kd-tree/kd-tree.ts";
import { leftBalanced } from "../../../core/kd-tree/splits.ts";
import { badArgument } from "../../../core/primitives/checks.ts";
import type { GpuContext } from "../../device/context.ts";
import type { Recorder } from "../../primitives/base/recorder.ts";
import type { PrimitiveStrategy } from "../../primitives/base/strategy.ts";
import {
  type BoundView,
  bindView,
  checkApart,
  checkAtLeast,
  checkView,
  type View,
} from "../../primitives/base/view.ts";
import { createRadixSort, type RadixSort } from "../../primitives/sort/radix-sort.ts";
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
  /**
   * The points in the order of the tree's nodes, whose memory is worked in until then. Where it has 64 nodes more than
   * there are points, there is less workspace.
   */
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
 * until segments fit a workgroup. Nothing is read back, and no workgroup waits for another but in the sort. Where axes
 * alternate it takes 5 to 8 bytes a point beside points and results, 13 where nodes have no room to spare.
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
    const order = workspace(recorder, "order", n);
    const lists = this.#sortAxes(recorder, operands, order);
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
   * The lists of all axes, of points as `order` numbers them: along the first axis. Results keep what they hold. Where
   * the root divides many points by the first axis, the others' lists are sorted apart on both sides, and are divided.
   */
  #sortAxes(recorder: Recorder, { points, nodes, ids }: BuildOperands, order: View): View[] {
    const { dimensions } = this.#shape;
    const n = points.length;
    const kept = new Room(recorder, nodes, dimensions);
    const lists = Array.from({ length: dimensions }, () => kept.take("list", n));
    // The first axis's list, of which nothing is known before all sorts are done, is the last.
    lists.unshift(lists.pop()!);
    const sides = this.#sides(n);
    const isInPlace = sides.every(({ size }) => size > this.#sort.mostAlone);
    // The third coordinates wait where the first axis's list comes: sorts before do not reach so far.
    const keepsThird = isInPlace && lists.length === 3 && lists[0].buffer === nodes.buffer;
    const sort = (axis: number, { start, size }: Side) => {
      // From the list on that is sorted, all of the nodes' memory is free.
      const end = nodes.offset + dimensions * nodes.length;
      const from = axis === 0 ? nodes.offset : lists[axis].offset + start;
      const isKept = axis === 0 || lists[axis].buffer === nodes.buffer;
      const unused = { ...nodes, offset: from, length: isKept ? end - from : 0 };
      const [rest, between] = [new Room(recorder, ids), new Room(recorder, unused)];
      const column = rest.take("column", size);
      const later = part(lists[0], start, size);
      if (!keepsThird || axis === 0) {
        this.#takeColumn(recorder, points, axis, column, axis === 0 ? undefined : { order, start });
      } else if (axis === 1) this.#takeColumns(recorder, points, { order, start }, column, later);
      else this.#addWords(recorder, later, column, 0);
      const request = { type: "f32", count: size, keys: column } as const;
      if (axis === 0 && !isInPlace) this.#sort.recordArgsort(recorder, { ...request, order });
      else if (!isInPlace) {
        const own = workspace(recorder, "order of an axis", size);
        this.#sort.recordArgsort(recorder, { ...request, order: own });
        this.#addWords(recorder, own, part(lists[axis], start, size), start);
      } else {
        const own = axis === 0 ? order : rest.take("order of an axis", size);
        this.#sort.recordArgsortInPlace(recorder, {
          ...request,
          order: own,
          between: { keys: between.take("keys", size), values: between.take("values", size) },
        });
        if (axis > 0) this.#addWords(recorder, own, part(lists[axis], start, size), start);
      }
    };
    recorder.scratch(() => sort(0, { start: 0, size: n }));
    for (let axis = 1; axis < dimensions; axis++) {
      for (const side of sides) recorder.scratch(() => sort(axis, side));
    }
    return lists;
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
      const leads = lists.map((view) => bindView(view).lead);
      const given = [n, level, tiles, level % dimensions, ...own, to, from.lead, noted?.lead ?? 0, cleared];
      return recorder.parameters([...given, ...leads]);
    };
    const boundLists = () => {
      const resources = lists.map((view) => bindView(view).resource);
      return dimensions === 3 ? resources : [...resources, undefined];
    };
    const levels = this.#levels(n);
    const tops = workspace(recorder, "ids of the first levels", 2 ** levels);
    let spare: View = { ...ids, length: n };
    let most = n;
    for (let level = 0; level < levels; level++, most = leftBalanced.left(most)) {
      recorder.scratch(() => {
        const tiles = Math.ceil(most / tileSize);
        const slots = tiles * 2 ** level;
        const pivots = bound(workspace(recorder, "nodes", 2 * 2 ** level));
        const whole = parametersOf(level, tiles, 0);
        const given = [whole, pivots, ...boundLists(), bound(order), bound(tops), ...outputs];
        recorder.dispatch(placeNodes, given, Math.ceil(2 ** level / threads));
        if (level === 0 && !isWidest) return;
        const axis = isWidest ? -1 : level % dimensions;
        if (axis !== 0) {
          const rightTiles = Math.ceil(leftBalanced.left(most) / tileSize);
          recorder.dispatch(
            markSides,
            [parametersOf(level, rightTiles, 0), pivots, ...boundLists(), bound(mask)],
            rightTiles * 2 ** level,
          );
        }
        const sides = bound(workspace(recorder, "sides", slots * tileWords));
        const counts = bound(workspace(recorder, "tiles", slots));
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
      });
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

  /** Levels before segments fit a workgroup. */
  #levels(n: number): number {
    let levels = 0;
    for (let most = n; most > this.#shape.lone; most = leftBalanced.left(most)) levels++;
    return levels;
  }

  #takeColumns(recorder: Recorder, points: View, { order, start }: Ordered, second: View, third: View): void {
    const [from, to, thirdTo] = [bindView(points, 3), bindView(second), bindView(third)];
    const words = recorder.parameters([second.length, from.lead, to.lead, thirdTo.lead, start]);
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
    const words = recorder.parameters([column.length, axis, from.lead, to.lead, ordered?.start ?? 0]);
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
