import type {
  BinaryOperator,
  NaryFunction,
  Operator,
  UnaryFunction,
} from "../../../core/primitives/functions.ts";
import type { Kernel } from "../../../core/primitives/kernel.ts";
import { isLocating } from "../../../core/primitives/operators.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { ForEachKernel } from "../for-each/code.ts";

/** What identifies an operator of a type: its code, not its name. */
export const operatorKey = (operator: Operator, type: ScalarType): readonly unknown[] => [
  type,
  operator.text(type),
  ...(isLocating(operator)
    ? ["locates", operator.identity]
    : [String(operator.identity(type)), operator.isCommutative]),
];

export const keyOf = (...parts: readonly unknown[]): string => JSON.stringify(parts);

const forEachKeys = new WeakMap<Kernel, Map<string, string>>();

/** What identifies the code of a kernel, as it is made. */
export function forEachKey({ kernel, hasAt, mapped }: ForEachKernel): string {
  let keys = forEachKeys.get(kernel);
  if (!keys) {
    keys = new Map();
    forEachKeys.set(kernel, keys);
  }
  const how = `${hasAt} ${mapped}`;
  let key = keys.get(how);
  if (key === undefined) {
    const { inputs, outputs, constants, text, functions } = kernel;
    key = keyOf("for each", how, inputs, outputs, constants, text, functions);
    keys.set(how, key);
  }
  return key;
}

/** The text of an operator as a function of `x0` and `x1`. */
export const asPair = (operator: BinaryOperator, type: ScalarType): string =>
  operator
    .text(type)
    .replace(/(?<![.\w])a\b/g, "x0")
    .replace(/(?<![.\w])b\b/g, "x1");

/** A function of `x` as one of `x0`, … */
export const asNary = ({ name, text }: UnaryFunction): NaryFunction => ({
  name,
  text: text.replace(/(?<![.\w])x\b/g, "x0"),
});
