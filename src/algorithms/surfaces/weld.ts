import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import type { Vectors } from "../vectors.ts";

/** Vertices without repetition, in the order of their ids. */
export interface Welded {
  readonly ids: Vector<"u32">;
  readonly nodes: Vector<"u32">;
  /** For each vertex that there was, which it is now. */
  readonly indices: Vector<"u32">;
}

/** Makes one vertex of those with one id, by ids alone, all below `end`: sorted, without repetition, then searched. */
export async function weld(
  p: Primitives,
  vectors: Vectors,
  ids: Vector<"u32">,
  nodes: Vector<"u32">,
  end: number,
): Promise<Welded> {
  const sorted = await p.sortByKey(ids, nodes, { bits: [0, Math.ceil(Math.log2(Math.max(end, 1)))] });
  await Promise.all([vectors.hold(sorted.keys), vectors.hold(sorted.values)]);
  const unique = await p.uniqueByKey(sorted.keys, sorted.values);
  vectors.drop([sorted.keys, sorted.values]);
  await Promise.all([vectors.hold(unique.keys), vectors.hold(unique.values)]);
  const indices = await vectors.hold(p.lowerBound(unique.keys, ids));
  return { ids: unique.keys, nodes: unique.values, indices };
}
