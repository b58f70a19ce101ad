import type { Fragment } from "../../../../gpu/shader/fragment.ts";
import { infinity, minusInfinity, nan } from "../../filters/special-values.ts";
import type { ValueType } from "../../types.ts";

const types: Record<Exclude<ValueType, "histogram">, string> = {
  bool: "bool",
  scalar: "f32",
  vec2: "vec2f",
  vec3: "vec3f",
  mat3: "mat3x3f",
};

/** A mat3's row r is what WGSL calls column r: `m[r]`. */
export function wgslType(type: ValueType): string {
  if (type === "histogram") throw new Error("a histogram is no value of a shader");
  return types[type];
}

/** A value of `type` made of one f32 expression per component. */
export function composeValue(type: ValueType, parts: readonly string[]): string {
  switch (type) {
    case "bool":
      return `${parts[0]} != 0.0`;
    case "scalar":
      return parts[0];
    case "mat3": {
      const rows = [0, 3, 6].map((at) => `vec3f(${parts.slice(at, at + 3).join(", ")})`);
      return `mat3x3f(${rows.join(", ")})`;
    }
    default:
      return `${wgslType(type)}(${parts.join(", ")})`;
  }
}

/** One f32 expression per component of the named value. */
export function splitValue(type: ValueType, name: string): string[] {
  switch (type) {
    case "bool":
      return [`select(0.0, 1.0, ${name})`];
    case "scalar":
      return [name];
    case "mat3":
      return [0, 1, 2].flatMap((r) => ["x", "y", "z"].map((c) => `${name}[${r}].${c}`));
    default:
      return [..."xyz"].slice(0, type === "vec2" ? 2 : 3).map((c) => `${name}.${c}`);
  }
}

export interface Literal {
  readonly wgsl: string;
  readonly fragments: readonly Fragment[];
}

/** The f32 nearest to a number, as a literal; values beyond f32's range become infinities. */
function f32Literal(value: number): Literal {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return nan;
  if (single === Number.POSITIVE_INFINITY) return infinity;
  if (single === Number.NEGATIVE_INFINITY) return minusInfinity;
  const digits = String(Math.abs(value));
  const literal = /[.e]/.test(digits) ? digits : `${digits}.0`;
  const isNegative = value < 0 || Object.is(value, -0);
  return { wgsl: isNegative ? `(-${literal})` : literal, fragments: [] };
}

/** Zeros come out of memory: compilers take 0 * x and 0 / x for 0, also where x makes NaN of it. */
function opaqueLiteral(value: number): Literal {
  if (Math.fround(value) !== 0) return f32Literal(value);
  return { wgsl: Object.is(value, -0) ? "(-extents.zero)" : "extents.zero", fragments: [] };
}

export function constantLiteral(type: ValueType, values: readonly number[]): Literal {
  if (type === "bool") return { wgsl: values[0] !== 0 ? "true" : "false", fragments: [] };
  const parts = values.map(opaqueLiteral);
  return {
    wgsl: composeValue(
      type,
      parts.map(({ wgsl }) => wgsl),
    ),
    fragments: parts.flatMap(({ fragments }) => fragments),
  };
}
