import { describe, expect } from "vitest";
import type { LocatingOperator } from "../../functions.ts";
import { argmax, argmin, noPosition } from "../../operators.ts";
import type { HostArray, ScalarType } from "../../vector.ts";
import { arrayOf, fromBits, randomElements, runKeys, specialFloats } from "../data.ts";
import { farthest, quarter } from "../operators.ts";
import { check, type Subject } from "./subject.ts";

/** Whether x is better than y. */
type Beats = (x: number, y: number) => boolean;

interface Kind {
  readonly type: ScalarType;
  readonly operator: LocatingOperator;
  readonly beats: Beats;
}

const least: Kind = { type: "f32", operator: argmin, beats: (x, y) => x < y };
const greatest: Kind = { type: "i32", operator: argmax, beats: (x, y) => x > y };
const largest: Kind = { type: "f32", operator: farthest, beats: (x, y) => Math.abs(x) > Math.abs(y) };

/** The lowest position of [from, to) whose element none there beats, unless init does. */
function found(data: ArrayLike<number>, beats: Beats, from: number, to: number, init = Number.NaN): number {
  let position = noPosition;
  for (let i = from; i < to; i++) {
    if (Number.isNaN(data[i]) || beats(init, data[i])) continue;
    if (position === noPosition || beats(data[i], data[position])) position = i;
  }
  return position;
}

interface Scan {
  readonly isExclusive?: boolean;
  readonly reverse?: boolean;
  readonly init?: number;
  readonly isHead?: (i: number) => boolean;
}

/** One element after the other, each compared with the best one of its segment so far. */
function scanned(data: ArrayLike<number>, beats: Beats, scan: Scan): number[] {
  const { isExclusive, reverse, init = Number.NaN, isHead = () => false } = scan;
  const n = data.length;
  const result = new Array<number>(n);
  let best = noPosition;
  for (let k = 0; k < n; k++) {
    const i = reverse ? n - 1 - k : k;
    if (isHead(reverse ? i + 1 : i)) best = noPosition;
    const before = best;
    const isPassed = Number.isNaN(data[i]) || beats(init, data[i]);
    const isBetter = best === noPosition || beats(data[i], data[best]);
    if (!isPassed && (isBetter || (i < best && !beats(data[best], data[i])))) best = i;
    result[i] = isExclusive ? before : best;
  }
  return result;
}

/** Few values, so that many are equal; of f32 both zeros, infinities, and NaN up to the middle of the vector at times. */
function elements(type: ScalarType, n: number, seed: number): HostArray {
  const data = randomElements(type, n, seed, 40);
  if (type !== "f32") return data;
  const nans = seed % 2 ? n / 2 : 0;
  return data.map((x, i) =>
    i < nans || x === 3 ? Number.NaN : x === 4 ? -0 : x === 19 && i % 7 === 0 ? Number.POSITIVE_INFINITY : x,
  );
}

/** Scans whole vectors, each in one direction, so that kernels are few. */
const scans: readonly (Kind & { readonly isExclusive: boolean; readonly reverse: boolean })[] = [
  { ...least, isExclusive: false, reverse: false },
  { ...least, isExclusive: false, reverse: true },
  { ...greatest, isExclusive: true, reverse: false },
  { ...largest, isExclusive: true, reverse: true },
];

/** What operators find that give positions. */
export function describeLocating(subject: Subject): void {
  describe("positions", () => {
    check(subject, "are those that reductions find", async (bag) => {
      const p = bag.primitives;
      for (const n of subject.sizes) {
        for (const { type, operator, beats } of [least, greatest, largest]) {
          const data = elements(type, n, n);
          const what = `${operator.name} of ${n} ${type}`;
          const expected = found(data, beats, 0, n);
          expect(await p.reduce(bag.put(type, data), operator), what).toBe(
            expected === noPosition ? -1 : expected,
          );
        }
        bag.release();
      }
    });

    check(subject, "count for init, and for functions of elements", async (bag) => {
      const p = bag.primitives;
      const vector = bag.u32([7, 3, 9, 3, 8]);
      for (const [init, expected] of [
        [2, -1],
        [3, 1],
        [4, 1],
      ]) {
        expect(await p.reduce(vector, argmin, init), `init ${init}`).toBe(expected);
      }
      expect(await p.reduce(bag.u32([2 ** 32 - 1]), argmin, 2 ** 32 - 1)).toBe(0);
      const options = { transform: quarter, type: "f32" } as const;
      expect(await p.transformReduce(vector, quarter, argmax, 2.25, "f32")).toBe(2);
      expect(await p.transformReduce(vector, quarter, argmax, 2.5, "f32")).toBe(-1);
      const before = p.exclusiveScan(vector, argmin, 2, { ...options, reverse: true });
      await bag.expect(before, [1, 3, 3, 4, noPosition], "quarters before, in reverse");
    });

    check(subject, "are those of the best so far", async (bag) => {
      const p = bag.primitives;
      for (const n of subject.sizes) {
        for (const [k, { type, operator, beats, isExclusive, reverse }] of scans.entries()) {
          const data = elements(type, n, n + k);
          const vector = bag.put(type, data);
          const what = `${operator.name} along ${n} ${type}, exclusive ${isExclusive}, reverse ${reverse}`;
          const expected = scanned(data, beats, { isExclusive, reverse });
          if (!isExclusive) {
            const inclusive = await p.inclusiveScan(vector, operator, { reverse });
            expect(inclusive.type).toBe("u32");
            await bag.expect(inclusive, expected, what);
            continue;
          }
          await bag.expect(p.exclusiveScan(vector, operator, undefined, { reverse }), expected, what);
          const init = 12;
          const begun = p.exclusiveScan(vector, operator, init, { reverse });
          const expectedBegun = scanned(data, beats, { isExclusive, reverse, init });
          await bag.expect(begun, expectedBegun, `with init ${what}`);
        }
        bag.release();
      }
    });

    check(subject, "are right for NaN, zeros, infinities, subnormal numbers", async (bag) => {
      const p = bag.primitives;
      const [one, two] = [1e-40, 2e-40].map(Math.fround);
      const rows: readonly (readonly number[])[] = [
        [Number.NaN, Number.NaN, Number.NaN],
        [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 5],
        [0, -0, 0],
        [-0, 0, -0],
        [two, one, 0, -one, -two],
        [Number.POSITIVE_INFINITY, Number.NaN],
        specialFloats,
        [2, Number.NaN, 2, 1, 1, Number.NaN, 3],
      ];
      const { operator, beats } = least;
      for (const row of rows) {
        const vector = bag.put("f32", arrayOf("f32", row));
        for (const reverse of [false, true]) {
          const expected = scanned(row, beats, { reverse });
          const what = `along ${row}, reverse ${reverse}`;
          await bag.expect(p.inclusiveScan(vector, operator, { reverse }), expected, what);
        }
      }
      const keys = rows.flatMap((row, k) => row.map(() => k));
      const all = rows.flat();
      const places = await p.reduceByKey(bag.u32(keys), bag.put("f32", arrayOf("f32", all)), operator);
      bag.hold(places.keys);
      const expected = rows.map((_, k) => found(all, beats, keys.indexOf(k), keys.lastIndexOf(k) + 1));
      await bag.expect(places.values, expected, "by key");
      // NaN of both signs, and a signalling one.
      const nans = Uint32Array.of(0xffc00000, 0x7fc00000, 0x3f800000, 0xff800001, 0x7f800001);
      const among = bag.put("f32", fromBits("f32", nans));
      await bag.expect(p.inclusiveScan(among, argmin), [noPosition, noPosition, 2, 2, 2], "among NaN");
      expect(await p.argmax(among)).toBe(2);
    });

    check(subject, "begin anew in each segment", async (bag) => {
      const p = bag.primitives;
      const spreads = [1, 5, 300, 2 ** 32];
      for (const [s, n] of subject.sizes.entries()) {
        const spread = spreads[s % spreads.length];
        const drawn = runKeys(n, spread, n + 5);
        const isHead = (i: number) => i > 0 && drawn[i] !== drawn[i - 1];
        const keys = { keys: bag.u32(drawn) };
        const heads = { heads: bag.u32(drawn.map((_, i) => Number(isHead(i)) * (i + 1))) };
        for (const [segments, { type, operator, beats }, isExclusive, reverse] of [
          [keys, least, false, false],
          [heads, largest, true, true],
          [keys, greatest, true, false],
        ] as const) {
          const data = elements(type, n, n + 7);
          const values = bag.put(type, data);
          const what = `${operator.name} in ${n} ${type}, segments of ${spread} by ${Object.keys(segments)}`;
          const expected = scanned(data, beats, { reverse, isHead, isExclusive });
          if (!isExclusive) {
            await bag.expect(p.inclusiveScanByKey(segments, values, operator, { reverse }), expected, what);
            continue;
          }
          const exclusive = p.exclusiveScanByKey(segments, values, operator, { reverse });
          await bag.expect(exclusive, expected, `exclusive ${what}`);
          const init = 12;
          const begun = p.exclusiveScanByKey(segments, values, operator, { reverse, init });
          const expectedBegun = scanned(data, beats, { reverse, isHead, isExclusive, init });
          await bag.expect(begun, expectedBegun, `exclusive with init ${what}`);
        }
        bag.release();
      }
    });

    check(subject, "are those of each run", async (bag) => {
      const p = bag.primitives;
      for (const n of subject.sizes) {
        for (const [spread, { type, operator, beats }] of [
          [1, least],
          [5, least],
          [2 ** 32, greatest],
        ] as const) {
          const keys = runKeys(n, spread, n + 8);
          const starts = Array.from(keys.keys()).filter((i) => i === 0 || keys[i] !== keys[i - 1]);
          const data = elements(type, n, n + 9);
          const what = `${operator.name} of ${type} in runs of ${spread} in ${n}`;
          const places = await p.reduceByKey(bag.u32(keys), bag.put(type, data), operator);
          expect(places.values.type).toBe("u32");
          const expectedKeys = starts.map((start) => keys[start]);
          await bag.expect(places.keys, expectedKeys, `keys of ${what}`);
          const expected = starts.map((start, r) => found(data, beats, start, starts[r + 1] ?? n));
          await bag.expect(places.values, expected, what);
        }
        bag.release();
      }
    });

    check(subject, "of views are the view's", async (bag) => {
      const p = bag.primitives;
      const { operator, beats } = least;
      const data = randomElements("f32", 900, 3, 50);
      const vector = bag.put("f32", data);
      const part = p.view(vector, 101, 850);
      const [own, turned] = [data.subarray(101, 850), data.toReversed()];
      await bag.expect(p.inclusiveScan(part, operator), scanned(own, beats, {}), "a part");
      const reversed = p.inclusiveScan(p.reversed(vector), operator);
      await bag.expect(reversed, scanned(turned, beats, {}), "a reversed view");
      expect(await p.reduce(part, operator)).toBe(found(own, beats, 0, own.length));
    });
  });
}
