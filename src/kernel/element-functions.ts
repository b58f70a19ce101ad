/** Functions and operators of elements (core/primitives/functions.ts), from their texts. */
import { CrinkleError } from "../core/errors.ts";
import { type Combination, writtenCombination } from "../core/primitives/combinations.ts";
import type { BinaryOperator } from "../core/primitives/functions.ts";
import type { ScalarType } from "../core/primitives/vector.ts";
import { compileFunction } from "./compile-js.ts";
import type { KernelFunction } from "./ir.ts";
import { parseExpression } from "./text/parse.ts";
import { bool, elementType } from "./types.ts";

/** What `make` gives for an object and a key, made once. */
export function keptBy<O extends object, V>(make: (of: O, key: string) => V): (of: O, key: string) => V {
  const kept = new WeakMap<O, Map<string, V>>();
  return (of, key) => {
    let values = kept.get(of);
    if (!values) {
      values = new Map();
      kept.set(of, values);
    }
    let value = values.get(key);
    if (value === undefined) {
      value = make(of, key);
      values.set(key, value);
    }
    return value;
  };
}

export interface ElementSignature {
  readonly parameters: Readonly<Record<string, ScalarType>>;
  readonly result: ScalarType | "bool";
}

/** The function that a text is. Throws a KernelError with the function's name and the place in its text. */
export function elementFunction(
  name: string,
  text: string,
  { parameters, result }: ElementSignature,
): KernelFunction {
  const types = Object.entries(parameters).map(
    ([parameter, type]) => [parameter, elementType(type)] as const,
  );
  const isTest = result === "bool";
  try {
    return parseExpression(text, Object.fromEntries(types), isTest ? bool : elementType(result), {
      name,
      isConverted: !isTest,
    });
  } catch (error) {
    if (!(error instanceof CrinkleError)) throw error;
    const { tag, problem, remedy, span } = error;
    throw new CrinkleError({ tag, problem: `The function “${name}”: ${problem}`, remedy, span });
  }
}

const madeCombination = keptBy((operator: BinaryOperator, key) => {
  const type = key as ScalarType;
  const parameters = { a: type, b: type };
  const callable = elementFunction(operator.name, operator.text(type), { parameters, result: type });
  return compileFunction(callable) as Combination;
});

/** What the operator makes of two elements. Throws a KernelError. */
export const combination = (type: ScalarType, operator: BinaryOperator): Combination =>
  writtenCombination(type, operator) ?? madeCombination(operator, type);
