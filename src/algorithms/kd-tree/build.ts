import { type AxisRule, type KdTree, levelsOf } from "../../core/kd-tree/kd-tree.ts";
import { halving } from "../../core/kd-tree/splits.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { Predicate } from "../../core/primitives/functions.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import { withVectors } from "../vectors.ts";
import { type Coordinates, divide, extentsOf, type Words, waysOf } from "./level.ts";
import { firstLevel, nextLevel, pointCount, treeLevels } from "./tree-levels.ts";

/** Points' indices in the order of a tree's nodes, and the nodes' axes where these do not alternate. */
interface TreeOrder {
  readonly ids: Words;
  readonly axes?: Words;
}

const isNan: Predicate = {
  name: "is NaN",
  text: "(bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u",
};

/**
 * Points in the order of their leaves after halving segments until each has one point, axes in turns (seed 000,
 * § 3.2.2). Points of equal coordinates are in the order of their first coordinates, then of their indices.
 */
export function halvedOrder(p: Primitives, coordinates: Coordinates): Promise<Words> {
  const levels = levelsOf(Math.max(0, pointCount(coordinates) - 1));
  return withVectors(async (vectors) => {
    let level = await firstLevel(p, vectors, coordinates);
    for (let k = 0; k < levels; k++) {
      level = await nextLevel(vectors, level, async (inside) => {
        const extents = await extentsOf(p, inside, level.heads);
        const ways = await inside.hold(waysOf(p, halving, level.ranks[k % coordinates.length], extents));
        return divide(p, halving, level, extents, ways);
      });
    }
    return vectors.handOut(level.moved[0]);
  });
}

/** The order of a left-balanced tree of these points. Points of equal coordinates are ordered as in `halvedOrder`. */
function treeOrder(
  p: Primitives,
  coordinates: Coordinates,
  rule: AxisRule = "alternating",
): Promise<TreeOrder> {
  const n = pointCount(coordinates);
  return withVectors(async (vectors) => {
    const { ranks, heads, moved } = await firstLevel(p, vectors, coordinates);
    const zeros = p.constant("u32", n, 0);
    const isWidest = rule === "widest";
    const root = { ranks, heads, moved: [...moved, zeros, ...(isWidest ? [zeros] : [])] };
    const widestOf = isWidest ? coordinates : undefined;
    const level = await treeLevels(p, vectors, root, { levels: levelsOf(n), widestOf });
    const [ids, nodes, axes] = level.moved;
    const byNode = async (vector: Words) => {
      const target = await p.fill("u32", n, 0);
      await p.scatter(vector, nodes, target);
      return target;
    };
    return axes ? { ids: await byNode(ids), axes: await byNode(axes) } : { ids: await byNode(ids) };
  });
}

/** The tree of points in the host's memory, built by `treeOrder`. Throws BadArgument where a coordinate is NaN. */
export async function buildKdTree(
  p: Primitives,
  points: Float32Array,
  dimensions: number,
  rule: AxisRule = "alternating",
): Promise<KdTree> {
  if (!(dimensions === 2 || dimensions === 3) || points.length % dimensions !== 0) {
    throw badArgument(
      `A KD-tree was asked for of ${points.length} coordinates in ${dimensions} dimensions.`,
      "Points have 2 or 3 coordinates each.",
    );
  }
  return withVectors(async (vectors) => {
    const n = points.length / dimensions;
    const coordinates = [];
    for (let axis = 0; axis < dimensions; axis++) {
      const along = Float32Array.from({ length: n }, (_, i) => points[i * dimensions + axis]);
      coordinates.push(await vectors.hold(p.fromHost("f32", along)));
      if (await p.any(coordinates[axis], isNan)) {
        throw badArgument(
          `Coordinate ${axis} of point ${along.findIndex(Number.isNaN)} is NaN.`,
          "Leave points without a place out.",
        );
      }
    }
    const order = await treeOrder(p, coordinates, rule);
    await vectors.hold(order.ids);
    if (order.axes) await vectors.hold(order.axes);
    const ids = await p.toHost(order.ids);
    const inOrder = new Float32Array(points.length);
    ids.forEach((id, node) => {
      for (let axis = 0; axis < dimensions; axis++) {
        inOrder[node * dimensions + axis] = points[id * dimensions + axis];
      }
    });
    const tree = { dimensions, points: inOrder, ids };
    return order.axes ? { ...tree, axes: await p.toHost(order.axes) } : tree;
  });
}
