import { bool, elementType, f32, matrixOf, type Type } from "../../../kernel/types.ts";
import type { ValueType } from "../types.ts";

const types: Record<Exclude<ValueType, "histogram">, Type> = {
  bool,
  scalar: f32,
  vec2: elementType("f32", 2),
  vec3: elementType("f32", 3),
  mat3: matrixOf("f32", 3, 3),
};

/** The type that a value has in a shader. A mat3's row r is what kernels call column r: `m[r]`. */
export function kernelType(type: ValueType): Type {
  if (type === "histogram") throw new TypeError("A histogram has no elements.");
  return types[type];
}
