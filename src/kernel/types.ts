/**
 * Types of kernels. They are WGSL's, with f64 beside them: double precision where the target has it (JavaScript),
 * f32 elsewhere (WGSL). Types are compared by structure, see `isSameType`.
 */
export type Scalar = "f32" | "f64" | "i32" | "u32" | "bool";

/** Numbers from 2 to 4: components of a vector, columns and rows of a matrix. */
export type Extent = 2 | 3 | 4;

export interface ScalarType {
  readonly kind: "scalar";
  readonly scalar: Scalar;
}

export interface VectorType {
  readonly kind: "vector";
  readonly size: Extent;
  readonly scalar: Scalar;
}

/** Column by column, as in WGSL: `m[c]` is a column. */
export interface MatrixType {
  readonly kind: "matrix";
  readonly columns: Extent;
  readonly rows: Extent;
  readonly scalar: "f32" | "f64";
}

/** Of a length that is known when the kernel is compiled. */
export interface ArrayType {
  readonly kind: "array";
  readonly element: Type;
  readonly length: number;
}

export interface StructMember {
  readonly name: string;
  readonly type: Type;
}

export interface StructType {
  readonly kind: "struct";
  readonly name: string;
  readonly members: readonly StructMember[];
}

export type Type = ScalarType | VectorType | MatrixType | ArrayType | StructType;

const scalarType = (scalar: Scalar): ScalarType => ({ kind: "scalar", scalar });

export const f32 = scalarType("f32");
export const f64 = scalarType("f64");
export const i32 = scalarType("i32");
export const u32 = scalarType("u32");
export const bool = scalarType("bool");

export const vectorOf = (scalar: Scalar, size: Extent): VectorType => ({ kind: "vector", size, scalar });

export const matrixOf = (scalar: "f32" | "f64", columns: Extent, rows: Extent): MatrixType => ({
  kind: "matrix",
  columns,
  rows,
  scalar,
});

export const arrayOf = (element: Type, length: number): ArrayType => ({ kind: "array", element, length });

/** A scalar where `components` is 1, else a vector of so many. */
export const elementType = (scalar: Scalar, components: 1 | Extent = 1): ScalarType | VectorType =>
  components === 1 ? scalarType(scalar) : vectorOf(scalar, components);

export function isSameType(a: Type, b: Type): boolean {
  if (a === b) return true;
  switch (a.kind) {
    case "scalar":
      return b.kind === "scalar" && a.scalar === b.scalar;
    case "vector":
      return b.kind === "vector" && a.size === b.size && a.scalar === b.scalar;
    case "matrix":
      return b.kind === "matrix" && a.columns === b.columns && a.rows === b.rows && a.scalar === b.scalar;
    case "array":
      return b.kind === "array" && a.length === b.length && isSameType(a.element, b.element);
    case "struct":
      return b.kind === "struct" && a.name === b.name;
  }
}

/** The scalar that a scalar, vector or matrix consists of; undefined for arrays and structs. */
export function scalarOf(type: Type): Scalar | undefined {
  return type.kind === "array" || type.kind === "struct" ? undefined : type.scalar;
}

/** How many scalars a value of the type consists of. */
export function scalarCount(type: Type): number {
  switch (type.kind) {
    case "scalar":
      return 1;
    case "vector":
      return type.size;
    case "matrix":
      return type.columns * type.rows;
    case "array":
      return type.length * scalarCount(type.element);
    case "struct":
      return type.members.reduce((sum, member) => sum + scalarCount(member.type), 0);
  }
}

/** As it is written in kernel text: `f32`, `vec3<f32>`, `mat3x3<f64>`, `array<u32, 4>`, or a struct's name. */
export function typeText(type: Type): string {
  switch (type.kind) {
    case "scalar":
      return type.scalar;
    case "vector":
      return `vec${type.size}<${type.scalar}>`;
    case "matrix":
      return `mat${type.columns}x${type.rows}<${type.scalar}>`;
    case "array":
      return `array<${typeText(type.element)}, ${type.length}>`;
    case "struct":
      return type.name;
  }
}
