/**
 * How kernels reach their inputs. An access says in a kernel's signature what its reads depend on, so that transfers,
 * ghost layers and hazards follow from the signature (as in Viskores' worklets and PyOP2's access descriptors).
 *
 * An iteration space is a row of elements, or a grid of nx × ny × nz elements, x fastest. Kernels always speak of
 * positions in the whole space; a `Layout` says which part of an input is at hand, and turns these positions into
 * indices of it. The same kernel thus runs on a whole array, on a block with ghost layers, and on a rank's share.
 */

/** Numbers by constants' names: one, or as many as the constant has components. */
export type ConstantValues = Readonly<Record<string, number | readonly number[]>>;

/** A number, or a function of the kernel's constants, which are known when it is dispatched. */
export type Bound = number | ((constants: ConstantValues) => number);

/** From `before` elements before the kernel's own to `after` after it, both included, in x, y and z. */
export interface Footprint {
  readonly before: readonly [Bound, Bound, Bound];
  readonly after: readonly [Bound, Bound, Bound];
}

/**
 * - "own": `input()` is the element at the kernel's own place.
 * - "offsets": `input(dx, dy, dz)` with literal offsets in a grid, `input(d)` in a row; the footprint follows from the
 *   text. Beyond the border of the space, indices are clamped to it.
 * - "footprint": `input(x, y, z)` at a position in the whole grid, or `input(i)` at a flat one, within the declared
 *   distances of the kernel's own element (times `stride`, where elements of the input are runs or tuples).
 * - "map": `input(k)` is the element that entry k of the kernel's row in another input, the map, names: the map has `arity`
 *   entries of u32 for each element.
 * - "all": `input(i)` is any element, as of a table: every rank has all of it.
 */
export type Access =
  | { readonly kind: "own" }
  | { readonly kind: "offsets" }
  | { readonly kind: "footprint"; readonly footprint: Footprint; readonly stride?: number }
  | { readonly kind: "map"; readonly map: string; readonly arity: number }
  | { readonly kind: "all" };

/** The element at the kernel's own place: of vectors as long as the results. */
export const own = { kind: "own" } as const;

/** Any element. */
export const all = { kind: "all" } as const;

/** In a row, so many elements before the kernel's own and after it; its own is `stride` times its number. */
export const around = (before: Bound, after: Bound, stride?: number): RowAccess => ({
  kind: "footprint",
  footprint: { before: [before, 0, 0], after: [after, 0, 0] },
  stride,
});

/** What kernels over rows declare. */
export type RowAccess = Extract<Access, { readonly kind: "own" | "footprint" | "all" }>;
