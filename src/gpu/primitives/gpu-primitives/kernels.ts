import type {
  BinaryOperator,
  NaryFunction,
  Operator,
  UnaryFunction,
} from "../../../core/primitives/functions.ts";
import type { Kernel } from "../../../core/primitives/kernel.ts";
import { isLocating } from "../../../core/primitives/operators.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";

/** What tells an operator of a type from others: its code, not its name. */
export const operatorKey = (operator: Operator, type: ScalarType): readonly unknown[] => [
  type,
  operator.wgsl(type),
  ...(isLocating(operator)
    ? ["locates", operator.identity]
    : [String(operator.identity(type)), operator.isCommutative]),
];

export const keyOf = (...parts: readonly unknown[]): string => JSON.stringify(parts);

const kernelKeys = new WeakMap<Kernel, string>();

/** What tells a kernel's code from others. */
export function kernelKey(kernel: Kernel): string {
  const known = kernelKeys.get(kernel);
  if (known !== undefined) return known;
  const { inputs, outputs, constants, wgsl, wgslFunctions } = kernel;
  const key = keyOf(inputs, outputs, constants, wgsl, wgslFunctions);
  kernelKeys.set(kernel, key);
  return key;
}

/** WGSL of an operator as a function of `x0` and `x1`. */
export const asPair = (operator: BinaryOperator, type: ScalarType): string =>
  operator
    .wgsl(type)
    .replace(/(?<![.\w])a\b/g, "x0")
    .replace(/(?<![.\w])b\b/g, "x1");

/** A function of `x` as one of `x0`, … */
export const asNary = ({ name, js, wgsl }: UnaryFunction): NaryFunction => ({
  name,
  js,
  wgsl: wgsl.replace(/(?<![.\w])x\b/g, "x0"),
});
