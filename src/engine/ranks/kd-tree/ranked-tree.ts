import type { Words } from "../../../algorithms/kd-tree/level.ts";
import { firstLevel, treeLevels } from "../../../algorithms/kd-tree/tree-levels.ts";
import { withVectors } from "../../../algorithms/vectors.ts";
import { depthOf, type KdTree, levelsOf } from "../../../core/kd-tree/kd-tree.ts";
import { type Subtree, subtreesAt } from "../../../core/kd-tree/subtrees.ts";
import type { Primitives } from "../../../core/primitives/primitives.ts";
import type { ScalarType, Vector } from "../../../core/primitives/vector.ts";
import type { DistributedPrimitives } from "../../../distributed/api.ts";
import { boxOf } from "./boxes.ts";

/** What a rank has of a left-balanced KD-tree, with alternating axes, of the points of all ranks. */
export interface RankedTree {
  readonly dimensions: number;
  /** This rank's subtrees, from left to right, and the nodes that are their roots; ids count through all ranks' points. */
  readonly subtrees: readonly { readonly root: number; readonly tree: KdTree }[];
  /** For each rank the boxes of its subtrees, in their order. */
  readonly boxes: readonly Float32Array[];
}

/** The primitives of a rank, and those of all ranks together. */
export interface RankPrimitives {
  readonly rank: number;
  readonly size: number;
  readonly local: Primitives;
  readonly all: DistributedPrimitives;
  /** `subtreeOrder` (cpu/kd-tree): the fused build of this rank's subtrees, on its device. */
  orderOf(ranks: readonly Uint32Array[], rootAxis: number): Uint32Array | Promise<Uint32Array>;
}

/** Levels that are divided once parts could be each rank's own: subtrees of about a quarter of a part make parts even. */
const levelsForEvenParts = 2;

/**
 * The tree that one rank would make of all points, of which each rank passes its coordinates along each axis. A collective
 * call. All ranks divide the levels above the subtrees together; each builds its own subtrees alone.
 */
export function buildRankedTree(
  { rank, size, local, all, orderOf }: RankPrimitives,
  coordinates: readonly Float32Array<ArrayBuffer>[],
): Promise<RankedTree> {
  const dimensions = coordinates.length;
  return withVectors(async (vectors) => {
    const along = [];
    for (const part of coordinates) along.push(await vectors.hold(all.fromParts("f32", part)));
    const points = along[0].length;
    if (points === 0) return { dimensions, subtrees: [], boxes: Array(size).fill(new Float32Array(0)) };
    const levels =
      size === 1 ? 0 : Math.min(levelsOf(points), Math.ceil(Math.log2(size)) + levelsForEvenParts);
    const root = await firstLevel(all, vectors, along);
    const upper = await treeLevels(all, vectors, root, { levels });

    const shares = sharesOf(subtreesAt(levels, points), points, size);
    const lengths = shares.map((share) => share.reduce((sum, { size }) => sum + size, 0));
    const dealt = async (vector: Words) => vectors.hold(all.rebalance(vector, lengths));
    const own = async <T extends ScalarType>(vector: Vector<T>) =>
      local.toHost(await vectors.hold(all.localPart(vector)));
    const ids = await dealt(upper.moved[0]);
    const part: Part = { ids: await own(ids), ranks: [], along: [] };
    for (const each of upper.ranks) part.ranks.push(await own(await dealt(each)));
    for (const each of along) part.along.push(await own(await vectors.hold(all.gather(ids, each))));
    const subtrees = await treesOf(shares[rank], part, orderOf);
    return { dimensions, subtrees, boxes: await allBoxes(all, dimensions, subtrees) };
  });
}

/** The points of a rank, from left to right in the tree. */
interface Part {
  readonly ids: Uint32Array;
  /** Along each axis, in their subtree. */
  readonly ranks: Uint32Array[];
  /** Coordinates along each axis. */
  readonly along: Float32Array[];
}

/** Subtrees of each rank: neighbours, about as many points as other ranks have. */
function sharesOf(subtrees: readonly Subtree[], points: number, size: number): (readonly Subtree[])[] {
  const cuts = Array.from({ length: size + 1 }, (_, rank) => {
    const wanted = (points * rank) / size;
    const next = subtrees.findIndex(({ first }) => first >= wanted);
    if (next <= 0) return next < 0 ? subtrees.length : 0;
    const isNearer = wanted - subtrees[next - 1].first < subtrees[next].first - wanted;
    return isNearer ? next - 1 : next;
  });
  return cuts.slice(1).map((cut, rank) => subtrees.slice(cuts[rank], cut));
}

async function treesOf(
  subtrees: readonly Subtree[],
  { ids, ranks, along }: Part,
  orderOf: RankPrimitives["orderOf"],
): Promise<RankedTree["subtrees"]> {
  const dimensions = along.length;
  const trees = [];
  let from = 0;
  for (const { node: root, size } of subtrees) {
    const rootAxis = depthOf(root) % dimensions;
    const order = await orderOf(
      ranks.map((each) => each.subarray(from, from + size)),
      rootAxis,
    );
    const tree = { points: new Float32Array(dimensions * size), ids: new Uint32Array(size) };
    for (let node = 0; node < size; node++) {
      const place = from + order[node];
      tree.ids[node] = ids[place];
      for (let axis = 0; axis < dimensions; axis++)
        tree.points[dimensions * node + axis] = along[axis][place];
    }
    trees.push({ root, tree: { dimensions, ...tree, rootAxis } });
    from += size;
  }
  return trees;
}

/** The boxes of each rank's subtrees, on all ranks. */
async function allBoxes(
  all: DistributedPrimitives,
  dimensions: number,
  subtrees: RankedTree["subtrees"],
): Promise<readonly Float32Array[]> {
  const own = new Float32Array(2 * dimensions * subtrees.length);
  for (const [t, { tree }] of subtrees.entries()) own.set(boxOf(tree), 2 * dimensions * t);
  const gathered = await all.fromParts("f32", own);
  const boxes = await all.toHost(gathered);
  const offsets = all.offsets(gathered);
  gathered.release();
  return offsets.slice(1).map((end, rank) => boxes.subarray(offsets[rank], end));
}
