import { describe } from "vitest";
import type { ScalarType } from "../../vector.ts";
import { arrayOf, randomElements, scalarTypes, specialFloats } from "../data.ts";
import { check, type Subject } from "./subject.ts";

/** −0 and +0 together, every NaN after all numbers. */
function compare(a: number, b: number): number {
  const [isA, isB] = [Number.isNaN(a), Number.isNaN(b)];
  return isA || isB ? Number(isA) - Number(isB) : a < b ? -1 : Number(a > b);
}

const ascending = (data: ArrayLike<number>) => Array.from(data).sort(compare);

/** Equal elements, in order: a Map compares numbers as searches do. */
function grouped(data: readonly number[]): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  for (const x of data) groups.set(x, [...(groups.get(x) ?? []), x]);
  return groups;
}

/** `rule` says which of a's m and b's n equal elements are kept: a's from one to another, b's from one on. */
function combined(
  a: readonly number[],
  b: readonly number[],
  rule: (m: number, n: number) => readonly [fromA: number, toA: number, fromB: number],
): number[] {
  const [ofA, ofB] = [grouped(a), grouped(b)];
  const values = [...grouped(ascending([...a, ...b])).keys()];
  return values.flatMap((x) => {
    const [inA, inB] = [ofA.get(x) ?? [], ofB.get(x) ?? []];
    const [fromA, toA, fromB] = rule(inA.length, inB.length);
    return [...inA.slice(fromA, toA), ...inB.slice(fromB)];
  });
}

/** What takes ascending vectors: searches, merges, operations on sets. */
export function describeSorted(subject: Subject): void {
  const { sizes } = subject;

  /** Ascending elements with few or many duplicates, for f32 with zeros of both signs, NaN and infinities among them. */
  function sortedOf(type: ScalarType, n: number, seed: number, spread: number): number[] {
    const data = Array.from(randomElements(type, n, seed, spread));
    if (type === "f32" && n > 20) data.splice(0, specialFloats.length, ...specialFloats);
    return ascending(arrayOf(type, data));
  }

  describe("searches", () => {
    check(subject, "tell where any needle could be inserted", async (bag) => {
      const p = bag.primitives;
      for (const type of scalarTypes) {
        for (const [k, n] of sizes.entries()) {
          const spread = [10, 1000, 2 ** 24][k % 3];
          const data = sortedOf(type, n, n + 1, spread);
          const needles = [...randomElements(type, sizes[sizes.length - 1 - k], n + 2, spread * 1.5)];
          if (type === "f32") needles.push(...specialFloats);
          const [sorted, wanted] = [arrayOf(type, data), arrayOf(type, needles)];
          const [x, y] = [bag.put(type, sorted), bag.put(type, wanted)];
          const place = (needle: number, least: number) => {
            const found = data.findIndex((z) => compare(z, needle) >= least);
            return found < 0 ? n : found;
          };
          const what = `of ${needles.length} in ${n} ${type}`;
          const lower = needles.map((needle) => place(needle, 0));
          await bag.expect(p.lowerBound(x, y), lower, `first places ${what}`);
          const upper = needles.map((needle) => place(needle, 1));
          await bag.expect(p.upperBound(x, y), upper, `last places ${what}`);
          bag.release();
        }
      }
    });

    check(subject, "count what is at most 0, 1, …", async (bag) => {
      for (const [k, n] of sizes.entries()) {
        for (const spread of [4, 3 * n + 1, 2 ** 32]) {
          const data = randomElements("u32", n, n + 3, spread).sort();
          const count = sizes[sizes.length - 1 - k] + 3;
          const expected = Array.from({ length: count }, () => 0);
          for (const x of data) if (x < count) expected[x]++;
          for (let i = 1; i < count; i++) expected[i] += expected[i - 1];
          const got = bag.primitives.upperBoundCounting(bag.u32(data), count);
          await bag.expect(got, expected, `counts to ${count} of ${n} below ${spread}`);
        }
        bag.release();
      }
    });
  });

  describe("ascending vectors", () => {
    for (const type of scalarTypes) {
      check(subject, `merge and combine as sets: ${type}`, async (bag) => {
        const p = bag.primitives;
        for (const [k, n] of sizes.entries()) {
          const spread = [6, 200, 2 ** 24][k % 3];
          const others = sizes[((sizes.length >> 1) + k * 3) % sizes.length];
          const [a, b] = [sortedOf(type, n, n + 4, spread), sortedOf(type, others, n + 5, spread)];
          const [x, y] = [bag.put(type, arrayOf(type, a)), bag.put(type, arrayOf(type, b))];
          const what = `of ${n} and ${others}`;
          await bag.expect(p.merge(x, y), ascending([...a, ...b]), `merge ${what}`);
          const union = combined(a, b, (m) => [0, m, m]);
          await bag.expect(p.setUnion(x, y), union, `union ${what}`);
          const shared = combined(a, b, (m, o) => [0, Math.min(m, o), o]);
          await bag.expect(p.setIntersection(x, y), shared, `intersection ${what}`);
          const rest = combined(a, b, (m, o) => [Math.min(m, o), m, o]);
          await bag.expect(p.setDifference(x, y), rest, `difference ${what}`);
          bag.release();
        }
      });
    }
  });
}
