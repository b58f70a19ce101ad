import type { KdTree } from "../../core/kd-tree/kd-tree.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import { NearestCandidates } from "./nearest-candidates.ts";
import { searchTree } from "./search.ts";
import { WithinCandidates } from "./within-candidates.ts";

/** What a query of one place finds: points' indices, and their squared distances from the place. */
export interface Found {
  readonly ids: Uint32Array;
  readonly squares: Float64Array;
}

function checkPlace({ dimensions }: KdTree, place: ArrayLike<number>): void {
  const given = Array.from(place);
  if (given.length === dimensions && !given.some(Number.isNaN)) return;
  throw badArgument(
    `Points near (${given.join(", ")}) were asked for, in a tree of ${dimensions} dimensions.`,
    "A place has one coordinate for each dimension, none of them NaN.",
  );
}

/**
 * The k points nearest to a place, the nearest first and of equally near ones the lowest index; all where the tree has fewer.
 * Throws BadArgument.
 */
export function nearestPoints(tree: KdTree, place: ArrayLike<number>, k: number): Found {
  checkPlace(tree, place);
  if (!(Number.isInteger(k) && k >= 0)) {
    throw badArgument(`The ${k} nearest points were asked for.`, "Ask for a whole number of points.");
  }
  const candidates = new NearestCandidates(Math.min(k, tree.ids.length));
  searchTree(tree, place, candidates);
  const { ids, squares, count } = candidates;
  return { ids: ids.subarray(0, count), squares: squares.subarray(0, count) };
}

/** The points at most so far from a place, in the order of `nearestPoints`. Throws BadArgument. */
export function pointsWithin(tree: KdTree, place: ArrayLike<number>, radius: number): Found {
  checkPlace(tree, place);
  if (!(radius >= 0)) throw badArgument(`A radius was ${radius}.`, "Radii are numbers from 0 on.");
  const candidates = new WithinCandidates();
  candidates.restart(radius ** 2);
  searchTree(tree, place, candidates);
  const ids = new Uint32Array(candidates.count);
  const squares = new Float64Array(candidates.count);
  let at = 0;
  candidates.inOrder((id, square) => {
    ids[at] = id;
    squares[at++] = square;
  });
  return { ids, squares };
}
