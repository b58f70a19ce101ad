import type { ReductionsBackend } from "../../core/primitives/backend.ts";
import { isLocating } from "../../core/primitives/operators.ts";
import { combination } from "../../kernel/element-functions.ts";
import { test, transformed } from "./functions.ts";
import { positionIn } from "./locate.ts";
import { reduceWithInit } from "./scan.ts";
import { countWhere, extremes } from "./summary.ts";
import { type CpuVector, newWords } from "./vector.ts";

/** What sums elements up. */
export const cpuReductions: ReductionsBackend = {
  reduce(vector: CpuVector, operator, init, f, type = vector.type) {
    const words = f ? transformed(type, f, vector.words()) : vector.words();
    if (isLocating(operator)) return positionIn(words, { type, operator, init });
    return reduceWithInit(type, words, operator, init);
  },

  innerProduct(a: CpuVector, b: CpuVector, combine, pair, init) {
    const [x, y] = [a.words(), b.words()];
    const products = newWords(a.type, x.length);
    const product = combination(a.type, pair);
    for (let i = 0; i < x.length; i++) products[i] = product(x[i], y[i]);
    return reduceWithInit(a.type, products, combine, init);
  },

  minmax: (vector: CpuVector) => extremes(vector.words()),

  count(vector: CpuVector, value) {
    const [element] = newWords(vector.type, 1).fill(value);
    return countWhere(vector.words(), (x) => x === element);
  },

  countIf: (vector: CpuVector, predicate) => countWhere(vector.words(), test(predicate, vector.type)),
  all: (vector: CpuVector, predicate) => vector.words().every(test(predicate, vector.type)),
  any: (vector: CpuVector, predicate) => vector.words().some(test(predicate, vector.type)),
};
