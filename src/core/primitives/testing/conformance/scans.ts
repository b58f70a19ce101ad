import { describe, expect } from "vitest";
import type { BinaryOperator } from "../../functions.ts";
import { add, first, last, max, min } from "../../operators.ts";
import type { ScalarType } from "../../vector.ts";
import { arrayOf, randomElements, randomWords, runKeys } from "../data.ts";
import { expectedOf } from "../expected.ts";
import { affine, quarter, triple } from "../operators.ts";
import { drifting, sumBound } from "./reductions.ts";
import { check, type Subject } from "./subject.ts";

interface Scan {
  readonly type: ScalarType;
  readonly operator: BinaryOperator;
  readonly isExclusive?: boolean;
  readonly reverse?: boolean;
  readonly init?: number;
  readonly isHead?: (i: number) => boolean;
}

/** One element after the other, in f64 where numbers are f32. */
function scanned(data: ArrayLike<number>, scan: Scan): number[] {
  const { type, operator, isExclusive, reverse, init, isHead = () => false } = scan;
  const n = data.length;
  const combine =
    type === "f32" && operator === add ? (a: number, b: number) => a + b : expectedOf(operator, type);
  const result = new Array<number>(n);
  let before: number | undefined;
  for (let k = 0; k < n; k++) {
    const i = reverse ? n - 1 - k : k;
    if (k === 0 || isHead(reverse ? i + 1 : i)) before = isExclusive ? init : undefined;
    const through = before === undefined ? data[i] : combine(before, data[i]);
    result[i] = isExclusive ? (before ?? operator.identity(type)) : through;
    before = through;
  }
  return result;
}

/** Scans, whole and by segment, and what is made of runs. */
export function describeScans(subject: Subject): void {
  describe("scans", () => {
    check(subject, "combine what comes before, in order", async (bag) => {
      const p = bag.primitives;
      for (const n of subject.sizes) {
        const words = randomWords(n, n + 1).map((word) => word | 1);
        const vector = bag.u32(words);
        const kinds = [add, affine];
        for (const operator of kinds) {
          for (const reverse of [false, true]) {
            const scan = { type: "u32", operator, reverse } as const;
            const what = `${operator.name} of ${n}, reverse ${reverse}`;
            const options = { reverse };
            await bag.expect(p.inclusiveScan(vector, operator, options), scanned(words, scan), what);
            const exclusive = p.exclusiveScan(vector, operator, undefined, options);
            await bag.expect(exclusive, scanned(words, { ...scan, isExclusive: true }), `exclusive ${what}`);
            const begun = p.exclusiveScan(vector, operator, 12345, options);
            const expected = scanned(words, { ...scan, isExclusive: true, init: 12345 });
            await bag.expect(begun, expected, `exclusive with init ${what}`);
          }
        }
        bag.release();
      }
    });

    check(subject, "take other types, the first, the last, functions of elements", async (bag) => {
      const p = bag.primitives;
      for (const n of subject.sizes) {
        const signed = randomElements("i32", n, n + 2);
        const vector = bag.put("i32", signed);
        const greatest = scanned(signed, { type: "i32", operator: max });
        await bag.expect(p.inclusiveScan(vector, max), greatest, `greatest of ${n}`);
        for (const operator of [first, last]) {
          const expected = scanned(signed, { type: "i32", operator, isExclusive: true });
          await bag.expect(p.exclusiveScan(vector, operator), expected, `${operator.name} of ${n}`);
        }
        const tripled = signed.map((x) => 3 * x + 1);
        const sums = scanned(tripled, { type: "i32", operator: add });
        await bag.expect(p.inclusiveScan(vector, add, { transform: triple }), sums, `triples of ${n}`);
        const before = scanned(tripled, { type: "i32", operator: add, isExclusive: true, init: -4 });
        await bag.expect(p.exclusiveScan(vector, add, -4, { transform: triple }), before, `triples of ${n}`);
        bag.release();
      }
    });

    check(subject, "combine what a function makes of another type", async (bag) => {
      const p = bag.primitives;
      const words = randomElements("u32", 700, 11, 1000);
      const quarters = Array.from(words, (word) => word / 4);
      const options = { transform: quarter, type: "f32" } as const;
      const scan = { type: "f32", operator: add } as const;
      const inclusive = await p.inclusiveScan(bag.u32(words), add, options);
      expect(inclusive.type).toBe("f32");
      await bag.expect(inclusive, scanned(quarters, scan), "inclusive");
      const exclusive = p.exclusiveScan(bag.u32(words), add, 0.25, { ...options, reverse: true });
      const expected = scanned(quarters, { ...scan, isExclusive: true, init: 0.25, reverse: true });
      await bag.expect(exclusive, expected, "exclusive, reverse");
    });

    check(subject, "sum f32 within their bound", async (bag) => {
      for (const n of subject.sizes) {
        const data = arrayOf(
          "f32",
          Array.from(randomWords(n, n + 3), (word) => (word - 2 ** 31) / 2 ** 33 + 0.1),
        );
        const scan = { type: "f32", operator: add } as const;
        const [expected, size] = [scanned(data, scan), scanned(data.map(Math.abs), scan)];
        const got = await bag.take(bag.primitives.inclusiveScan(bag.put("f32", data), add));
        const wrong = expected.findIndex((x, i) => !(Math.abs(got[i] - x) <= sumBound(i + 1) * size[i]));
        expect(wrong, `sum ${wrong} of ${n} is ${got[wrong]}, expected ${expected[wrong]}`).toBe(-1);
        bag.release();
      }
      const { n, value } = drifting;
      const sums = await bag.take(
        bag.primitives.inclusiveScan(bag.put("f32", new Float32Array(n).fill(value)), add),
      );
      const wrong = sums.findIndex(
        (sum, i) => !(Math.abs(sum - (i + 1) * value) <= sumBound(i + 1) * (i + 1) * value),
      );
      expect(wrong, `sum ${wrong} of ${n} equal f32 is ${sums[wrong]}`).toBe(-1);
    });
  });

  describe("least and greatest f32", () => {
    const [one, two, three] = [1e-40, 2e-40, 3e-40].map(Math.fround);
    const rows: readonly (readonly number[])[] = [
      [3, Number.NaN, 1],
      [Number.NaN, 2],
      [Number.POSITIVE_INFINITY, Number.NaN],
      [0, -0, 0],
      [-0, 0, -0],
      [two, three, one, 0],
      [-two, -three, -one, -0],
      [1, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    ];

    check(subject, "are NaN where any is, −0 before +0, subnormal ones too", async (bag) => {
      const p = bag.primitives;
      for (const operator of [min, max]) {
        const combine = expectedOf(operator, "f32");
        for (const row of rows) {
          const vector = bag.put("f32", arrayOf("f32", row));
          const expected = row.reduce(combine);
          expect(await p.reduce(vector, operator), `${operator.name} of ${row}`).toBe(expected);
          const running = scanned(row, { type: "f32", operator });
          await bag.expect(p.inclusiveScan(vector, operator), running, `${operator.name} along ${row}`);
        }
        const keys = bag.u32(rows.flatMap((row, k) => row.map(() => k)));
        const sums = await p.reduceByKey(keys, bag.put("f32", arrayOf("f32", rows.flat())), operator);
        bag.hold(sums.keys);
        const expected = rows.map((row) => row.reduce(combine));
        await bag.expect(sums.values, expected, `${operator.name} by key`);
      }
    });
  });

  describe("scans by segment", () => {
    const spreads = [1, 5, 300, 2 ** 32];

    check(subject, "begin anew at each key and each head", async (bag) => {
      const p = bag.primitives;
      for (const [k, n] of subject.sizes.entries()) {
        const words = randomWords(n, n + 4).map((word) => word | 1);
        const values = bag.u32(words);
        const spread = spreads[k % spreads.length];
        const keys = runKeys(n, spread, n + 5);
        const heads = keys.map((key, i) => Number(i > 0 && key !== keys[i - 1]) * (i + 1));
        for (const segments of [{ keys: bag.u32(keys) }, { heads: bag.u32(heads) }]) {
          for (const reverse of [false, true]) {
            const isHead = (i: number) => i > 0 && keys[i] !== keys[i - 1];
            const scan = { type: "u32", operator: affine, reverse, isHead } as const;
            const what = `${n} in segments of ${spread} by ${Object.keys(segments)}, reverse ${reverse}`;
            const inclusive = p.inclusiveScanByKey(segments, values, affine, { reverse });
            await bag.expect(inclusive, scanned(words, scan), what);
            const exclusive = p.exclusiveScanByKey(segments, values, affine, { reverse });
            await bag.expect(exclusive, scanned(words, { ...scan, isExclusive: true }), `exclusive ${what}`);
            const begun = p.exclusiveScanByKey(segments, values, affine, { reverse, init: 777 });
            const expected = scanned(words, { ...scan, isExclusive: true, init: 777 });
            await bag.expect(begun, expected, `exclusive with init ${what}`);
          }
        }
        bag.release();
      }
    });

    check(subject, "sum f32 within the bound of each segment's sum", async (bag) => {
      const p = bag.primitives;
      for (const n of subject.sizes) {
        const data = arrayOf(
          "f32",
          // A large segment before a small one: what leaks from it is far beyond the bound.
          Array.from(
            randomWords(n, n + 9),
            (word, i) => ((word - 2 ** 31) / 2 ** 33 + 0.1) * (i < n / 2 ? 2 ** 20 : 1),
          ),
        );
        const drawn = runKeys(n, 300, n + 10);
        const keys = drawn.map((key, i) => 2 * key + Number(i >= n / 2));
        const isHead = (i: number) => i > 0 && keys[i] !== keys[i - 1];
        const [k, v] = [bag.u32(keys), bag.put("f32", data)];
        for (const reverse of [false, true]) {
          const scan = { type: "f32", operator: add, isHead, reverse } as const;
          const [expected, size] = [scanned(data, scan), scanned(data.map(Math.abs), scan)];
          const got = await bag.take(p.inclusiveScanByKey({ keys: k }, v, add, { reverse }));
          const wrong = expected.findIndex((x, i) => !(Math.abs(got[i] - x) <= sumBound(n) * size[i]));
          expect(wrong, `sum ${wrong} of ${n} is ${got[wrong]}, expected ${expected[wrong]}`).toBe(-1);
          if (reverse) continue;
          const ends = Array.from(keys.keys()).filter((i) => i === n - 1 || isHead(i + 1));
          const sums = await p.reduceByKey(k, v, add);
          bag.hold(sums.keys);
          const totals = await bag.take(sums.values);
          expect(totals.length).toBe(ends.length);
          const off = ends.findIndex(
            (end, r) => !(Math.abs(totals[r] - expected[end]) <= sumBound(n) * size[end]),
          );
          expect(off, `total ${off} of ${n} is ${totals[off]}`).toBe(-1);
        }
        bag.release();
      }
    });

    check(subject, "tell f32 keys as numbers", async (bag) => {
      const p = bag.primitives;
      const keys = bag.put("f32", arrayOf("f32", [0, -0, 1, 1, Number.NaN, Number.NaN, 2]));
      const ones = bag.hold(await p.fill("u32", 7, 1));
      await bag.expect(p.inclusiveScanByKey({ keys }, ones, add), [1, 2, 1, 2, 1, 1, 1], "scan");
      const sums = await p.reduceByKey(keys, ones, add);
      await bag.expect(sums.values, [2, 2, 1, 1, 1], "sums");
      await bag.expect(sums.keys, [0, 1, Number.NaN, Number.NaN, 2], "keys");
    });
  });

  describe("runs", () => {
    check(subject, "are summed, counted, and left once", async (bag) => {
      const p = bag.primitives;
      for (const n of subject.sizes) {
        for (const spread of [1, 5, 2 ** 32]) {
          const keys = runKeys(n, spread, n + 6);
          const words = randomWords(n, n + 7).map((word) => word | 1);
          const starts = Array.from(keys.keys()).filter((i) => i === 0 || keys[i] !== keys[i - 1]);
          const ends = [...starts.slice(1), n];
          const expectedKeys = starts.map((i) => keys[i]);
          const [k, v] = [bag.u32(keys), bag.u32(words)];
          const what = `runs of ${spread} in ${n}`;
          const sums = await p.reduceByKey(k, v, affine);
          await bag.expect(sums.keys, expectedKeys, `keys of ${what}`);
          const expectedSums = starts.map((start, r) =>
            words.subarray(start, ends[r]).reduce(expectedOf(affine, "u32")),
          );
          await bag.expect(sums.values, expectedSums, `sums of ${what}`);
          const lengths = await p.runLengthEncode(k);
          await bag.expect(lengths.keys, expectedKeys, `keys of ${what}`);
          const expectedLengths = starts.map((start, r) => ends[r] - start);
          await bag.expect(lengths.values, expectedLengths, `lengths of ${what}`);
          const firsts = await p.uniqueByKey(k, v);
          await bag.expect(firsts.keys, expectedKeys, `keys of ${what}`);
          const expectedFirsts = starts.map((start) => words[start]);
          await bag.expect(firsts.values, expectedFirsts, `first values of ${what}`);
          await bag.expect(p.unique(k), expectedKeys, `unique of ${what}`);
          const triples = bag.put("u32", randomWords(3 * n, n + 8), 3);
          const moved = await p.uniqueByKey(k, triples);
          moved.keys.release();
          const all = randomWords(3 * n, n + 8);
          const expectedTriples = starts.flatMap((start) =>
            Array.from(all.subarray(3 * start, 3 * start + 3)),
          );
          await bag.expect(moved.values, expectedTriples, `first triples of ${what}`, 3);
        }
        bag.release();
      }
    });
  });
}
