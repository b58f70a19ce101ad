import { own } from "../access.ts";
import { add, max, min, xor } from "../operators.ts";
import { defineReduction, defineTally, type Reduction, type Tally } from "../reduction.ts";
import type { ScalarType } from "../vector.ts";

type PerType<T> = Readonly<Record<ScalarType, T>>;

/** Extremes of elements, how many are more than 100, and the exclusive or of where those are, each place shifted. */
const spreadOf = (type: ScalarType): Reduction =>
  defineReduction({
    name: `spread of ${type}`,
    inputs: { x: { type, access: own } },
    constants: { shift: { type: "u32" } },
    terms: {
      least: { type, operator: min },
      greatest: { type, operator: max },
      large: { type: "u32", operator: add },
      places: { type: "u32", operator: xor },
    },
    text: `
      let value = x();
      out.least = value;
      out.greatest = value;
      if (!is_large(value)) { return; }
      out.large = 1u;
      out.places = element + constants.shift;`,
    functions: `fn is_large(value: ${type}) -> bool { return value > ${type}(100); }`,
  });

/** Puts numbers of [0, 2³¹) into the bins of their integer part divided by a scale. */
const parted = (type: ScalarType): Tally =>
  defineTally({
    name: `parts of ${type}`,
    inputs: { x: { type, access: own } },
    constants: { scale: { type: "u32" } },
    text: `
      let value = x();
      if (!(value >= ${type}(0) && value < ${type === "i32" ? "i32(2147483647)" : `${type}(2147483648)`})) { return; }
      out.bin = u32(value) / constants.scale;`,
  });

const perType = <T>(make: (type: ScalarType) => T): PerType<T> => ({
  u32: make("u32"),
  i32: make("i32"),
  f32: make("f32"),
});

export const spread = perType(spreadOf);
export const tallyOf = perType(parted);
