import type { Centering } from "../../core/grid.ts";

/**
 * Shapes of one element of a value. A mat3 is row-major: of a vector's gradient, row i is ∇vᵢ. A histogram has no
 * elements: it is a result, and no function takes it.
 */
export type ValueType = "bool" | "scalar" | "vec2" | "vec3" | "mat3" | "histogram";

/** Constants have no place of their own: they take their partner's centring. */
export type Placement = Centering | "constant";

export interface ExpressionType {
  readonly value: ValueType;
  readonly placement: Placement;
}

const componentCounts: Record<ValueType, number> = {
  bool: 1,
  scalar: 1,
  vec2: 2,
  vec3: 3,
  mat3: 9,
  histogram: 0,
};

export function componentsOf(type: ValueType): number {
  return componentCounts[type];
}

/** How people read a type: “scalar”, “vector (3)”, “tensor (3×3)”. */
export function describeType(type: ValueType): string {
  switch (type) {
    case "bool":
      return "boolean";
    case "scalar":
      return "scalar";
    case "vec2":
      return "vector (2)";
    case "vec3":
      return "vector (3)";
    case "mat3":
      return "tensor (3×3)";
    case "histogram":
      return "histogram";
  }
}
