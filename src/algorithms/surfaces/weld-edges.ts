import { around } from "../../core/primitives/access.ts";
import type { UnaryFunction } from "../../core/primitives/functions.ts";
import { defineKernel } from "../../core/primitives/kernel.ts";
import { add } from "../../core/primitives/operators.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import type { Vectors } from "../vectors.ts";
import { holdAll } from "./surface.ts";

/** Vertices between two of a soup's: `lows` and `highs` are equal where a vertex is kept. */
interface EdgeVertices {
  readonly lows: Vector<"u32">;
  readonly highs: Vector<"u32">;
  /** How far each lies from low to high. */
  readonly shares: Vector<"f32">;
}

interface WeldedEdges extends EdgeVertices {
  /** For each vertex that there was, which it is now. */
  readonly indices: Vector<"u32">;
}

/** Whether a pair differs from the one before it. */
const beginsPair = defineKernel({
  name: "begin a pair",
  inputs: {
    firsts: { type: "u32", access: around(1, 0) },
    seconds: { type: "u32", access: around(1, 0) },
  },
  constants: {},
  outputs: { begins: { type: "u32" } },
  text: `
    let before = max(element, 1u) - 1u;
    let is_same = firsts(element) == firsts(before) && seconds(element) == seconds(before);
    out.begins = select(1u, 0u, element > 0u && is_same);`,
});

const lessOne: UnaryFunction = { name: "less one", text: "x - 1u" };

/**
 * Makes one vertex of those between the same two vertices of an indexed surface, by the vertices' numbers alone: pairs are
 * sorted, and each run of equal ones keeps its first. `indices` are the surface's, which name its vertices in the soup.
 */
export async function weldEdges(
  p: Primitives,
  vectors: Vectors,
  { lows, highs, shares }: EdgeVertices,
  indices: Vector<"u32">,
): Promise<WeldedEdges> {
  const firsts = await vectors.hold(p.gather(lows, indices));
  const seconds = await vectors.hold(p.gather(highs, indices));
  // By the second number, then, keeping that order, by the first.
  const bySecond = await vectors.hold(p.argsort(seconds));
  const sorted = await p.sortByKey(p.permuted(firsts, bySecond), bySecond);
  await Promise.all([vectors.hold(sorted.keys), vectors.hold(sorted.values)]);
  const order = sorted.values;
  const inputs = { firsts: sorted.keys, seconds: p.permuted(seconds, order) };
  const { begins } = await holdAll(vectors, p.forEach(order.length, beginsPair, { inputs, constants: {} }));
  const kept = await vectors.hold(p.copyIf(order, { stencil: begins }));
  const counted = await vectors.hold(p.inclusiveScan(begins, add));
  const numbers = await vectors.hold(p.transform(counted, lessOne, "u32"));
  const welded = await vectors.hold(p.fill("u32", order.length, 0));
  await p.scatter(numbers, order, welded);
  return {
    lows: await vectors.hold(p.gather(kept, lows)),
    highs: await vectors.hold(p.gather(kept, highs)),
    shares: await vectors.hold(p.gather(kept, shares)),
    indices: welded,
  };
}
