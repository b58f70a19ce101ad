import type { BinaryOperator, NaryFunction, UnaryFunction } from "../../../core/primitives/functions.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";

/** What tells an operator of a type from others: its code, not its name. */
export const operatorKey = (operator: BinaryOperator, type: ScalarType): readonly unknown[] => [
  type,
  operator.wgsl(type),
  String(operator.identity(type)),
  operator.isCommutative,
];

export const keyOf = (...parts: readonly unknown[]): string => JSON.stringify(parts);

/** A function of `x` as one of `x0`, … */
export const asNary = ({ name, js, wgsl }: UnaryFunction): NaryFunction => ({
  name,
  js,
  wgsl: wgsl.replace(/(?<![.\w])x\b/g, "x0"),
});
