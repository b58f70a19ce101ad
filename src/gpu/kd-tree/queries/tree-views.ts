import { badArgument } from "../../../core/primitives/checks.ts";
import { type BoundView, bindView, checkAtLeast, checkView, type View } from "../../compute/view.ts";
import { axesPerWord } from "../axes.ts";
import type { TreeShape } from "./traversal.ts";

/** A tree on the GPU, as `KdTreeBuild` writes it. */
export interface TreeViews {
  readonly nodes: View;
  readonly ids: View;
  readonly axes?: View;
}

export interface BoundTree {
  readonly count: number;
  readonly nodes: BoundView;
  readonly ids: BoundView;
  readonly axes: BoundView | undefined;
}

/** Throws BadArgument or TooLarge where views are no tree of this shape. */
export function checkTree(
  device: GPUDevice,
  what: string,
  shape: TreeShape,
  { nodes, ids, axes }: TreeViews,
) {
  checkView(device, `${what}: nodes`, nodes, shape.dimensions);
  checkView(device, `${what}: the tree's ids`, ids);
  checkAtLeast(what, nodes.length, ids);
  if (shape.isWidest !== (axes !== undefined)) {
    throw badArgument(
      `${what} was ${axes ? "" : "not "}given axes of nodes.`,
      "Give it those that the build of a tree with the widest axes noted.",
    );
  }
  if (!axes) return;
  checkView(device, `${what}: the tree's axes`, axes);
  checkAtLeast(what, Math.ceil(nodes.length / axesPerWord), axes);
}

export const bindTree = ({ dimensions }: TreeShape, { nodes, ids, axes }: TreeViews): BoundTree => ({
  count: nodes.length,
  nodes: bindView(nodes, dimensions),
  ids: bindView(ids),
  axes: axes && bindView(axes),
});

export interface ResultLeads {
  readonly found?: number;
  readonly squares?: number;
  readonly starts?: number;
  readonly room?: number;
  /** Of the radius. */
  readonly square?: number;
}

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** The words of `Search`. */
export function searchWords(
  { count, nodes, ids, axes }: BoundTree,
  queries: View,
  queriesLead: number,
  { found = 0, squares = 0, starts = 0, room = 0, square = 0 }: ResultLeads,
): readonly number[] {
  float[0] = square;
  const tree = [nodes.lead, queriesLead, axes?.lead ?? 0, ids.lead];
  return [count, queries.length, ...tree, found, squares, starts, room, bits[0]];
}
