import { add, max, min, xor } from "../operators.ts";
import { defineReduction, defineTally, type Reduction, type Tally } from "../reduction.ts";
import type { ScalarType } from "../vector.ts";

type PerType<T> = Readonly<Record<ScalarType, T>>;

/** Extremes of elements, how many are more than 100, and the exclusive or of where those are, each place shifted. */
const spreadOf = (type: ScalarType): Reduction =>
  defineReduction({
    name: `spread of ${type}`,
    inputs: { x: { type, reach: "own" } },
    constants: { shift: { type: "u32" } },
    terms: {
      least: { type, operator: min },
      greatest: { type, operator: max },
      large: { type: "u32", operator: add },
      places: { type: "u32", operator: xor },
    },
    js({ inputs: { x }, constants: { shift } }, from, to, totals) {
      for (let i = from; i < to; i++) {
        totals.least = Math.min(totals.least, x[i]);
        totals.greatest = Math.max(totals.greatest, x[i]);
        if (!(x[i] > 100)) continue;
        totals.large++;
        totals.places ^= i + shift;
      }
    },
    wgsl: `
      let value = x(element);
      out.least = value;
      out.greatest = value;
      if (!is_large(value)) { return out; }
      out.large = 1u;
      out.places = element + constants.shift;`,
    wgslFunctions: `fn is_large(value: ${type}) -> bool { return value > ${type}(100); }`,
  });

/** Puts numbers of [0, 2³¹) into the bins of their integer part divided by a scale. */
const parted = (type: ScalarType): Tally =>
  defineTally({
    name: `parts of ${type}`,
    inputs: { x: { type, reach: "own" } },
    constants: { scale: { type: "u32" } },
    js({ inputs: { x }, constants: { scale } }, from, to, counts) {
      for (let i = from; i < to; i++) {
        const bin = x[i] >= 0 && x[i] < 2 ** 31 ? Math.floor(Math.trunc(x[i]) / scale) : counts.length;
        if (bin < counts.length) counts[bin]++;
      }
    },
    wgsl: `
      let value = x(element);
      if (!(value >= ${type}(0) && value < ${type === "i32" ? "i32(2147483647)" : `${type}(2147483648)`})) { return 0xffffffffu; }
      return u32(value) / constants.scale;`,
  });

const perType = <T>(make: (type: ScalarType) => T): PerType<T> => ({
  u32: make("u32"),
  i32: make("i32"),
  f32: make("f32"),
});

export const spread = perType(spreadOf);
export const tallyOf = perType(parted);
