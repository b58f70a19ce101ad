import type {
  BinaryOperator,
  LocatingOperator,
  Predicate,
  UnaryFunction,
} from "../../../core/primitives/functions.ts";
import { maxKey } from "../../../core/primitives/operators.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { ReduceKernel } from "./code.ts";

/** The sum of elements, or of a function of each, by any associative operator. `type` is what is combined. */
export function reduction(
  type: ScalarType,
  operator: BinaryOperator,
  f?: UnaryFunction,
  inputType = type,
): ReduceKernel {
  return {
    name: `reduce by ${operator.name}`,
    inputs: [inputType],
    load: f ? `${type}(${f.text})` : "x",
    accumulator: type,
    combine: operator.text(type),
    isCommutative: operator.isCommutative,
  };
}

/** (x₀ ⊗ y₀) ⊕ (x₁ ⊗ y₁) ⊕ … */
export function innerProduct(type: ScalarType, sum: BinaryOperator, multiply: BinaryOperator): ReduceKernel {
  return {
    name: `inner product of ${multiply.name} and ${sum.name}`,
    inputs: [type, type],
    load: "multiply(x, y)",
    accumulator: type,
    combine: sum.text(type),
    isCommutative: sum.isCommutative,
    functions: `fn multiply(a: ${type}, b: ${type}) -> ${type} { return ${multiply.text(type)}; }`,
  };
}

/** The sum of sums of one word that a kernel gave, in their order. */
export const ofSums = (kernel: ReduceKernel): ReduceKernel => ({
  ...kernel,
  name: `${kernel.name}, of chunks`,
  inputs: [kernel.accumulator as ScalarType],
  load: "x",
});

/** How many elements satisfy a predicate, as u32. */
export function counting(type: ScalarType, predicate: Predicate): ReduceKernel {
  return {
    name: `count ${predicate.name}`,
    inputs: [type],
    load: `u32(${predicate.text})`,
    accumulator: "u32",
    combine: "a + b",
    isCommutative: true,
  };
}

/**
 * How many elements equal the one whose word follows that of an empty vector's count, as u32. f32: compared by bits, since
 * comparisons may take subnormal numbers for 0. (SwiftShader never ends compiling this with && and ||.)
 */
export function equality(type: ScalarType): ReduceKernel {
  const own = "bitcast<u32>(x)";
  const due = "parameters.init.y";
  const isSame = type === "f32" ? `(${own} == ${due}) & !is_nan(x)` : `${own} == ${due}`;
  return {
    name: "count of a value",
    inputs: [type],
    load: type === "f32" ? `u32((${isSame}) | (((${own} | ${due}) & 0x7fffffffu) == 0u))` : `u32(${isSame})`,
    accumulator: "u32",
    combine: "a + b",
    isCommutative: true,
  };
}

/** WGSL of words whose order is that of the elements: −0 less than +0. */
const ordered = (type: ScalarType, word: string) =>
  ({
    u32: word,
    i32: `(${word} ^ 0x80000000u)`,
    f32: `select(${word} | 0x80000000u, ~${word}, (${word} >> 31u) != 0u)`,
  })[type];

/** What a reduction over no element (or over NaN alone) gives: both words, as the second kernel's init. */
export const noPosition = [0xffffffff, 0xffffffff] as const;

/**
 * The position that an operator finds, in the second word; `noPosition` where there is none, or init has a lesser key. The
 * first word is the key. Init's words are an element and no position.
 */
export function position(
  type: ScalarType,
  operator: LocatingOperator,
  f?: UnaryFunction,
  inputType = type,
): ReduceKernel {
  const item = "vec2u(key, i)";
  const located = type === "f32" ? `select(${item}, vec2u(0xffffffffu), key > ${maxKey}u)` : item;
  return {
    name: operator.name,
    inputs: [inputType],
    load: `located(${f ? `${type}(${f.text})` : "x"}, i)`,
    accumulator: "vec2u",
    combine: "select(a, b, b.x < a.x || (b.x == a.x && b.y < a.y))",
    isCommutative: true,
    begin: `vec2u(key_of(bitcast<${type}>(parameters.init.x)), parameters.init.y)`,
    functions: `fn key_of(x: ${type}) -> u32 { return ${operator.text(type)}; }
fn located(x: ${type}, i: u32) -> vec2u {
  let key = key_of(x);
  return ${located};
}`,
  };
}

/** Keys of the least and (complemented) the greatest, −0 less than +0: NaN passed over. */
export function extremes(type: ScalarType): ReduceKernel {
  const item = "vec2u(key_of(x), ~key_of(x))";
  return {
    name: "extremes",
    inputs: [type],
    load: type === "f32" ? `select(${item}, vec2u(0xffffffffu), is_nan(x))` : item,
    accumulator: "vec2u",
    combine: "min(a, b)",
    isCommutative: true,
    functions: `fn key_of(x: ${type}) -> u32 {\n  let word = bitcast<u32>(x);\n  return ${ordered(type, "word")};\n}`,
  };
}

const words = new DataView(new ArrayBuffer(4));

/** The element of a key that `extremes` gives. */
export function elementOfKey(type: ScalarType, key: number): number {
  if (type === "u32") return key;
  if (type === "i32") return (key ^ 0x80000000) | 0;
  words.setUint32(0, key >>> 31 ? key & 0x7fffffff : ~key);
  return words.getFloat32(0);
}
