import { leftBalanced } from "./splits.ts";

/** A node and all below it. They are neighbours in the order of a left-balanced tree from left to right. */
export interface Subtree {
  readonly node: number;
  /** How many points are to the left of it. */
  readonly first: number;
  readonly size: number;
}

/** A left-balanced tree of so many points from left to right: the subtrees of nodes of a level, and the nodes above them alone. */
export function subtreesAt(level: number, points: number): readonly Subtree[] {
  const subtrees: Subtree[] = [];
  const visit = (node: number, first: number, size: number, depth: number) => {
    if (size === 0) return;
    if (depth === level || size === 1) {
      subtrees.push({ node, first, size });
      return;
    }
    const left = leftBalanced.left(size);
    visit(2 * node + 1, first, left, depth + 1);
    subtrees.push({ node, first: first + left, size: 1 });
    visit(2 * node + 2, first + left + 1, size - left - 1, depth + 1);
  };
  visit(0, 0, points, 0);
  return subtrees;
}
