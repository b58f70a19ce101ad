/** Values in generated JavaScript: their scalars as pieces of code, or elements of an array in memory. */
import { scalarsOf } from "../../constants.ts";
import type { Scalar, Type } from "../../types.ts";
import { type Code, numberIn } from "./code.ts";

export type Operand =
  | { readonly kind: "scalars"; readonly scalars: readonly Code[] }
  | { readonly kind: "memory"; readonly array: string; readonly base: Code };

/** Where values are assigned to: as an operand, or one of several, by an index that is not known. */
export type Place =
  | Operand
  | { readonly kind: "choice"; readonly index: Code; readonly options: readonly Place[] };

/** The element of memory `offset` after a base. */
export function memoryAt(base: Code, offset: number): Code {
  const known = numberIn(base);
  if (known !== undefined) return String(known + offset);
  return offset === 0 ? base : `${base} + ${offset}`;
}

export function scalarsIn(operand: Operand, type: Type): readonly Code[] {
  if (operand.kind === "scalars") return operand.scalars;
  const { array, base } = operand;
  return scalarsOf(type).map((scalar, k) => {
    const read = `${array}[${memoryAt(base, k)}]`;
    return scalar === "bool" ? `(${read} !== 0)` : read;
  });
}

const arrays = {
  f32: "Float32Array",
  f64: "Float64Array",
  i32: "Int32Array",
  u32: "Uint32Array",
  bool: "Uint8Array",
} as const;

/** The typed array that holds values of a type: doubles, which hold all scalars, where scalars of several kinds are mixed. */
export function memoryArray(type: Type): (typeof arrays)[Scalar] {
  const scalars = new Set(scalarsOf(type));
  return scalars.size === 1 ? arrays[[...scalars][0]] : "Float64Array";
}
