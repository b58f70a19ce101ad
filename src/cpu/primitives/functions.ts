/** The functions of primitives in JavaScript, as the kernel layer makes them of their texts. */
import type {
  LocatingOperator,
  NaryFunction,
  Predicate,
  UnaryFunction,
} from "../../core/primitives/functions.ts";
import type { HostArray, ScalarType } from "../../core/primitives/vector.ts";
import { compileFunction, compileLoop, type ElementLoop } from "../../kernel/compile-js.ts";
import {
  type ElementSignature,
  elementFunction,
  keptBy,
  keptByText,
} from "../../kernel/element-functions.ts";
import { newWords } from "./vector.ts";

type OfOne = (x: number) => number;

const typeOf = (words: HostArray): ScalarType =>
  words instanceof Float32Array ? "f32" : words instanceof Int32Array ? "i32" : "u32";

const madeLoop = keptByText(({ name, text }: UnaryFunction | NaryFunction, key): ElementLoop => {
  const [parameters, result] = JSON.parse(key) as [ElementSignature["parameters"], ScalarType];
  return compileLoop(elementFunction(name, text, { parameters, result }));
});
const loopOf = keptBy(madeLoop);

/** Elements of the type, made of one element of each source: at least one source, all of one length. */
function applied<T extends ScalarType>(
  type: T,
  f: UnaryFunction | NaryFunction,
  sources: Readonly<Record<string, HostArray>>,
): HostArray<T> {
  const arrays = Object.values(sources);
  const types = Object.entries(sources).map(([name, words]) => [name, typeOf(words)]);
  const loop = loopOf(f, JSON.stringify([Object.fromEntries(types), type]));
  const results = newWords(type, arrays[0].length);
  loop(arrays, results, results.length);
  return results;
}

/** The function of each element. */
export const transformed = <T extends ScalarType>(
  type: T,
  f: UnaryFunction,
  source: HostArray,
): HostArray<T> => applied(type, f, { x: source });

/** The function of one element of each source: at least one, all of one length. */
export const zipped = <T extends ScalarType>(
  type: T,
  f: NaryFunction,
  sources: readonly HostArray[],
): HostArray<T> =>
  applied(type, f, Object.fromEntries(sources.map((source, k) => [`x${k}`, source] as const)));

const predicateOf = keptBy(({ name, text }: Predicate, type) => {
  const callable = elementFunction(name, text, { parameters: { x: type as ScalarType }, result: "bool" });
  return compileFunction(callable) as (x: number) => boolean;
});

/** The predicate of elements of the type. */
export const test = (predicate: Predicate, type: ScalarType): ((x: number) => boolean) =>
  predicateOf(predicate, type);

const ownFunctionOf = keptBy(({ name, text }: UnaryFunction, key) => {
  const type = key as ScalarType;
  return compileFunction(elementFunction(name, text, { parameters: { x: type }, result: type })) as OfOne;
});

/** The key of an element: NaN of what is passed over. */
export function keyOf(type: ScalarType, { of, isGreatest }: LocatingOperator): OfOne {
  const value: OfOne = of ? ownFunctionOf(of, type) : (x) => x;
  return isGreatest ? (x) => -value(x) : value;
}
