import { axisOf, type KdTree } from "../../core/kd-tree/kd-tree.ts";
import { badArgument } from "../../core/primitives/checks.ts";

/** What a query of one place finds: points' indices, and their squared distances from the place. */
export interface Found {
  readonly ids: Uint32Array;
  readonly squares: Float64Array;
}

/**
 * Visits the nodes whose side of every plane above them comes nearer than `bound()`, nearer sides first. The stack
 * holds the other side of each node on the way, with the square of its plane's distance.
 */
function traverse(
  tree: KdTree,
  place: ArrayLike<number>,
  bound: () => number,
  visit: (node: number, square: number) => void,
): void {
  const { points, dimensions, ids } = tree;
  const stack: { readonly node: number; readonly square: number }[] = [{ node: 0, square: 0 }];
  for (let top = stack.pop(); top; top = stack.pop()) {
    if (top.square > bound()) continue;
    let { node } = top;
    while (node < ids.length) {
      let square = 0;
      for (let axis = 0; axis < dimensions; axis++) {
        square += (points[node * dimensions + axis] - place[axis]) ** 2;
      }
      visit(node, square);
      const axis = axisOf(tree, node);
      const beyond = place[axis] - points[node * dimensions + axis];
      const near = 2 * node + (beyond < 0 ? 1 : 2);
      stack.push({ node: 4 * node + 3 - near, square: beyond ** 2 });
      node = near;
    }
  }
}

function checkPlace({ dimensions }: KdTree, place: ArrayLike<number>): void {
  const given = Array.from(place);
  if (given.length === dimensions && !given.some(Number.isNaN)) return;
  throw badArgument(
    `Points near (${given.join(", ")}) were asked for, in a tree of ${dimensions} dimensions.`,
    "A place has one coordinate for each dimension, none of them NaN.",
  );
}

/** The k points nearest to a place, the nearest first; all where the tree has fewer. Throws BadArgument. */
export function nearestPoints(tree: KdTree, place: ArrayLike<number>, k: number): Found {
  checkPlace(tree, place);
  if (!(Number.isInteger(k) && k >= 0)) {
    throw badArgument(`The ${k} nearest points were asked for.`, "Ask for a whole number of points.");
  }
  const most = Math.min(k, tree.ids.length);
  const ids = new Uint32Array(most);
  const squares = new Float64Array(most).fill(Infinity);
  if (most === 0) return { ids, squares };
  let found = 0;
  traverse(
    tree,
    place,
    () => squares[most - 1],
    (node, distance) => {
      // ∞ between two places at ∞ on an axis, too.
      const square = Number.isNaN(distance) ? Infinity : distance;
      if (found === most && !(square < squares[most - 1])) return;
      if (found < most) found++;
      let at = found - 1;
      for (; at > 0 && squares[at - 1] > square; at--) {
        squares[at] = squares[at - 1];
        ids[at] = ids[at - 1];
      }
      squares[at] = square;
      ids[at] = tree.ids[node];
    },
  );
  return { ids, squares };
}

/** The points at most so far from a place, in no order. Throws BadArgument. */
export function pointsWithin(tree: KdTree, place: ArrayLike<number>, radius: number): Found {
  checkPlace(tree, place);
  if (!(radius >= 0)) throw badArgument(`A radius was ${radius}.`, "Radii are numbers from 0 on.");
  const ids: number[] = [];
  const squares: number[] = [];
  traverse(
    tree,
    place,
    () => radius ** 2,
    (node, square) => {
      if (square > radius ** 2) return;
      ids.push(tree.ids[node]);
      squares.push(square);
    },
  );
  return { ids: Uint32Array.from(ids), squares: Float64Array.from(squares) };
}
