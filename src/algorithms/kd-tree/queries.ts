import type { KdTree } from "../../core/kd-tree/kd-tree.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import { NearestCandidates } from "./nearest-candidates.ts";
import { searchTree } from "./search.ts";

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

/** The points at most so far from a place, in no order. Throws BadArgument. */
export function pointsWithin(tree: KdTree, place: ArrayLike<number>, radius: number): Found {
  checkPlace(tree, place);
  if (!(radius >= 0)) throw badArgument(`A radius was ${radius}.`, "Radii are numbers from 0 on.");
  const ids: number[] = [];
  const squares: number[] = [];
  const bound = radius ** 2;
  searchTree(tree, place, {
    bound,
    offer(id, square) {
      if (square > bound) return;
      ids.push(id);
      squares.push(square);
    },
  });
  return { ids: Uint32Array.from(ids), squares: Float64Array.from(squares) };
}
