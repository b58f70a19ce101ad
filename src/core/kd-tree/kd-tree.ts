/**
 * A left-balanced KD-tree of n points: node 0 is the root, the children of node i are 2i + 1 and 2i + 2, and nodes 0 to
 * n − 1 are there. Each node is a point. On the node's axis, coordinates of the left subtree are at most the node's,
 * those of the right one at least.
 */
export interface KdTree {
  /** Coordinates of a point, interleaved: 2 or 3. */
  readonly dimensions: number;
  /** In the nodes' order. */
  readonly points: Float32Array;
  /** Where each node's point was in what the tree was made of. */
  readonly ids: Uint32Array;
  /** The axis of each node; where it is left out, axes alternate with the depth. */
  readonly axes?: Uint32Array;
  /** The root's axis where axes alternate; the first where it is left out, as it is unless the tree is part of another. */
  readonly rootAxis?: number;
}

/** How a node's axis is chosen: in turns, or along its points' greatest extent (of equal ones the first). */
export type AxisRule = "alternating" | "widest";

/** Levels of nodes of a left-balanced tree. */
export const levelsOf = (nodes: number): number => 32 - Math.clz32(nodes);

/** Levels above a node. */
export const depthOf = (node: number): number => 31 - Math.clz32(node + 1);

/** The axis of a node. */
export function axisOf(tree: KdTree, node: number): number {
  return tree.axes ? tree.axes[node] : ((tree.rootAxis ?? 0) + depthOf(node)) % tree.dimensions;
}
