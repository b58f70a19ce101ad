import type { Level, Words } from "../../../algorithms/kd-tree/level.ts";
import { firstLevel, treeLevels } from "../../../algorithms/kd-tree/tree-levels.ts";
import { withVectors } from "../../../algorithms/vectors.ts";
import { depthOf, type KdTree, levelsOf } from "../../../core/kd-tree/kd-tree.ts";
import { type Subtree, subtreesAt } from "../../../core/kd-tree/subtrees.ts";
import type { Primitives } from "../../../core/primitives/primitives.ts";
import type { DistributedPrimitives } from "../../../distributed/distributed-primitives.ts";
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
}

/** Levels that are divided once parts could be each rank's own: the subtrees, an eighth of a part, make parts even. */
const levelsForEvenParts = 3;

/**
 * The tree that one rank would make of all points, of which each rank passes its coordinates along each axis. A collective
 * call. All ranks divide the levels above the subtrees together; each goes on with its own subtrees alone.
 */
export function buildRankedTree(
  { rank, size, local, all }: RankPrimitives,
  coordinates: readonly Float32Array<ArrayBuffer>[],
): Promise<RankedTree> {
  const dimensions = coordinates.length;
  return withVectors(async (vectors) => {
    const along = [];
    for (const part of coordinates) along.push(await vectors.hold(all.fromParts("f32", part)));
    const points = along[0].length;
    if (points === 0) return { dimensions, subtrees: [], boxes: Array(size).fill(new Float32Array(0)) };
    const levels = levelsOf(points);
    const end = size === 1 ? 0 : Math.min(levels, Math.ceil(Math.log2(size)) + levelsForEvenParts);
    const root = await firstLevel(all, vectors, along);
    const moved = [...root.moved, all.constant("u32", points, 0)];
    const upper = await treeLevels(all, vectors, { ...root, moved }, { from: 0, end });

    const shares = sharesOf(subtreesAt(end, points), points, size);
    const lengths = shares.map((share) => share.reduce((sum, { size }) => sum + size, 0));
    const dealt = async (vector: Words) => vectors.hold(all.rebalance(vector, lengths));
    const own = async (vector: Words) => vectors.hold(all.localPart(await dealt(vector)));
    const ids = await dealt(upper.moved[0]);
    const ranks = [];
    for (const each of upper.ranks) ranks.push(await own(each));
    const heads = await own(upper.heads);
    const nodes = await own(upper.moved[1]);
    const ownAlong = [];
    for (const each of along) {
      const gathered = await vectors.hold(all.gather(ids, each));
      ownAlong.push(await local.toHost(await vectors.hold(all.localPart(gathered))));
    }
    const ownIds = await local.toHost(await vectors.hold(all.localPart(ids)));
    let lower: Level = { ranks, heads, moved: [local.counting("u32", lengths[rank]), nodes] };
    if (lengths[rank] > 0) lower = await treeLevels(local, vectors, lower, { from: end, end: levels });
    const order = { places: await local.toHost(lower.moved[0]), nodes: await local.toHost(lower.moved[1]) };
    const subtrees = treesOf(shares[rank], order, ownIds, ownAlong);
    return { dimensions, subtrees, boxes: await allBoxes(all, dimensions, subtrees) };
  });
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

/** Trees of a rank's part, given where their nodes' points are in it, from left to right. */
function treesOf(
  subtrees: readonly Subtree[],
  { places, nodes }: { readonly places: Uint32Array; readonly nodes: Uint32Array },
  ids: Uint32Array,
  along: readonly Float32Array[],
): RankedTree["subtrees"] {
  const dimensions = along.length;
  let at = 0;
  return subtrees.map(({ node: root, size }) => {
    const rootDepth = depthOf(root);
    const tree = { points: new Float32Array(dimensions * size), ids: new Uint32Array(size) };
    for (const end = at + size; at < end; at++) {
      const below = nodes[at] - root * 2 ** (depthOf(nodes[at]) - rootDepth);
      tree.ids[below] = ids[places[at]];
      for (let axis = 0; axis < dimensions; axis++)
        tree.points[dimensions * below + axis] = along[axis][places[at]];
    }
    return { root, tree: { dimensions, ...tree, rootAxis: rootDepth % dimensions } };
  });
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
