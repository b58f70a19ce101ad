import { describe, expect } from "vitest";
import { all, own } from "../../access.ts";
import { add, max, min } from "../../operators.ts";
import { defineReduction, defineTally } from "../../reduction.ts";
import { fromBits, randomElements, randomWords, scalarTypes } from "../data.ts";
import { spread, tallyOf } from "../each.ts";
import { affine } from "../operators.ts";
import { check, type Subject } from "./subject.ts";

/** Of pairs weighed by a table, without those whose weight is 0: the sum of products, its magnitude, the highest place. */
const weighed = defineReduction({
  name: "weighed",
  inputs: {
    pairs: { type: "f32", components: 2, access: own },
    weights: { type: "i32", access: all },
    plane: { type: "f32", access: all },
  },
  constants: { scale: { type: "f32", components: 2 }, modulus: { type: "u32" } },
  terms: {
    sum: { type: "f32", operator: add },
    magnitude: { type: "f32", operator: add },
    last: { type: "i32", operator: max },
    lowest: { type: "f32", operator: min },
  },
  text: `
    let weight = weights(element % constants.modulus);
    if (weight == 0) { return; }
    let term = dot(pairs(), constants.scale) * f32(weight);
    out.sum = term;
    out.magnitude = abs(term);
    out.last = i32(element);
    out.lowest = plane(element);`,
});

/** Puts words into bins by a digit. */
const digits = defineTally({
  name: "digits",
  inputs: { words: { type: "u32", access: own } },
  constants: { shift: { type: "u32" } },
  text: "out.bin = words() >> constants.shift;",
});

const ordered = defineReduction({
  name: "ordered",
  inputs: {},
  constants: {},
  terms: { all: { type: "u32", operator: affine } },
  text: "",
});

const empty = defineReduction({
  name: "empty",
  inputs: {},
  constants: {},
  terms: {},
  text: "",
});

/** Functions of elements that are reduced or counted, and not stored. */
export function describeEach(subject: Subject): void {
  describe("reductions of what functions make", () => {
    check(subject, "give several results of each element, of every type", async (bag) => {
      const p = bag.primitives;
      for (const type of scalarTypes) {
        for (const n of subject.sizes) {
          const data = randomElements(type, n, n + 1, 500);
          const got = await p.reduceEach(n, spread[type], {
            inputs: { x: bag.put(type, data) },
            constants: { shift: 3 },
          });
          const large = Array.from(data.keys()).filter((i) => data[i] > 100);
          expect(got, `${n} ${type}`).toEqual({
            least: Math.min(min.identity(type), ...data),
            greatest: Math.max(max.identity(type), ...data),
            large: large.length,
            places: large.reduce((word, i) => (word ^ (i + 3)) >>> 0, 0),
          });
          bag.release();
        }
      }
    });

    check(subject, "read components, tables and views, and sum more closely than f32", async (bag) => {
      const p = bag.primitives;
      for (const n of subject.sizes) {
        const pairs = Float32Array.from(randomWords(2 * n, n + 1), (word) => word / 2 ** 32);
        const plane = Float32Array.from(randomWords(n, n + 2), (word) => word / 2 ** 31);
        const weights = [3, 0, -1, 2];
        const { sum, magnitude, last, lowest } = await p.reduceEach(n, weighed, {
          inputs: {
            pairs: p.reversed(bag.put("f32", pairs, 2)),
            weights: bag.put("i32", Int32Array.from(weights)),
            plane: bag.put("f32", plane),
          },
          constants: { scale: [0.5, -2], modulus: 4 },
        });
        const expected = { sum: 0, magnitude: 0, last: max.identity("i32"), lowest: Infinity };
        for (let i = 0; i < n; i++) {
          const weight = weights[i % 4];
          if (weight === 0) continue;
          const at = 2 * (n - 1 - i);
          const term = (pairs[at] * 0.5 - pairs[at + 1] * 2) * weight;
          expected.sum += term;
          expected.magnitude += Math.abs(term);
          expected.last = i;
          expected.lowest = Math.min(expected.lowest, plane[i]);
        }
        const bound = 28 * 2 ** -24 * expected.magnitude;
        expect(Math.abs(sum - expected.sum), `sum of ${n}`).toBeLessThanOrEqual(bound);
        expect(Math.abs(magnitude - expected.magnitude), `magnitude of ${n}`).toBeLessThanOrEqual(bound);
        expect([last, lowest], `of ${n}`).toEqual([expected.last, expected.lowest]);
        bag.release();
      }
    });

    check(subject, "take shares of a row at the places of the whole", async (bag) => {
      const p = bag.primitives;
      for (const n of subject.sizes) {
        const pairs = Float32Array.from(randomWords(2 * n, n + 1), (word) => word / 2 ** 32);
        const plane = Float32Array.from(randomWords(n, n + 2), (word) => word / 2 ** 31);
        const weights = bag.put("i32", Int32Array.of(3, 0, -1, 2));
        const constants = { scale: [0.5, -2], modulus: 4 };
        const from = Math.floor(n / 3);
        const { last, lowest } = await p.reduceEach(n - from, weighed, {
          inputs: {
            pairs: bag.put("f32", pairs.slice(2 * from), 2),
            weights,
            plane: bag.put("f32", plane.slice(from)),
          },
          constants,
          share: { first: from, origins: { plane: from } },
        });
        const taken = Array.from(plane.keys()).filter((i) => i >= from && i % 4 !== 1);
        expect([last, lowest], `of ${n} from ${from}`).toEqual([
          taken.at(-1) ?? max.identity("i32"),
          taken.reduce((least, i) => Math.min(least, plane[i]), Infinity),
        ]);
        bag.release();
      }
    });

    check(subject, "refuse operators that do not commute, no terms, and what does not fit", async (bag) => {
      const p = bag.primitives;
      const given = { inputs: {}, constants: {} };
      await expect(p.reduceEach(3, ordered, given)).rejects.toMatchObject({ tag: "BadArgument" });
      await expect(p.reduceEach(3, empty, given)).rejects.toMatchObject({ tag: "BadArgument" });
      const inputs = { x: bag.u32([1, 2, 3]) };
      const short = p.reduceEach(4, spread.u32, { inputs, constants: { shift: 0 } });
      await expect(short).rejects.toMatchObject({ tag: "BadArgument" });
      const none = p.reduceEach(3, spread.u32, { inputs, constants: {} });
      await expect(none).rejects.toMatchObject({ tag: "BadArgument" });
      const bins = p.countEach(3, tallyOf.u32, 0, { inputs, constants: { scale: 1 } });
      await expect(bins).rejects.toMatchObject({ tag: "BadArgument" });
    });
  });

  describe("counts of what functions make", () => {
    check(subject, "leave out what lies beyond the bins, few and many", async (bag) => {
      const p = bag.primitives;
      for (const n of subject.sizes) {
        const words = randomWords(n, n + 1);
        const inputs = { words: bag.u32(words) };
        for (const [bins, shift] of [
          [1, 31],
          [200, 24],
          [1000, 22],
          [3000, 20],
          [5000, 19],
        ]) {
          const expected = new Uint32Array(bins);
          for (const word of words) if (word >>> shift < bins) expected[word >>> shift]++;
          const counts = p.countEach(n, digits, bins, { inputs, constants: { shift } });
          await bag.expect(counts, expected, `${bins} bins of ${n}`);
        }
        bag.release();
      }
    });

    check(subject, "are of numbers of every type, made up too", async (bag) => {
      const p = bag.primitives;
      for (const type of scalarTypes) {
        for (const n of subject.sizes) {
          const data = randomElements(type, n, n + 5, 400);
          const map = randomWords(n, n + 3).map((word) => word % (n + 1));
          const x = p.permuted(bag.put(type, data), bag.u32(map));
          const expected = new Uint32Array(40);
          for (const i of map) {
            const bin = Math.floor((data[i] ?? 0) / 3);
            if (bin >= 0 && bin < 40) expected[bin]++;
          }
          const counts = p.countEach(n, tallyOf[type], 40, { inputs: { x }, constants: { scale: 3 } });
          await bag.expect(counts, expected, `${n} ${type}`);
          bag.release();
        }
      }
    });

    check(subject, "tell NaN from numbers", async (bag) => {
      const p = bag.primitives;
      const data = fromBits(
        "f32",
        Uint32Array.of(0x7fc00000, 0xffc00000, 0x40400000, 0x7f800000, 0xff800000),
      );
      const counts = p.countEach(5, nanOrInfinite, 3, {
        inputs: { x: bag.put("f32", data) },
        constants: {},
      });
      await bag.expect(counts, [1, 2, 2], "numbers, NaN, infinities");
    });
  });
}

const nanOrInfinite = defineTally({
  name: "NaN or infinite",
  inputs: { x: { type: "f32", access: own } },
  constants: {},
  text: "out.bin = select(select(2u, 0u, isFinite(x())), 1u, isNan(x()));",
});
