import { type AxisRule, type KdTree, levelsOf } from "../../core/kd-tree/kd-tree.ts";
import { halving, leftBalanced } from "../../core/kd-tree/splits.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { NaryFunction, Predicate } from "../../core/primitives/functions.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import { type Vectors, withVectors } from "../vectors.ts";
import { divide, type Extents, extentsOf, type Level, type Words, waysOf } from "./level.ts";

/** One vector of coordinates for each axis: 2 or 3 of the same length. */
type Coordinates = readonly Vector<"f32">[];

/** Points' indices in the order of a tree's nodes, and the nodes' axes where these do not alternate. */
interface TreeOrder {
  readonly ids: Words;
  readonly axes?: Words;
}

const isNan: Predicate = {
  name: "is NaN",
  text: "(bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u",
};

/** From the least coordinate to the greatest: 0 where both are the same infinity. */
const extent: NaryFunction = {
  name: "extent",
  text: "select(x0 - x1, 0.0, x0 == x1)",
};

/** The first axis of greatest extent. */
const widestOf = (dimensions: number): NaryFunction =>
  dimensions === 2
    ? { name: "wider axis", text: "select(0u, 1u, x1 > x0)" }
    : {
        name: "widest axis",
        text: "select(select(0u, 1u, x1 > x0), 2u, (x2 > x0) & (x2 > x1))",
      };

/** The element of the vector, of those that follow, that the first one tells. */
const chosen: NaryFunction = {
  name: "chosen",
  text: "select(x1, x2, x0 == 1u)",
};
const chosenOfThree: NaryFunction = {
  ...chosen,
  name: "chosen of three",
  text: "select(select(x1, x2, x0 == 1u), x3, x0 == 2u)",
};

/** A node below a node, by the way to it. */
const below: NaryFunction = {
  name: "node below",
  text: "select(2u * x0 + 1u + x1 / 2u, x0, x1 == 1u)",
};

/** The axis by which a point's segment was divided where it became a node, 0 where it was alone or is no node yet. */
const axisOnce: NaryFunction = {
  name: "axis once",
  text: "select(select(x0, x1, x2 > 1u), 0u, x3 != 1u)",
};

/**
 * Points in the order of their leaves after halving segments until each has one point, axes in turns (seed 000,
 * § 3.2.2). Points of equal coordinates are in the order of their first coordinates, then of their indices.
 */
export function halvedOrder(p: Primitives, coordinates: Coordinates): Promise<Words> {
  const levels = levelsOf(Math.max(0, checked(coordinates) - 1));
  return withVectors(async (vectors) => {
    let level = await beginning(p, vectors, coordinates);
    for (let k = 0; k < levels; k++) {
      level = await next(vectors, level, async (inside) => {
        const extents = await extentsOf(p, inside, level.heads);
        const ways = await inside.hold(waysOf(p, halving, level.ranks[k % coordinates.length], extents));
        return divide(p, halving, level, extents, ways);
      });
    }
    return vectors.handOut(level.moved[0]);
  });
}

/** The order of a left-balanced tree of these points. Points of equal coordinates are told apart as in `halvedOrder`. */
function treeOrder(
  p: Primitives,
  coordinates: Coordinates,
  rule: AxisRule = "alternating",
): Promise<TreeOrder> {
  const n = checked(coordinates);
  return withVectors(async (vectors) => {
    const { ranks, heads, moved } = await beginning(p, vectors, coordinates);
    const zeros = p.constant("u32", n, 0);
    let level: Level = { ranks, heads, moved: [...moved, zeros, ...(rule === "widest" ? [zeros] : [])] };
    for (let k = 0; k < levelsOf(n); k++) {
      level = await next(vectors, level, async (inside) => {
        const [ids, nodes, axesBefore] = level.moved;
        const extents = await extentsOf(p, inside, level.heads);
        let byAxis = level.ranks[k % coordinates.length];
        let widest: Words | undefined;
        if (axesBefore) {
          widest = await inside.hold(widestAxes(p, coordinates, level, extents));
          const choose = coordinates.length === 2 ? chosen : chosenOfThree;
          byAxis = await inside.hold(p.zip([widest, ...level.ranks], choose, "u32"));
        }
        const ways = await inside.hold(waysOf(p, leftBalanced, byAxis, extents));
        const moved = [ids, await inside.hold(p.zip([nodes, ways], below, "u32"))];
        if (widest) {
          const once = p.zip([axesBefore, widest, extents.sizes, ways], axisOnce, "u32");
          moved.push(await inside.hold(once));
        }
        return divide(p, leftBalanced, { ...level, moved }, extents, ways);
      });
    }
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

/** Throws BadArgument where these are no coordinates. */
function checked(coordinates: Coordinates): number {
  const lengths = new Set(coordinates.map(({ length }) => length));
  if (lengths.size === 1 && (coordinates.length === 2 || coordinates.length === 3))
    return coordinates[0].length;
  throw badArgument(
    `A KD-tree was asked for of ${coordinates.length} vectors of ${[...lengths].join(" and ")} coordinates.`,
    "Give it two or three vectors of the same length.",
  );
}

/** All points in one segment, in the order of the first axis. */
async function beginning(p: Primitives, vectors: Vectors, [first, ...others]: Coordinates): Promise<Level> {
  const n = first.length;
  const ids = await vectors.hold(p.argsort(first));
  const ranks: Words[] = [p.counting("u32", n)];
  for (const axis of others) {
    ranks.push(await vectors.hold(p.rank(await vectors.hold(p.gather(ids, axis)))));
  }
  const heads = await vectors.hold(p.fill("u32", n, 0));
  if (n > 0) await p.scatter(p.constant("u32", 1, 1), p.constant("u32", 1, 0), heads);
  return { ranks, heads, moved: [ids] };
}

/** The level that `work` makes of this one, which is let go. */
async function next(
  vectors: Vectors,
  level: Level,
  work: (inside: Vectors) => Promise<Level>,
): Promise<Level> {
  const made = await withVectors(work);
  for (const vector of allOf(made)) await vectors.hold(vector);
  vectors.drop(allOf(level));
  return made;
}

const allOf = ({ ranks, heads, moved }: Level): readonly Words[] => [...ranks, heads, ...moved];

/** For each point, the axis along which its segment extends farthest. */
function widestAxes(
  p: Primitives,
  coordinates: Coordinates,
  { ranks, moved: [ids] }: Level,
  { starts, ends }: Extents,
): Promise<Words> {
  return withVectors(async (vectors) => {
    const extents = [];
    for (const [axis, along] of coordinates.entries()) {
      const places = await vectors.hold(p.zip([starts, ranks[axis]], sumOf, "u32"));
      const byRank = await vectors.hold(p.fill("u32", ids.length, 0));
      await p.scatter(ids, places, byRank);
      const [low, high] = [starts, ends].map((at) => p.permuted(along, p.permuted(byRank, at)));
      extents.push(await vectors.hold(p.zip([high, low], extent, "f32")));
    }
    return p.zip(extents, widestOf(coordinates.length), "u32");
  });
}

const sumOf: NaryFunction = { name: "sum", text: "x0 + x1" };
