import { describe, expect } from "vitest";
import { add, and, first, last, max, min, mul, or, xor } from "../../operators.ts";
import { arrayOf, randomElements, randomWords, scalarTypes, specialFloats } from "../data.ts";
import { expectedOf } from "../expected.ts";
import { affine, isLarge, isOdd, quarter, triple } from "../operators.ts";
import { check, type Subject } from "./subject.ts";

/** How far f32 sums of n elements may be from the exact one, for each unit of the magnitudes' sum. */
export const sumBound = (n: number) => (80 + n / 4096) * 2 ** -24;

/** So many equal f32 whose sum, one after the other, would drift far beyond the bound: every rounding has one sign. */
export const drifting = { n: 2 ** 17, value: Math.fround(0.1) };

/** What sums elements up to one number, and histograms. */
export function describeReductions(subject: Subject): void {
  const { sizes } = subject;

  describe("reductions", () => {
    check(subject, "combine every element once, init once", async (bag) => {
      const p = bag.primitives;
      for (const n of sizes) {
        const words = randomWords(n, n + 1);
        const vector = bag.u32(words);
        const sum = words.reduce((a, b) => (a + b) >>> 0, 0);
        const product = words.reduce((a, b) => Math.imul(a, b) >>> 0, 1);
        expect(await p.reduce(vector, add), `sum of ${n}`).toBe(sum);
        expect(await p.reduce(vector, add, 1000), `sum of ${n} with init`).toBe((sum + 1000) >>> 0);
        expect(await p.reduce(vector, mul), `product of ${n}`).toBe(product);
        const tripled = words.reduce((a, b) => (a + Math.imul(b, 3) + 1) >>> 0, 0);
        expect(await p.transformReduce(vector, triple, add), `sum of ${n} triples`).toBe(tripled);
        expect(await p.transformReduce(vector, triple, add, 9)).toBe((tripled + 9) >>> 0);
        const signed = randomElements("i32", n, n + 2);
        const negative = bag.put("i32", signed);
        expect(await p.reduce(negative, max), `greatest of ${n}`).toBe(
          signed.reduce((a, b) => Math.max(a, b), -(2 ** 31)),
        );
        expect(await p.reduce(negative, min, -7), `least of ${n}`).toBe(
          signed.reduce((a, b) => Math.min(a, b), -7),
        );
        bag.release();
      }
    });

    check(subject, "combine what a function makes of another type", async (bag) => {
      const words = randomElements("u32", 700, 11, 1000);
      const expected = words.reduce((sum, word) => sum + word / 4, 0.5);
      const got = await bag.primitives.transformReduce(bag.u32(words), quarter, add, 0.5, "f32");
      expect(got).toBe(expected);
    });

    check(subject, "combine bits", async (bag) => {
      const words = randomWords(300, 5).map((word) => word | 0x10);
      const vector = bag.u32(words);
      for (const [operator, expected] of [
        [and, words.reduce((a, b) => (a & b) >>> 0)],
        [or, words.reduce((a, b) => (a | b) >>> 0)],
        [xor, words.reduce((a, b) => (a ^ b) >>> 0)],
      ] as const) {
        expect(await bag.primitives.reduce(vector, operator), operator.name).toBe(expected);
      }
    });

    check(subject, "keep the order of operands that do not commute", async (bag) => {
      const p = bag.primitives;
      for (const n of sizes) {
        const words = randomWords(n, n + 3).map((word) => word | 1);
        const vector = bag.u32(words);
        const combine = expectedOf(affine, "u32");
        expect(await p.reduce(vector, affine), `maps of ${n}`).toBe(words.reduce(combine, 1));
        expect(await p.reduce(vector, affine, 12345)).toBe(words.reduce(combine, 12345));
        expect(await p.reduce(vector, first), `first of ${n}`).toBe(n ? words[0] : 0);
        expect(await p.reduce(vector, last), `last of ${n}`).toBe(n ? words[n - 1] : 0);
        expect(await p.reduce(vector, first, 77)).toBe(77);
        bag.release();
      }
    });

    check(subject, "sum f32 within their bound", async (bag) => {
      const p = bag.primitives;
      for (const n of sizes) {
        const data = arrayOf(
          "f32",
          Array.from(randomWords(n, n + 4), (word) => (word - 2 ** 31) / 2 ** 33 + 0.1),
        );
        const others = arrayOf(
          "f32",
          Array.from(randomWords(n, n + 5), (word) => word / 2 ** 32),
        );
        const vector = bag.put("f32", data);
        const sum = data.reduce((a, b) => a + b, 0);
        const size = data.reduce((a, b) => a + Math.abs(b), 0);
        expect(Math.abs((await p.reduce(vector, add)) - sum), `sum of ${n}`).toBeLessThanOrEqual(
          sumBound(n) * size,
        );
        const product = data.reduce((a, b, i) => a + b * others[i], 0.5);
        const got = await p.innerProduct(vector, bag.put("f32", others), add, mul, 0.5);
        expect(Math.abs(got - product), `inner product of ${n}`).toBeLessThanOrEqual(
          sumBound(n + 2) * (size + 0.5),
        );
        bag.release();
      }
    });

    check(subject, "sum many equal f32 within their bound", async (bag) => {
      const { n, value } = drifting;
      const sum = await bag.primitives.reduce(bag.put("f32", new Float32Array(n).fill(value)), add);
      expect(Math.abs(sum - n * value)).toBeLessThanOrEqual(sumBound(n) * n * value);
    });

    check(subject, "multiply pairs", async (bag) => {
      for (const n of sizes) {
        const [a, b] = [1, 2].map((seed) => randomWords(n, n + seed));
        const expected = a.reduce((sum, x, i) => (sum + Math.imul(x, b[i])) >>> 0, 0);
        const got = await bag.primitives.innerProduct(bag.u32(a), bag.u32(b), add, mul);
        expect(got, `inner product of ${n}`).toBe(expected);
        bag.release();
      }
    });

    check(subject, "find the least and the greatest, the first of each, and pass over NaN", async (bag) => {
      const p = bag.primitives;
      for (const type of scalarTypes) {
        for (const n of sizes) {
          const data = randomElements(type, n, n + 6, 50);
          if (type === "f32") for (let i = 0; i < n; i += 3) data[i] = Number.NaN;
          const numbers = Array.from(data).filter((x) => !Number.isNaN(x));
          const [low, high] = numbers.length
            ? [numbers.reduce((a, b) => Math.min(a, b)), numbers.reduce((a, b) => Math.max(a, b))]
            : [Number.NaN, Number.NaN];
          const vector = bag.put(type, data);
          expect(await p.minmax(vector), `extremes of ${n} ${type}`).toEqual([low, high]);
          expect(await p.argmin(vector), `least of ${n} ${type}`).toBe(data.indexOf(low));
          expect(await p.argmax(vector), `greatest of ${n} ${type}`).toBe(data.indexOf(high));
          bag.release();
        }
      }
      const infinite = bag.put("f32", arrayOf("f32", specialFloats));
      expect(await p.minmax(infinite)).toEqual([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
      const undefinedOnly = bag.put("f32", arrayOf("f32", [Number.NaN, Number.NaN]));
      expect([await p.argmin(undefinedOnly), await p.argmax(undefinedOnly)]).toEqual([-1, -1]);
    });

    check(subject, "tell subnormal f32 apart, and −0 from +0 where a value is asked for", async (bag) => {
      const p = bag.primitives;
      const f32 = (...numbers: number[]) => bag.put("f32", arrayOf("f32", numbers));
      const [one, two, three] = [1e-40, 2e-40, 3e-40].map(Math.fround);
      expect(await p.minmax(f32(three, one))).toEqual([one, three]);
      expect(await p.minmax(f32(-one, -three, 0))).toEqual([-three, 0]);
      expect(await p.argmin(f32(two, one))).toBe(1);
      expect(await p.argmax(f32(0, one, two))).toBe(2);
      expect(await p.argmin(f32(0, -0, one))).toBe(0);
      expect(await p.argmax(f32(-0, 0, -one))).toBe(0);
      expect(await p.count(f32(one, 0, -0), 0)).toBe(2);
      expect(await p.count(f32(one, 0, one, two), one)).toBe(2);
      expect(await p.count(f32(Number.NaN, 1), Number.NaN)).toBe(0);
      expect(await p.minmax(f32(-0))).toEqual([-0, -0]);
      expect(await p.minmax(f32(0, -0, 0))).toEqual([-0, 0]);
    });

    check(subject, "count", async (bag) => {
      const p = bag.primitives;
      for (const n of sizes) {
        const words = randomElements("u32", n, n + 7, 1000);
        const vector = bag.put("u32", words);
        const odd = words.filter((x) => x % 2 === 1).length;
        expect(await p.countIf(vector, isOdd), `odd of ${n}`).toBe(odd);
        const value = words[n >> 1] ?? 3;
        expect(await p.count(vector, value)).toBe(words.filter((x) => x === value).length);
        expect(await p.all(vector, isOdd)).toBe(odd === n);
        expect(await p.any(vector, isOdd)).toBe(odd > 0);
        expect(await p.none(vector, isOdd)).toBe(odd === 0);
        bag.release();
      }
      const tenths = bag.put("f32", arrayOf("f32", [0.1, 0.2, -0, 0, 101, 0.1]));
      expect(await p.count(tenths, 0.1)).toBe(2);
      expect(await p.count(tenths, 0)).toBe(2);
      expect(await p.countIf(tenths, isLarge)).toBe(1);
      const large = bag.put("i32", arrayOf("i32", new Array(700).fill(101)));
      expect(await p.all(large, isLarge)).toBe(true);
      expect(await p.none(large, isLarge)).toBe(false);
    });
  });

  describe("histograms", () => {
    check(subject, "count in equal parts, whatever the distribution", async (bag) => {
      const p = bag.primitives;
      for (const n of sizes) {
        for (const [type, low, high] of [
          ["u32", 0, 1024],
          ["i32", -256, 256],
          ["f32", -256, 256],
        ] as const) {
          const spread = n % 2 ? 1200 : 8;
          const data = randomElements(type, n, n + 8, spread);
          const expected = new Array<number>(64).fill(0);
          for (const x of data)
            if (x >= low && x < high) expected[Math.floor((x - low) / ((high - low) / 64))]++;
          const vector = bag.put(type, data);
          await bag.expect(p.histogramEven(vector, low, high, 64), expected, `parts of ${n} ${type}`);
        }
        bag.release();
      }
    });

    check(subject, "count between edges", async (bag) => {
      const p = bag.primitives;
      for (const n of sizes) {
        for (const type of scalarTypes) {
          const edges = [-3, 0.5, 1, 40, 41, 2 ** 33];
          const data = randomElements(type, n, n + 9, 100);
          const expected = edges
            .slice(1)
            .map((edge, k) => Array.from(data).filter((x) => x >= edges[k] && x < edge).length);
          await bag.expect(
            p.histogramRange(bag.put(type, data), edges),
            expected,
            `edges among ${n} ${type}`,
          );
        }
        bag.release();
      }
      const special = bag.put("f32", arrayOf("f32", specialFloats));
      const edges = [Number.NEGATIVE_INFINITY, 0, Number.POSITIVE_INFINITY];
      await bag.expect(p.histogramRange(special, edges), [4, 6], "from infinity to infinity");
    });
  });
}
