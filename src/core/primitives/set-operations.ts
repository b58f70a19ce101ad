/** How often an element of two ascending vectors is in the result: see Primitives. */
export type SetOperation = "union" | "intersection" | "difference";

/** The longest result of vectors of such lengths. */
export function maxKept(operation: SetOperation, a: number, b: number): number {
  return operation === "union" ? a + b : operation === "intersection" ? Math.min(a, b) : a;
}
