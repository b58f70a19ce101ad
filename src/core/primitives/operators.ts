import type { BinaryOperator, LocatingOperator, Operator, ResultOf, UnaryFunction } from "./functions.ts";
import type { ScalarType } from "./vector.ts";

type PerType<T> = Readonly<Record<ScalarType, T>>;

/** What an operator of one's own is made of. Whoever defines it vouches that it is associative. */
export interface OperatorDefinition {
  readonly name: string;
  readonly isCommutative?: boolean;
  /** One number, or one for each type. */
  readonly identity: number | PerType<number>;
  /** An expression in `a`, the earlier operand, and `b`: one, or one for each type. */
  readonly text: string | PerType<string>;
}

export function defineOperator(definition: OperatorDefinition): BinaryOperator {
  const { name, isCommutative = false, identity, text } = definition;
  return {
    name,
    isCommutative,
    identity: (type) => (typeof identity === "number" ? identity : identity[type]),
    text: (type) => (typeof text === "string" ? text : text[type]),
  };
}

const lowest = { u32: 0, i32: -(2 ** 31), f32: Number.NEGATIVE_INFINITY };
const highest = { u32: 2 ** 32 - 1, i32: 2 ** 31 - 1, f32: Number.POSITIVE_INFINITY };

export const add = defineOperator({
  name: "add",
  isCommutative: true,
  identity: 0,
  text: "a + b",
});

export const mul = defineOperator({
  name: "mul",
  isCommutative: true,
  identity: 1,
  text: "a * b",
});

/** The text of words, as i32, that order f32 which are numbers: −0 below +0, subnormal numbers in their places. */
const ordered = (x: string) => `(bitcast<i32>(${x}) ^ ((bitcast<i32>(${x}) >> 31u) & 0x7fffffff))`;
const isNan = (x: string) => `((bitcast<u32>(${x}) & 0x7fffffffu) > 0x7f800000u)`;

/**
 * Minimum or maximum. f32: those of IEEE 754-2019, as JavaScript's: NaN wins over numbers, and −0 is less than +0. WGSL
 * leaves both to the device, and may take subnormal numbers for 0, so the text compares bits.
 */
function extreme(name: "min" | "max", identity: PerType<number>) {
  const isBeyond = `(${ordered("b")} ${name === "min" ? "<" : ">"} ${ordered("a")})`;
  const text = `${name}(a, b)`;
  return defineOperator({
    name,
    isCommutative: true,
    identity,
    text: {
      u32: text,
      i32: text,
      f32: `select(a, b, (${isBeyond} | ${isNan("b")}) & !${isNan("a")})`,
    },
  });
}

export const min = extreme("min", highest);
export const max = extreme("max", lowest);

/** Bitwise operators work on the bits of f32 too. */
function bitwise(name: string, symbol: string, identity: PerType<number>) {
  return defineOperator({
    name,
    isCommutative: true,
    identity,
    text: {
      u32: `a ${symbol} b`,
      i32: `a ${symbol} b`,
      f32: `bitcast<f32>(bitcast<u32>(a) ${symbol} bitcast<u32>(b))`,
    },
  });
}

const noBits = { u32: 0, i32: 0, f32: 0 };
const allBits = { u32: 2 ** 32 - 1, i32: -1, f32: Number.NaN };

export const and = bitwise("and", "&", allBits);
export const or = bitwise("or", "|", noBits);
export const xor = bitwise("xor", "^", noBits);

/**
 * The earlier operand. No number is a neutral element of it: nothing (an empty vector, what comes before the first
 * element of an exclusive scan) is 0, and elements are combined with elements and a given init only.
 */
export const first = defineOperator({ name: "first", identity: 0, text: "a" });

/** The later operand; see `first` about its identity. */
export const last = defineOperator({ name: "last", identity: 0, text: "b" });

/** No position: what a locating operator gives where there is nothing to be found. */
export const noPosition = 2 ** 32 - 1;

/** Words of f32, as u32 in their order: those of NaN are below this one, an infinity's, and above its complement. */
const infinityKey = 0x007fffff;

/** The greatest key of f32 in a text that is not NaN's: keys count from an infinity's, so that NaN's are all greater. */
export const maxKey = (~infinityKey >>> 0) - infinityKey;

/** What a locating operator of one's own looks for. */
export interface LocatingDefinition {
  readonly name: string;
  /** Looks for the greatest, not for the least. */
  readonly isGreatest?: boolean;
  /** Looks at this of each element, in the element's type; at the element where it is left out. */
  readonly of?: UnaryFunction;
}

/** A locating operator. −0 equals +0; subnormal numbers are distinct. */
export function defineLocating({ name, isGreatest = false, of }: LocatingDefinition): LocatingOperator {
  const not = isGreatest ? "~" : "";
  return {
    name,
    identity: noPosition,
    locates: true,
    of,
    isGreatest,
    text: (type) => {
      const value = of ? `${type}(${of.text})` : "x";
      const word = `bitcast<u32>(${value})`;
      const ascending = {
        u32: `(${word})`,
        i32: `(${word} ^ 0x80000000u)`,
        f32: `select(${word} | 0x80000000u, ~${word}, ${word} > 0x80000000u)`,
      }[type];
      return type === "f32" ? `${not}${ascending} - ${infinityKey}u` : `${not}${ascending}`;
    },
  };
}

/** The position of the least element. */
export const argmin = defineLocating({ name: "argmin" });

/** The position of the greatest element. */
export const argmax = defineLocating({ name: "argmax", isGreatest: true });

export const isLocating = (operator: Operator): operator is LocatingOperator => "locates" in operator;

/** The type of results of an operator on elements of this type. */
export function resultType<O extends Operator, T extends ScalarType>(operator: O, type: T): ResultOf<O, T>;
export function resultType(operator: Operator, type: ScalarType): ScalarType {
  return isLocating(operator) ? "u32" : type;
}
