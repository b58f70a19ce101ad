import { leftBalanced } from "../../core/kd-tree/splits.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { NaryFunction } from "../../core/primitives/functions.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import { type Vectors, withVectors } from "../vectors.ts";
import { type Coordinates, divide, extentsOf, type Level, type Words, waysOf } from "./level.ts";
import { widestAxes } from "./widest-axes.ts";

/** The element of the vector, of those that follow, that the first one names. */
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

interface UpperLevels {
  readonly levels: number;
  /** Given where nodes divide along the widest axis; axes alternate otherwise. */
  readonly widestOf?: Coordinates;
}

/**
 * Divides the upper levels of a left-balanced tree. Moved are whatever names the points and, where nodes are wanted, the node below
 * which each point is or which it is, and axes of nodes where these do not alternate.
 */
export async function treeLevels(
  p: Primitives,
  vectors: Vectors,
  level: Level,
  { levels, widestOf }: UpperLevels,
): Promise<Level> {
  for (let k = 0; k < levels; k++) {
    level = await nextLevel(vectors, level, async (inside) => {
      const [points, nodes, axesBefore] = level.moved;
      const extents = await extentsOf(p, inside, level.heads);
      let byAxis = level.ranks[k % level.ranks.length];
      let widest: Words | undefined;
      if (widestOf) {
        widest = await inside.hold(widestAxes(p, widestOf, level, extents));
        const choose = widestOf.length === 2 ? chosen : chosenOfThree;
        byAxis = await inside.hold(p.zip([widest, ...level.ranks], choose, "u32"));
      }
      const ways = await inside.hold(waysOf(p, leftBalanced, byAxis, extents));
      const moved = [points];
      if (nodes) moved.push(await inside.hold(p.zip([nodes, ways], below, "u32")));
      if (widest) {
        const once = p.zip([axesBefore, widest, extents.sizes, ways], axisOnce, "u32");
        moved.push(await inside.hold(once));
      }
      return divide(p, leftBalanced, { ...level, moved }, extents, ways);
    });
  }
  return level;
}

/** Throws BadArgument where these are no coordinates. */
export function pointCount(coordinates: Coordinates): number {
  const lengths = new Set(coordinates.map(({ length }) => length));
  if (lengths.size === 1 && (coordinates.length === 2 || coordinates.length === 3))
    return coordinates[0].length;
  throw badArgument(
    `A KD-tree was asked for of ${coordinates.length} vectors of ${[...lengths].join(" and ")} coordinates.`,
    "Give it two or three vectors of the same length.",
  );
}

/** All points in one segment, in the order of the first axis. */
export async function firstLevel(
  p: Primitives,
  vectors: Vectors,
  [first, ...others]: Coordinates,
): Promise<Level> {
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
export async function nextLevel(
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
