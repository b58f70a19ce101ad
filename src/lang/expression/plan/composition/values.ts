/** Values of the expression language as expressions of kernels, in f32. */
import {
  binary,
  bitcast,
  builtin,
  constant,
  construct,
  index,
  literal,
  swizzle,
  unary,
} from "../../../../kernel/build.ts";
import type { Expression } from "../../../../kernel/ir.ts";
import { bool, f32, u32, vectorOf } from "../../../../kernel/types.ts";
import { kernelType } from "../../filters/kernel-types.ts";
import type { ValueType } from "../../types.ts";

const vec3 = vectorOf("f32", 3);

/** A value of `type` made of one f32 for each component. */
export function composeValue(type: ValueType, parts: readonly Expression[]): Expression {
  switch (type) {
    case "bool":
      return binary("!=", parts[0], literal(0, f32));
    case "scalar":
      return parts[0];
    case "mat3":
      return construct(
        kernelType(type),
        [0, 3, 6].map((at) => construct(vec3, parts.slice(at, at + 3))),
      );
    default:
      return construct(kernelType(type), parts);
  }
}

/** Component c of a vector or a scalar. */
export const componentOf = (value: Expression, c: number): Expression =>
  value.type.kind === "vector" ? swizzle(value, "xyzw"[c]) : value;

/** One f32 for each component of a value, which costs nothing to repeat. */
export function splitValue(type: ValueType, value: Expression): Expression[] {
  switch (type) {
    case "bool":
      return [builtin("select", [literal(0, f32), literal(1, f32), value])];
    case "scalar":
      return [value];
    case "mat3":
      return [0, 1, 2].flatMap((r) => {
        const row = index(value, literal(r, u32));
        return [0, 1, 2].map((c) => componentOf(row, c));
      });
    default:
      return Array.from({ length: type === "vec2" ? 2 : 3 }, (_, c) => componentOf(value, c));
  }
}

const ofBits = (bits: number): Expression => bitcast(f32, literal(bits, u32));

/** The f32 nearest to a number; zeros are read from memory: compilers take 0 * x and 0 / x for 0, also where x makes NaN of it. */
function numberExpression(value: number): Expression {
  const single = Math.fround(value);
  if (Number.isNaN(single)) return ofBits(0x7fc00000);
  if (!Number.isFinite(single)) return ofBits(single > 0 ? 0x7f800000 : 0xff800000);
  if (single !== 0) return literal(single, f32);
  const zero = constant("zero", f32);
  return Object.is(single, -0) ? unary("-", zero) : zero;
}

export function constantValue(type: ValueType, values: readonly number[]): Expression {
  if (type === "bool") return literal(values[0] !== 0, bool);
  return composeValue(type, values.map(numberExpression));
}
