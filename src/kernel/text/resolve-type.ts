import { nearestName } from "../../core/names.ts";
import { kernelError } from "../errors.ts";
import {
  arrayOf,
  type Extent,
  elementType,
  matrixOf,
  type Scalar,
  scalarOf,
  type Type,
  typeText,
  vectorOf,
} from "../types.ts";
import type { ExpressionSyntax, TypeSyntax } from "./syntax.ts";

const scalars: readonly Scalar[] = ["f32", "f64", "i32", "u32", "bool"];
const short: Readonly<Record<string, Scalar>> = { f: "f32", d: "f64", i: "i32", u: "u32" };
const shortVector = /^vec([234])([fdiu])$/;
const shortMatrix = /^mat([234])x([234])([fd])$/;
const vectorTemplate = /^vec([234])$/;
const matrixTemplate = /^mat([234])x([234])$/;

/** What types are named beside the language's: structs and aliases; and the value of an array's length. */
export interface TypeNames {
  find(name: string): Type | undefined;
  names(): Iterable<string>;
  length(value: ExpressionSyntax): number;
}

/** True of the language's own types. */
export const isTypeName = (name: string): boolean =>
  name === "array" ||
  withoutScalar(name) !== undefined ||
  scalars.some((scalar) => scalar === name) ||
  shortVector.test(name) ||
  shortMatrix.test(name);

/** The type that a name without angle brackets stands for, if it is a type's. */
export function namedType(name: string, known: TypeNames): Type | undefined {
  const scalar = scalars.find((candidate) => candidate === name);
  if (scalar) return elementType(scalar);
  const vector = shortVector.exec(name);
  if (vector) return vectorOf(short[vector[2]], Number(vector[1]) as Extent);
  const matrix = shortMatrix.exec(name);
  if (matrix) return matrixOf(matrix[3] === "f" ? "f32" : "f64", extent(matrix[1]), extent(matrix[2]));
  return known.find(name);
}

const extent = (text: string) => Number(text) as Extent;

/** `vec3` and `mat3x3`, whose scalar follows from what they are made of. */
export function withoutScalar(name: string): ((scalar: Scalar) => Type) | undefined {
  const vector = vectorTemplate.exec(name);
  if (vector) return (scalar) => vectorOf(scalar, extent(vector[1]));
  const matrix = matrixTemplate.exec(name);
  if (!matrix) return undefined;
  return (scalar) => matrixOf(scalar === "f64" ? "f64" : "f32", extent(matrix[1]), extent(matrix[2]));
}

export function resolveType(syntax: TypeSyntax, known: TypeNames): Type {
  const { name, element, length, span } = syntax;
  const named = namedType(name, known);
  if (named && !element) return named;
  if (name === "array") {
    if (element && length) return arrayOf(resolveType(element, known), known.length(length));
    throw kernelError("An array's type has its element and its length.", "Write array<f32, 4>.", span);
  }
  const make = withoutScalar(name);
  if (!make) throw unknownType(syntax, known);
  if (!element) {
    throw kernelError(`“${name}” needs the type of its components.`, `Write ${name}<f32> or ${name}f.`, span);
  }
  const inner = resolveType(element, known);
  const scalar = inner.kind === "scalar" ? scalarOf(inner) : undefined;
  const made = scalar && make(scalar);
  if (scalar && made && scalarOf(made) === scalar && !length) return made;
  throw kernelError(
    `${name} cannot consist of ${typeText(inner)}.`,
    name.startsWith("vec")
      ? "Vectors consist of f32, f64, i32, u32 or bool."
      : "Matrices consist of f32 or f64.",
    span,
  );
}

function unknownType({ name, span }: TypeSyntax, known: TypeNames) {
  const near = nearestName(name, [
    ...scalars,
    "vec2f",
    "vec3f",
    "vec4f",
    "mat3x3f",
    "array",
    ...known.names(),
  ]);
  return kernelError(
    `There is no type “${name}”.`,
    near
      ? `Did you mean “${near}”?`
      : "Types are f32, f64, i32, u32, bool, vec3<f32>, mat3x3<f32>, array<f32, 4> and structs.",
    span,
  );
}
