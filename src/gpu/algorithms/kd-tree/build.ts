import { type AxisRule, levelsOf } from "../../../core/kd-tree/kd-tree.ts";
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
  /** The points in the order of the tree's nodes. */
  readonly nodes: View;
  /** u32: where each node's point is in `points`. */
  readonly ids: View;
  /** 2 bits a node, 16 nodes a word, the first lowest: where axes are the widest. */
  readonly axes?: View;
}

/** Workgroups of kernels that loop over what there is. */
const loopGroups = 4096;

/**
 * Builds a left-balanced KD-tree on the GPU: what `buildKdTree` of the primitives builds, to the bit. One sort an axis gives the points'
 * order along it; then each level divides the lists of the other axes as it divides its own, stably, until
 * segments fit a workgroup. Nothing is read back, and no workgroup waits for another but in the sort. Beside points and
 * results it takes 20 bytes a point of workspace.
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

  #build(recorder: Recorder, { points, nodes, ids, axes }: BuildOperands): void {
    const { dimensions, lone, isWidest } = this.#shape;
    const n = points.length;
    const words = (label: string, length: number): View => {
      return { buffer: recorder.workspace(`KD-tree: ${label}`, 4 * length), offset: 0, length };
    };
    const order = words("order", n);
    // Results keep what is to be sorted, and a list, until they are written.
    const column = { ...ids, length: n };
    const lists: View[] = [words("list of axis 0", n), { ...nodes, length: n }];
    if (dimensions === 3) lists.push(words("list of axis 2", n));
    this.#takeColumn(recorder, points, 0, column);
    this.#sort.recordArgsort(recorder, { type: "f32", count: n, keys: column, order });
    for (let axis = 1; axis < dimensions; axis++) {
      this.#takeColumn(recorder, points, axis, column, order);
      this.#sort.recordArgsort(recorder, { type: "f32", count: n, keys: column, order: lists[axis] });
    }
    const mask = words("mask", Math.ceil(n / 32));
    const firstList = bindView(lists[0]);
    recorder.dispatch(
      this.#pipelines.beginLists,
      [recorder.parameters([n, firstList.lead, mask.length]), firstList.resource, bound(mask)],
      loopsOf(n),
    );
    if (axes) recorder.encoder.clearBuffer(axes.buffer, axes.offset * 4, Math.ceil(n / axesPerWord) * 4);

    let spare = words("spare list", n);
    const from = bindView(points, dimensions);
    const to = bindView(ids);
    const noted = axes && bindView(axes);
    const outputs = noted ? [noted.resource, from.resource] : [];
    const parametersOf = (level: number, tiles: number, [own, list, result]: ListLeads, cleared = 0) => {
      const leads = lists.map((view) => bindView(view).lead);
      const [ownTo, ownFrom, ownAxes] = [to.lead, from.lead, noted?.lead ?? 0];
      const known = [
        n,
        level,
        tiles,
        level % dimensions,
        own,
        list,
        result,
        ownTo,
        ownFrom,
        ownAxes,
        cleared,
      ];
      return recorder.parameters([...known, ...leads]);
    };
    const boundLists = () => {
      const resources = lists.map((view) => bindView(view).resource);
      return dimensions === 3 ? resources : [...resources, undefined];
    };
    const { placeNodes, markSides, countLeft, divideList, divideAlone } = this.#pipelines;
    let most = n;
    let level = 0;
    for (; most > lone; level++) {
      const tiles = Math.ceil(most / tileSize);
      const slots = tiles * 2 ** level;
      recorder.scratch(() => {
        const pivots = bound(words("nodes", 2 * 2 ** level));
        const sides = bound(words("sides", slots * tileWords));
        const counts = bound(words("tiles", slots));
        const whole = parametersOf(level, tiles, noList);
        recorder.dispatch(
          placeNodes,
          [whole, pivots, ...boundLists(), bound(order), to.resource, ...outputs],
          Math.ceil(2 ** level / threads),
        );
        const axis = isWidest ? -1 : level % dimensions;
        if (axis !== 0) {
          const rightTiles = Math.ceil(leftBalanced.left(most) / tileSize);
          recorder.dispatch(
            markSides,
            [parametersOf(level, rightTiles, noList), pivots, ...boundLists(), bound(mask)],
            rightTiles * 2 ** level,
          );
        }
        const divided = lists.map((_, own) => own).filter((own) => own !== axis);
        for (const own of divided) {
          const [list, result] = [bindView(lists[own]), bindView(spare)];
          const isLast = own === divided.at(-1);
          const leads: ListLeads = [own, list.lead, result.lead];
          const words = parametersOf(level, tiles, leads, isLast && axis !== 0 ? mask.length : 0);
          recorder.dispatch(countLeft, [words, pivots, list.resource, bound(mask), sides, counts], slots);
          const divide = [words, pivots, list.resource, sides, counts, result.resource, bound(mask)];
          recorder.dispatch(divideList, divide, slots);
          [lists[own], spare] = [spare, lists[own]];
        }
      });
      most = leftBalanced.left(most);
    }
    recorder.dispatch(
      divideAlone,
      [parametersOf(level, 1, noList), undefined, ...boundLists(), bound(order), to.resource, ...outputs],
      Math.min(2 ** level, 2 ** (levelsOf(n) - 1)),
    );
    const [nodesTo, idsFrom] = [bindView(nodes, dimensions), bindView({ ...ids, length: n })];
    recorder.dispatch(
      this.#pipelines.takePoints,
      [
        recorder.parameters([n, from.lead, idsFrom.lead, nodesTo.lead]),
        from.resource,
        idsFrom.resource,
        nodesTo.resource,
      ],
      loopsOf(n),
    );
  }

  #takeColumn(recorder: Recorder, points: View, axis: number, column: View, order?: View): void {
    const [from, to] = [bindView(points, this.#shape.dimensions), bindView(column)];
    const words = recorder.parameters([points.length, axis, from.lead, to.lead]);
    const { takeColumn, takeOrdered } = this.#pipelines;
    recorder.dispatch(
      order ? takeOrdered : takeColumn,
      [words, from.resource, to.resource, ...(order ? [bound(order)] : [])],
      loopsOf(points.length),
    );
  }
}

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
