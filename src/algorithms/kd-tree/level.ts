import type { SplitRule } from "../../core/kd-tree/splits.ts";
import type { NaryFunction, UnaryFunction } from "../../core/primitives/functions.ts";
import { add, max, min } from "../../core/primitives/operators.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import { type Vectors, withVectors } from "../vectors.ts";

export type Words = Vector<"u32">;

/** One vector of coordinates for each axis: 2 or 3 of the same length. */
export type Coordinates = readonly Vector<"f32">[];

/** Points in the order of a level of the tree: those of a segment belong to one node. */
export interface Level {
  /** For each axis, the rank of each point within its segment: 0, 1, … */
  readonly ranks: readonly Words[];
  /** 1 where a segment begins. */
  readonly heads: Words;
  /** What is moved along with the points. */
  readonly moved: readonly Words[];
}

/** Where the segments of points begin and end. */
export interface Extents {
  readonly starts: Words;
  /** Of the last point. */
  readonly ends: Words;
  readonly sizes: Words;
}

/** Which way points go: 0 left, 1 nowhere (they are the node), 2 right. */
export type Ways = Words;

const sum: NaryFunction = { name: "sum", text: "x0 + x1" };
const size: NaryFunction = { name: "size", text: "x0 - x1 + 1u" };

/** Whether points go a way. */
const goes = (way: number): UnaryFunction => ({
  name: `goes way ${way}`,
  text: `select(0u, 1u, x == ${way}u)`,
});

const goNowhere = goes(1);
const goRight = goes(2);

/** The way of a point of so great a rank in a segment of so many. */
const wayOf = ({ name, text, hasPivot }: SplitRule): NaryFunction => ({
  name: `way by ${name}`,
  text: `select(${hasPivot ? `select(2u, 1u, x0 == ${of("x1", text)})` : "2u"}, 0u, x0 < ${of("x1", text)})`,
});

/** Whether a segment begins here after one of so many points that began there was divided. */
const beginsBy = ({ name, text, hasPivot }: SplitRule): NaryFunction => ({
  name: `begins by ${name}`,
  text: `select(0u, 1u, (x0 != 0u) | (x1 == x2 + ${of("x3", text)})${
    hasPivot ? ` | (x1 == x2 + ${of("x3", text)} + 1u)` : ""
  })`,
});

/** An expression in x, of another variable. */
const of = (name: string, text: string): string => text.replace(/\bx\b/g, name);

/** A rank among those of its way, given how many of lesser rank are the node and how many go right. */
const renumbered: NaryFunction = {
  name: "renumbered rank",
  text: "select(select(0u, x3, x0 == 2u), x1 - x2 - x3, x0 == 0u)",
};

/** Where each point's segment begins and ends (seed 000, § 3.2.2: a reverse segmented scan of a counting range). */
export async function extentsOf(p: Primitives, vectors: Vectors, heads: Words): Promise<Extents> {
  const places = p.counting("u32", heads.length);
  const starts = await vectors.hold(p.inclusiveScanByKey({ heads }, places, min));
  const ends = await vectors.hold(p.inclusiveScanByKey({ heads }, places, max, { reverse: true }));
  return { starts, ends, sizes: await vectors.hold(p.zip([ends, starts], size, "u32")) };
}

/** Which way points of these ranks go. */
export const waysOf = (p: Primitives, rule: SplitRule, ranks: Words, { sizes }: Extents): Promise<Ways> =>
  p.zip([ranks, sizes], wayOf(rule), "u32");

/** The next level: every segment divided, its points moved to their ways, and ranks counted anew (figure 2). */
export function divide(
  p: Primitives,
  rule: SplitRule,
  level: Level,
  extents: Extents,
  ways: Ways,
): Promise<Level> {
  return withVectors(async (vectors) => {
    const { heads } = level;
    const ranks = [];
    for (const rank of level.ranks) ranks.push(await vectors.hold(renumber(p, heads, extents, ways, rank)));
    const order = await vectors.hold(splitOrder(p, rule, heads, ways));
    const move = (vector: Words) => p.gather(order, vector);
    const places = p.counting("u32", heads.length);
    return {
      ranks: await Promise.all(ranks.map(move)),
      heads: await p.zip([heads, places, extents.starts, extents.sizes], beginsBy(rule), "u32"),
      moved: await Promise.all(level.moved.map(move)),
    };
  });
}

/** Ranks within the segments to be (figure 2 D: 5 2 9 1 become 2 1 3 0): each way is counted in the order of ranks. */
function renumber(p: Primitives, heads: Words, { starts }: Extents, ways: Ways, rank: Words): Promise<Words> {
  return withVectors(async (vectors) => {
    const places = await vectors.hold(p.zip([starts, rank], sum, "u32"));
    const countBefore = async (goesThere: UnaryFunction) => {
      const flags = await vectors.hold(p.transform(ways, goesThere, "u32"));
      const byRank = await vectors.hold(p.fill("u32", rank.length, 0));
      await p.scatter(flags, places, byRank);
      const counts = await vectors.hold(p.exclusiveScanByKey({ heads }, byRank, add));
      return vectors.hold(p.gather(places, counts));
    };
    return p.zip([ways, rank, await countBefore(goNowhere), await countBefore(goRight)], renumbered, "u32");
  });
}

/** Where the points of the next level are now: segmented splits by each bit of their ways, the least one first. */
function splitOrder(p: Primitives, { hasPivot }: SplitRule, heads: Words, ways: Ways): Promise<Words> {
  return withVectors(async (vectors) => {
    const places = p.counting("u32", ways.length);
    const right = await vectors.hold(p.transform(ways, goRight, "u32"));
    if (!hasPivot) return p.segmentedSplit(places, right, { heads });
    const here = await vectors.hold(p.transform(ways, goNowhere, "u32"));
    const byNode = await vectors.hold(p.segmentedSplit(places, here, { heads }));
    const rightByNode = await vectors.hold(p.gather(byNode, right));
    return p.segmentedSplit(byNode, rightByNode, { heads });
  });
}
