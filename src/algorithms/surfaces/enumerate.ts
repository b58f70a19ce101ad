import type { NaryFunction } from "../../core/primitives/functions.ts";
import { add } from "../../core/primitives/operators.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import type { Vectors } from "../vectors.ts";

const sum: NaryFunction = { name: "sum", text: "x0 + x1" };

/** Outputs that elements make, in the order of the elements. */
export interface Enumeration {
  readonly total: number;
  /** For each output the element that makes it: the reverse mapping. */
  readonly elements: Vector<"u32">;
  /** For each element the number of the first output that it makes, or that those after it do. */
  readonly starts: Vector<"u32">;
  /** The same for each output, of its element: a view. */
  readonly firsts: Vector<"u32">;
}

/**
 * Where each element's outputs go, from how many it makes, as in Listing 2 of seed 000 but with one enumeration: starts
 * are a scan of the numbers, and a search of outputs in them finds the elements, valid ones only. Waits once, for the
 * number of outputs. `endsEmpty`: the last element makes none, so that the number is its start. Releases `counts`, which
 * `vectors` holds, as it does the results.
 */
export async function enumerate(
  p: Primitives,
  vectors: Vectors,
  counts: Vector<"u32">,
  { endsEmpty = false } = {},
): Promise<Enumeration> {
  const { length } = counts;
  const starts = await vectors.hold(p.exclusiveScan(counts, add));
  const total = length === 0 ? 0 : await p.back(endsEmpty ? starts : await endOf(p, vectors, starts, counts));
  vectors.drop([counts]);
  const ends = p.view(starts, Math.min(1, length), length);
  const elements = await vectors.hold(p.upperBoundCounting(ends, total));
  return { total, elements, starts, firsts: p.permuted(starts, elements) };
}

/** The last start and what comes after it, as one number: one wait instead of two. */
function endOf(
  p: Primitives,
  vectors: Vectors,
  starts: Vector<"u32">,
  counts: Vector<"u32">,
): Promise<Vector<"u32">> {
  const last = [starts, counts].map((vector) => p.view(vector, counts.length - 1, counts.length));
  return vectors.hold(p.zip(last, sum, "u32"));
}
