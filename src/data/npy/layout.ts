/** How the axes of NumPy's arrays become those of a grid, and its elements become components of values. */
import type { DType } from "../../core/dtype.ts";
import type { Triple } from "../../core/grid.ts";
import { unsupported } from "../failure.ts";
import type { NpyHeader } from "./read-npy.ts";

export interface FieldLayout {
  readonly dims: Triple;
  readonly components: number;
  /** Whether each component's values follow each other, one component after the other. */
  readonly isPlanar: boolean;
}

export interface ElementType {
  /** How numbers are stored; halves (f2) have no type here, and become f32. */
  readonly dtype: DType;
  readonly isHalf: boolean;
  /** Numbers of an element: 2 of a complex one. */
  readonly numbers: 1 | 2;
  readonly isBigEndian: boolean;
}

/** An axis of up to so many elements is one of components, where there are four axes. */
const maxComponents = 16;

/** Pictures have a last axis of red, green, blue and maybe opacity. */
const isColors = (length: number): boolean => length === 3 || length === 4;

const types: Readonly<Record<string, Pick<ElementType, "dtype" | "numbers">>> = {
  b1: { dtype: "u8", numbers: 1 },
  i1: { dtype: "i8", numbers: 1 },
  u1: { dtype: "u8", numbers: 1 },
  i2: { dtype: "i16", numbers: 1 },
  u2: { dtype: "u16", numbers: 1 },
  i4: { dtype: "i32", numbers: 1 },
  u4: { dtype: "u32", numbers: 1 },
  i8: { dtype: "i64", numbers: 1 },
  u8: { dtype: "u64", numbers: 1 },
  f2: { dtype: "u16", numbers: 1 },
  f4: { dtype: "f32", numbers: 1 },
  f8: { dtype: "f64", numbers: 1 },
  c8: { dtype: "f32", numbers: 2 },
  c16: { dtype: "f64", numbers: 2 },
};

/** Throws UnsupportedFormat where no type of Crinkle's holds the elements. */
export function elementTypeOf(name: string, description: string): ElementType {
  const kind = description.slice(1);
  const known = types[kind];
  if (!known) {
    throw unsupported(
      `“${name}” has elements of the type ${description}, which have no counterpart here.`,
      "Save it as an array of float64: array.astype('f8').",
    );
  }
  return { ...known, isHalf: kind === "f2", isBigEndian: description.startsWith(">") };
}

/**
 * The grid of an array: x is the axis whose elements follow each other in memory, the last one of NumPy's (the first in Fortran's order).
 * Of four axes one has components: the last if it has 3, else the first if it has, else the last or the first, whichever is short; of three, the last of bytes
 * has colours where it has 3 or 4. Throws UnsupportedFormat.
 */
export function layoutOf(
  name: string,
  { lengths, isFortranOrder, description }: Pick<NpyHeader, "lengths" | "isFortranOrder" | "description">,
): FieldLayout {
  const [a, b = 1, c = 1, d = 1] = lengths;
  const scalar = { components: 1, isPlanar: false };
  if (lengths.length === 3 && !isFortranOrder && description.endsWith("u1") && isColors(a) && !isColors(b))
    return { dims: [b, c, 1], components: a, isPlanar: false };
  if (lengths.length <= 3) return { dims: [a, b, c], ...scalar };
  if (lengths.length === 4) {
    const isPlanar = a !== 3 && (d === 3 || a > maxComponents);
    const components = isPlanar ? d : a;
    if (components <= maxComponents) return { dims: isPlanar ? [a, b, c] : [b, c, d], components, isPlanar };
  }
  const shape = isFortranOrder ? lengths : lengths.toReversed();
  throw unsupported(
    `“${name}” has the shape (${shape.join(", ")}).`,
    `Crinkle reads up to three axes, and a fourth of up to ${maxComponents} components: save a part of the array.`,
  );
}
