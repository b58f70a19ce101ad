import { describe } from "vitest";
import type { SortOptions } from "../../primitives.ts";
import type { HostArray, ScalarType } from "../../vector.ts";
import { adversarialWords, fromBits, randomWords, runKeys, scalarTypes, specialFloats } from "../data.ts";
import { check, type Subject } from "./subject.ts";

/** A key as a whole number from 0 on that orders as the sort does: −0 before +0, every NaN last. */
function rankOf(type: ScalarType, x: number): number {
  if (type === "u32") return x;
  if (type === "i32") return x + 2 ** 31;
  if (Number.isNaN(x)) return 2 ** 32 - 1;
  const word = new DataView(new ArrayBuffer(4));
  word.setFloat32(0, x);
  const magnitude = word.getUint32(0) % 2 ** 31;
  return Object.is(x, -0) || x < 0 ? 2 ** 31 - 1 - magnitude : 2 ** 31 + magnitude;
}

/** The stable order that sorts. */
function orderOf(type: ScalarType, keys: HostArray, options: SortOptions = {}): number[] {
  const { descending = false, bits: [from, to] = [0, 32] } = options;
  const parts = Array.from(keys, (x) => Math.floor((rankOf(type, x) % 2 ** to) / 2 ** from));
  const sign = descending ? -1 : 1;
  return Array.from(keys.keys()).sort((i, j) => sign * (parts[i] - parts[j]) || i - j);
}

const windows = [
  [0, 32],
  [8, 24],
  [3, 5],
  [31, 32],
  [7, 7],
  [0, 13],
] as const;

export function describeSorting(subject: Subject): void {
  const { sizes } = subject;

  /** Keys of any bits, for f32 with what orders oddly among them. */
  function keysOf(type: ScalarType, n: number, seed: number): HostArray {
    const keys = fromBits(type, randomWords(n, seed));
    if (type === "f32" && n > 30) keys.set(specialFloats, n >> 1);
    return keys;
  }

  describe("sorts", () => {
    for (const type of scalarTypes) {
      check(subject, `keys, up and down, and keep the order of equal ones: ${type}`, async (bag) => {
        const p = bag.primitives;
        for (const n of sizes) {
          const keys = keysOf(type, n, n + 1);
          const vector = bag.put(type, keys);
          const places = bag.hold(await p.sequence("u32", n));
          for (const descending of [false, true]) {
            const order = orderOf(type, keys, { descending });
            const expected = order.map((i) => keys[i]);
            const what = `${n} ${type}, descending ${descending}`;
            await bag.expect(p.sort(vector, { descending }), expected, what);
            const pairs = await p.sortByKey(vector, places, { descending });
            await bag.expect(pairs.keys, expected, `keys of ${what}`);
            await bag.expect(pairs.values, order, `values of ${what}`);
            await bag.expect(p.argsort(vector, { descending }), order, `order of ${what}`);
            const ranks = new Array<number>(n);
            for (const [rank, i] of order.entries()) ranks[i] = rank;
            await bag.expect(p.rank(vector, { descending }), ranks, `ranks of ${what}`);
          }
          await bag.expect(p.copy(vector), keys, "the keys afterwards");
          bag.release();
        }
      });
    }

    check(subject, "keys of adversarial distributions", async (bag) => {
      const p = bag.primitives;
      const most = Math.max(...sizes);
      for (const [name, words] of Object.entries(adversarialWords(most))) {
        for (const type of scalarTypes) {
          const keys = fromBits(type, words);
          const order = orderOf(type, keys);
          const pairs = await p.sortByKey(bag.put(type, keys), p.counting("u32", most));
          const expected = order.map((i) => keys[i]);
          await bag.expect(pairs.keys, expected, `${name}: ${type}`);
          await bag.expect(pairs.values, order, `values of ${name}: ${type}`);
        }
        bag.release();
      }
    });

    check(subject, "by windows of bits", async (bag) => {
      const p = bag.primitives;
      const n = sizes[sizes.length - 1];
      for (const type of scalarTypes) {
        const keys = keysOf(type, n, 77);
        const vector = bag.put(type, keys);
        for (const bits of windows) {
          for (const descending of [false, true]) {
            const order = orderOf(type, keys, { bits, descending });
            const what = `bits ${bits} of ${type}, descending ${descending}`;
            await bag.expect(p.argsort(vector, { bits, descending }), order, what);
          }
        }
        bag.release();
      }
    });

    check(subject, "carry values of 1 to 4 words", async (bag) => {
      const p = bag.primitives;
      for (const n of sizes) {
        const keys = randomWords(n, n + 2).map((word) => word % 50);
        const order = orderOf("u32", keys);
        for (const components of [1, 2, 3, 4]) {
          const words = randomWords(n * components, n + 3);
          const pairs = await p.sortByKey(bag.u32(keys), bag.put("u32", words, components));
          pairs.keys.release();
          const expected = order.flatMap((i) =>
            Array.from(words.subarray(i * components, (i + 1) * components)),
          );
          await bag.expect(pairs.values, expected, `${n} values of ${components} words`, components);
        }
        bag.release();
      }
    });

    check(subject, "within segments", async (bag) => {
      const p = bag.primitives;
      for (const [k, n] of sizes.entries()) {
        const type = scalarTypes[k % 3];
        const keys = keysOf(type, n, n + 4);
        const vector = bag.put(type, keys);
        for (const spread of [1, 30, 2 ** 32]) {
          const numbers = runKeys(n, spread, n + 5);
          const heads = numbers.map((key, i) => Number(i > 0 && key !== numbers[i - 1]));
          for (const descending of [false, true]) {
            const order = orderOf(type, keys, { descending }).sort((i, j) => numbers[i] - numbers[j]);
            const expected = order.map((i) => keys[i]);
            for (const segments of [{ keys: bag.u32(numbers) }, { heads: bag.u32(heads) }]) {
              const what = `${n} ${type} in segments of ${spread} by ${Object.keys(segments)}`;
              await bag.expect(p.segmentedSort(vector, segments, { descending }), expected, what);
            }
          }
        }
        bag.release();
      }
    });
  });
}
