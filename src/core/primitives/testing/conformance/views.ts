import { describe, expect } from "vitest";
import { add, max, mul } from "../../operators.ts";
import type { KeysAndValues, Primitives } from "../../primitives.ts";
import type { Vector } from "../../vector.ts";
import { arrayOf, randomElements } from "../data.ts";
import { difference, isOdd, triple } from "../operators.ts";
import { type Bag, check, type Subject } from "./subject.ts";

type Outcome = Vector | KeysAndValues | { readonly vector: Vector; readonly selected: number } | number;

/** Every method that reads vectors; `x` and `y` ascend, are as long as each other, and hold indices below their length. */
const methods: Readonly<
  Record<string, (p: Primitives, x: Vector<"u32">, y: Vector<"u32">) => Promise<Outcome>>
> = {
  front: (p, x) => p.front(x),
  back: (p, x) => p.back(x),
  copy: (p, x) => p.copy(x),
  reverse: (p, x) => p.reverse(x),
  transform: (p, x) => p.transform(x, triple, "u32"),
  zip: (p, x, y) => p.zip([x, y], difference, "u32"),
  reduce: (p, x) => p.reduce(x, add),
  transformReduce: (p, x) => p.transformReduce(x, triple, add),
  innerProduct: (p, x, y) => p.innerProduct(x, y, add, mul),
  minmax: async (p, x) => (await p.minmax(x))[1],
  argmin: (p, x) => p.argmin(x),
  argmax: (p, x) => p.argmax(x),
  count: (p, x) => p.count(x, 3),
  countIf: (p, x) => p.countIf(x, isOdd),
  all: async (p, x) => Number(await p.all(x, isOdd)),
  any: async (p, x) => Number(await p.any(x, isOdd)),
  none: async (p, x) => Number(await p.none(x, isOdd)),
  histogramEven: (p, x) => p.histogramEven(x, 0, 64, 16),
  histogramRange: (p, x) => p.histogramRange(x, [1, 5, 100]),
  inclusiveScan: (p, x) => p.inclusiveScan(x, max),
  exclusiveScan: (p, x) => p.exclusiveScan(x, add, 5),
  inclusiveScanByKey: (p, x, y) => p.inclusiveScanByKey({ keys: x }, y, add),
  exclusiveScanByKey: (p, x, y) => p.exclusiveScanByKey({ heads: x }, y, add),
  reduceByKey: (p, x, y) => p.reduceByKey(x, y, add),
  runLengthEncode: (p, x) => p.runLengthEncode(x),
  uniqueByKey: (p, x, y) => p.uniqueByKey(x, y),
  copyIf: (p, x) => p.copyIf(x, { where: isOdd }),
  removeIf: (p, x, y) => p.removeIf(x, { stencil: y }),
  partition: (p, x, y) => p.partition(x, { stencil: y }),
  unique: (p, x) => p.unique(x),
  segmentedSplit: (p, x, y) => p.segmentedSplit(x, y, { keys: x }),
  gather: (p, x, y) => p.gather(x, y),
  scatter: async (p, x, y) => {
    const target = await p.fill("u32", x.length, 7);
    await p.scatter(p.constant("u32", x.length, 9), x, target);
    await p.scatterIf(p.reversed(y), p.counting("u32", x.length), x, target);
    return target;
  },
  gatherIf: (p, x, y) => p.gatherIf(x, y, y, x),
  lowerBound: (p, x, y) => p.lowerBound(x, y),
  upperBound: (p, x, y) => p.upperBound(x, y),
  upperBoundCounting: (p, x) => p.upperBoundCounting(x, 20),
  merge: (p, x, y) => p.merge(x, y),
  setUnion: (p, x, y) => p.setUnion(x, y),
  setIntersection: (p, x, y) => p.setIntersection(x, y),
  setDifference: (p, x, y) => p.setDifference(x, y),
  sort: (p, x) => p.sort(x, { descending: true }),
  sortByKey: (p, x, y) => p.sortByKey(x, y, { descending: true }),
  segmentedSort: (p, x, y) => p.segmentedSort(x, { keys: y }, { descending: true }),
  argsort: (p, x) => p.argsort(x),
  rank: (p, x) => p.rank(x),
};

/** What came of a method, on the host. */
async function onHost(bag: Bag, outcome: Outcome): Promise<readonly ArrayLike<number>[]> {
  if (typeof outcome === "number") return [[outcome]];
  if ("keys" in outcome) return [await bag.take(outcome.keys), await bag.take(outcome.values)];
  if ("selected" in outcome) return [await bag.take(outcome.vector), [outcome.selected]];
  return [await bag.take(outcome)];
}

/** Vectors without memory of their own. */
export function describeViews(subject: Subject): void {
  describe("views", () => {
    check(subject, "hold what they say", async (bag) => {
      const p = bag.primitives;
      for (const n of subject.sizes) {
        const numbers = Array.from({ length: n }, (_, i) => i);
        const wrapped = arrayOf(
          "u32",
          numbers.map((i) => 2 ** 32 - 7 + 3 * i),
        );
        await bag.expect(p.copy(p.counting("u32", n, 2 ** 32 - 7, 3)), wrapped, `counting ${n} u32`);
        const down = numbers.map((i) => 5 - 3 * i);
        await bag.expect(p.copy(p.counting("i32", n, 5, -3)), down, `counting ${n} i32`);
        const half = numbers.map((i) => i / 2 + 1);
        await bag.expect(p.copy(p.counting("f32", n, 1, 0.5)), half, `counting ${n} f32`);
        const tenths = arrayOf("f32", new Array(n).fill(0.1));
        await bag.expect(p.copy(p.constant("f32", n, 0.1)), tenths, `constant of ${n}`);
        const data = randomElements("i32", 3 * n, n + 1);
        const vector = bag.put("i32", data, 3);
        const [from, to] = [Math.min(n, 5), Math.max(Math.min(n, 5), n - 2)];
        const part = p.view(p.view(vector, 1 % (n + 1), n), from - (1 % (n + 1)), to - (1 % (n + 1)));
        await bag.expect(p.copy(part), data.subarray(3 * from, 3 * to), `elements ${from} to ${to}`, 3);
        const places = numbers.map((i) => (i * 7) % (n + 1));
        const through = p.permuted(p.reversed(vector), bag.u32(places));
        const expected = places.flatMap((i) => [0, 1, 2].map((c) => (i < n ? data[3 * (n - 1 - i) + c] : 0)));
        await bag.expect(p.copy(through), expected, `${n} reversed, through a map`, 3);
        const window = p.view(p.counting("u32", n), from, to);
        await bag.expect(
          p.toHost(window).then((words) => p.fromHost("u32", words)),
          numbers.slice(from, to),
          "part",
        );
        bag.release();
      }
    });

    check(subject, "need no release, and keep nothing alive", async (bag) => {
      const p = bag.primitives;
      const vector = p.fromHost("u32", Uint32Array.of(1, 2, 3));
      const views = [p.view(vector, 0, 2), p.reversed(vector), p.permuted(vector, p.counting("u32", 2))];
      for (const view of views) view.release();
      await bag.expect(p.copy(vector), [1, 2, 3], "the vector after its views");
      vector.release();
      for (const view of views) await expect(p.copy(view)).rejects.toMatchObject({ tag: "BadArgument" });
    });

    const length = 300;
    const ascending = (seed: number) => randomElements("u32", length, seed, 60).sort();

    for (const [name, run] of Object.entries(methods)) {
      check(subject, `are read as vectors are: ${name}`, async (bag) => {
        const p = bag.primitives;
        const [a, b] = [ascending(1), ascending(2)];
        const expected = await onHost(bag, await run(p, bag.u32(a), bag.u32(b)));
        const reversed = p.reversed(bag.u32(a.slice().reverse()));
        const rotated = bag.u32(b.map((_, i) => b[(i + 9) % length]));
        const map = bag.u32(b.map((_, i) => (i + length - 9) % length));
        const shifted = p.view(bag.u32([...a, ...a, ...a]), length, 2 * length);
        const odd = p.view(bag.u32([0, 0, 0, ...b, 9]), 3, length + 3);
        for (const [x, y] of [
          [reversed, p.permuted(rotated, map)],
          [shifted, odd],
        ]) {
          expect(await onHost(bag, await run(p, x, y))).toEqual(expected);
        }
        const [counting, constant] = [p.counting("u32", 50), p.constant("u32", 50, 3)];
        const made = await onHost(bag, await run(p, counting, constant));
        const written = [Uint32Array.from({ length: 50 }, (_, i) => i), new Uint32Array(50).fill(3)];
        expect(made).toEqual(await onHost(bag, await run(p, bag.u32(written[0]), bag.u32(written[1]))));
      });
    }
  });
}
