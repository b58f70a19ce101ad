import type { NaryFunction, UnaryFunction } from "../../core/primitives/functions.ts";
import { add } from "../../core/primitives/operators.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import type { Vectors } from "../vectors.ts";

const isValid: UnaryFunction = {
  name: "is valid",
  js: (n) => (n > 0 ? 1 : 0),
  wgsl: "select(0u, 1u, x > 0u)",
};

const sum: NaryFunction = { name: "sum", js: (a, b) => a + b, wgsl: "x0 + x1" };

/** Outputs that elements make, in the order of the elements. */
export interface Enumeration {
  readonly total: number;
  /** For each output the element that makes it: the reverse mapping. */
  readonly elements: Vector<"u32">;
  /** For each output the number of the first one that its element makes. */
  readonly firsts: Vector<"u32">;
}

/**
 * Where each element's outputs go, from how many it makes (seed 000, Listing 2): valid elements are enumerated, found
 * by searching the enumeration, and what they make is enumerated in turn. The results are views of vectors that
 * `vectors` holds.
 */
export async function enumerate(
  p: Primitives,
  vectors: Vectors,
  counts: Vector<"u32">,
): Promise<Enumeration> {
  const enumeration = await vectors.hold(p.inclusiveScan(counts, add, { transform: isValid }));
  const valid = counts.length === 0 ? 0 : await p.back(enumeration);
  const indices = await vectors.hold(p.upperBoundCounting(enumeration, valid));
  vectors.drop([enumeration]);
  if (valid === 0) return { total: 0, elements: indices, firsts: indices };

  const compact = await vectors.hold(p.gather(indices, counts));
  const starts = await vectors.hold(p.exclusiveScan(compact, add));
  // The last start and what comes after it, as one number: one wait instead of two.
  const ends = [starts, compact].map((vector) => p.view(vector, valid - 1, valid));
  const total = await p.back(await vectors.hold(p.zip(ends, sum, "u32")));
  const owners = await vectors.hold(p.upperBoundCounting(p.view(starts, 1, valid), total));
  return { total, elements: p.permuted(indices, owners), firsts: p.permuted(starts, owners) };
}
