import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../../errors.ts";
import { all, own } from "../../access.ts";
import { defineKernel } from "../../kernel.ts";
import { add, mul } from "../../operators.ts";
import type { Primitives } from "../../primitives.ts";
import type { ScalarType, Vector } from "../../vector.ts";
import { difference, isOdd, triple } from "../operators.ts";
import { check, type Make, onAllRanks, ranksOf, type Subject } from "./subject.ts";

/** Vectors for bad calls: of three, four and no elements, of two components, of f32, one that was released. */
interface Fixtures {
  readonly three: Vector<"u32">;
  readonly four: Vector<"u32">;
  readonly empty: Vector<"u32">;
  readonly pairs: Vector<"u32">;
  readonly floats: Vector<"f32">;
  readonly released: Vector<"u32">;
}

const sum = defineKernel({
  name: "sum",
  inputs: { terms: { type: "u32", access: own }, table: { type: "f32", components: 2, access: all } },
  constants: { shift: { type: "u32" } },
  outputs: { total: { type: "f32" } },
  text: "out.total = f32(terms()) + table(element).x + f32(constants.shift);",
});

type Call = (p: Primitives, fixtures: Fixtures) => unknown;

const badArguments: Readonly<Record<string, Call>> = {
  "more components than 4": (p) => p.fromHost("u32", new Uint32Array(10), 5),
  "no components": (p) => p.fromHost("u32", new Uint32Array(10), 0),
  "words left over": (p) => p.fromHost("f32", new Float32Array(10), 3),
  "front of nothing": (p, { empty }) => p.front(empty),
  "back of nothing": (p, { empty }) => p.back(empty),
  "front of pairs": (p, { pairs }) => p.front(pairs),
  "a view past the end": (p, { three }) => p.view(three, 1, 4),
  "a view from before the start": (p, { three }) => p.view(three, -1, 2),
  "a view backwards": (p, { three }) => p.view(three, 2, 1),
  "a view of halves": (p, { three }) => p.view(three, 0.5, 2),
  "a negative count": (p) => p.counting("u32", -1),
  "half a constant": (p) => p.constant("u32", 0.5, 1),
  "a map of f32": (p, { three, floats }) => p.permuted(three, floats as Vector<ScalarType> as Vector<"u32">),
  "a negative fill": (p) => p.fill("u32", -1, 0),
  "a sequence of NaN": (p) => p.sequence("u32", Number.NaN),
  "half a generated element": (p) => p.generate("u32", 1.5, triple),
  "a transform of pairs": (p, { pairs }) => p.transform(pairs, triple, "u32"),
  "a zip of nothing": (p) => p.zip([], difference, "u32"),
  "a zip of three and four": (p, { three, four }) => p.zip([three, four], difference, "u32"),
  "a kernel's table of one word": (p, { three, floats }) =>
    p.forEach(3, sum, { inputs: { terms: three, table: floats }, constants: { shift: 1 } }),
  "a kernel's table of words": (p, { three, pairs }) =>
    p.forEach(3, sum, {
      inputs: { terms: three, table: pairs as Vector<ScalarType> as Vector<"f32"> },
      constants: { shift: 1 },
    }),
  "four terms of three": (p, { four }) =>
    p.forEach(3, sum, {
      inputs: { terms: four, table: p.fromHost("f32", new Float32Array(6), 2) },
      constants: { shift: 1 },
    }),
  "a kernel at four places of three": (p, { three, four }) =>
    p.forEach(3, sum, {
      inputs: { terms: three, table: p.fromHost("f32", new Float32Array(6), 2) },
      constants: { shift: 1 },
      at: four,
    }),
  "half a constant of u32": (p, { three }) =>
    p.forEach(3, sum, {
      inputs: { terms: three, table: p.fromHost("f32", new Float32Array(6), 2) },
      constants: { shift: 0.5 },
    }),
  "half a result": (p, { three }) =>
    p.forEach(2.5, sum, {
      inputs: { terms: three, table: p.fromHost("f32", new Float32Array(6), 2) },
      constants: { shift: 1 },
    }),
  "a sum of pairs": (p, { pairs }) => p.reduce(pairs, add),
  "a product of three and four": (p, { three, four }) => p.innerProduct(three, four, add, mul),
  "a scan to a type by no function": (p, { three }) => p.inclusiveScan(three, add, { type: "f32" }),
  "a product of types": (p, { three, floats }) => p.innerProduct(three, floats, add, mul),
  "extremes of pairs": (p, { pairs }) => p.minmax(pairs),
  "no bins": (p, { three }) => p.histogramEven(three, 0, 1, 0),
  "bins of nothing": (p, { floats }) => p.histogramEven(floats, 1, 1, 4),
  "bins to infinity": (p, { floats }) => p.histogramEven(floats, 0, Number.POSITIVE_INFINITY, 4),
  "one edge": (p, { three }) => p.histogramRange(three, [1]),
  "edges that descend": (p, { floats }) => p.histogramRange(floats, [1, 3, 2]),
  "an edge that is NaN": (p, { floats }) => p.histogramRange(floats, [0, Number.NaN]),
  "a scan of pairs": (p, { pairs }) => p.inclusiveScan(pairs, add),
  "fewer keys than values": (p, { three, four }) => p.inclusiveScanByKey({ keys: three }, four, add),
  "fewer heads than values": (p, { three, four }) => p.exclusiveScanByKey({ heads: three }, four, add),
  "keys of pairs": (p, { three, pairs }) => p.inclusiveScanByKey({ keys: pairs }, three, add),
  "runs of three with four values": (p, { three, four }) => p.reduceByKey(three, four, add),
  "sums of pairs by key": (p, { three, pairs }) => p.reduceByKey(three, pairs, add),
  "runs of pairs": (p, { pairs }) => p.runLengthEncode(pairs),
  "first of four values for three keys": (p, { three, four }) => p.uniqueByKey(three, four),
  "a predicate of pairs": (p, { pairs }) => p.copyIf(pairs, { where: isOdd }),
  "a stencil of four": (p, { three, four }) => p.removeIf(three, { stencil: four }),
  "a partition by four": (p, { three, four }) => p.partition(three, { stencil: four }),
  "a split of three by four": (p, { three, four }) => p.segmentedSplit(three, four, { keys: three }),
  "a split in segments of four": (p, { three, four }) => p.segmentedSplit(three, three, { heads: four }),
  "an index out of range": (p, { three, four }) => p.gather(four, three, true),
  "a stencil of four to gather three": (p, { three, four }) => p.gatherIf(three, four, three, three),
  "a fallback of four": (p, { three, four }) => p.gatherIf(three, three, four, four),
  "a fallback of pairs": (p, { three, pairs }) => p.gatherIf(three, three, three, pairs),
  "a scatter of three through four": (p, { three, four, empty }) => p.scatter(three, four, empty),
  "a scatter to pairs": (p, { three, pairs }) => p.scatter(three, p.counting("u32", 3), pairs),
  "a scatter to its source": (p, { three }) => p.scatter(three, p.counting("u32", 3), three),
  "a scatter to a view of its map": (p, { three }) =>
    p.scatter(p.counting("u32", 3), three, p.view(three, 0, 2)),
  "a scatter to its stencil": (p, { three, four }) =>
    p.scatterIf(p.counting("u32", 3), p.counting("u32", 3), three, p.view(three, 0, four.length - 1)),
  "a scatter to a constant": (p, { three }) => p.scatter(three, three, p.constant("u32", 9, 1)),
  "a scatter to a reversed view": (p, { three, four }) => p.scatter(three, three, p.reversed(four)),
  "needles of another type": (p, { three, floats }) =>
    p.lowerBound(three, floats as Vector<ScalarType> as Vector<"u32">),
  "half a count": (p, { three }) => p.upperBoundCounting(three, 2.5),
  "a merge of types": (p, { three, floats }) => p.merge(three, floats as Vector<ScalarType> as Vector<"u32">),
  "a union with pairs": (p, { three, pairs }) => p.setUnion(three, pairs),
  "a sort of pairs": (p, { pairs }) => p.sort(pairs),
  "bits past the last": (p, { three }) => p.sort(three, { bits: [0, 33] }),
  "bits backwards": (p, { three }) => p.argsort(three, { bits: [8, 4] }),
  "half a bit": (p, { three }) => p.rank(three, { bits: [0.5, 4] }),
  "four values for three keys": (p, { three, four }) => p.sortByKey(three, four),
  "a sort in segments of four": (p, { three, four }) => p.segmentedSort(three, { keys: four }),
  "a released vector": (p, { released }) => p.copy(released),
  "a released map": (p, { three, released }) => p.gather(released, three),
  "a released target": (p, { three, released }) => p.scatter(three, p.counting("u32", 3), released),
  "a released stencil": (p, { three, released }) => p.copyIf(three, { stencil: released }),
  "released keys": (p, { three, released }) => p.segmentedSort(three, { keys: released }),
  "a view of a released vector": (p, { released }) => p.view(released, 0, 1),
};

const tooLarge: Readonly<Record<string, Call>> = {
  "a fill": (p) => p.fill("u32", 2 ** 40, 0),
  "a sequence": (p) => p.sequence("f32", 2 ** 40),
  "a generated vector": (p) => p.generate("i32", 2 ** 40, triple),
  "a counting view": (p) => p.counting("u32", 2 ** 40),
  "a constant view": (p) => p.constant("u32", 2 ** 32, 1),
  "a copy of a view": (p) => p.copy(p.constant("u32", 2 ** 32 - 1, 1)),
  "a count": (p, { three }) => p.upperBoundCounting(three, 2 ** 40),
  "a histogram": (p, { three }) => p.histogramEven(three, 0, 1, 2 ** 40),
};

/** A method gets a foreign vector in each of its places. */
const withForeign: Readonly<
  Record<string, (p: Primitives, own: Vector<"u32">, foreign: Vector<"u32">) => unknown>
> = {
  "to the host": (p, _, foreign) => p.toHost(foreign),
  "in a view": (p, _, foreign) => p.reversed(foreign),
  "as a map": (p, own, foreign) => p.permuted(own, foreign),
  "in a sum": (p, _, foreign) => p.reduce(foreign, add),
  "in a zip": (p, own, foreign) => p.zip([own, foreign], difference, "u32"),
  "as keys": (p, own, foreign) => p.sortByKey(foreign, own),
  "as values": (p, own, foreign) => p.sortByKey(own, foreign),
  "as heads": (p, own, foreign) => p.inclusiveScanByKey({ heads: foreign }, own, add),
  "in a kernel": (p, own, foreign) =>
    p.forEach(own.length, sum, {
      inputs: { terms: foreign, table: p.fromHost("f32", new Float32Array(6), 2) },
      constants: { shift: 1 },
    }),
  "as a kernel's places": (p, own, foreign) =>
    p.forEach(own.length, sum, {
      inputs: { terms: own, table: p.fromHost("f32", new Float32Array(6), 2) },
      constants: { shift: 1 },
      at: foreign,
    }),
  "as a target": (p, own, foreign) => p.scatter(own, p.counting("u32", 3), foreign),
  "as needles": (p, own, foreign) => p.upperBound(own, foreign),
};

/** The error of a call that throws or rejects. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}

async function expectRefusal(tag: string, what: string, call: () => unknown): Promise<void> {
  const error = await errorOf(call);
  expect(error, what).toBeInstanceOf(CrinkleError);
  const { tag: got, problem, remedy } = error as CrinkleError;
  expect(got, `${what}: ${problem}`).toBe(tag);
  expect(problem.length * remedy.length, `${what}: its text`).toBeGreaterThan(0);
}

/** Bad arguments, each a tagged error before anything runs. `make` makes other primitives of the same kind. */
export function describeRefusals(subject: Subject, make: Make): void {
  describe("refuse", () => {
    check(subject, "bad arguments, and leave vectors as they were", async (bag) => {
      const p = bag.primitives;
      const released = p.fromHost("u32", Uint32Array.of(1, 2, 3));
      released.release();
      const fixtures = {
        three: bag.u32([0, 1, 2]),
        four: bag.u32([0, 1, 2, 3]),
        empty: bag.u32([]),
        pairs: bag.put("u32", Uint32Array.of(0, 1, 2, 3, 4, 5), 2),
        floats: bag.put("f32", Float32Array.of(0, 1, 2)),
        released,
      };
      for (const [what, call] of Object.entries(badArguments)) {
        await expectRefusal("BadArgument", what, () => call(p, fixtures));
      }
      for (const [what, call] of Object.entries(tooLarge)) {
        await expectRefusal("TooLarge", what, () => call(p, fixtures));
      }
      await bag.expect(p.copy(fixtures.three), [0, 1, 2], "three");
      await bag.expect(p.copy(fixtures.pairs), [0, 1, 2, 3, 4, 5], "pairs", 2);
    });

    it("vectors of other primitives", async () => {
      const others = ranksOf(await make());
      await onAllRanks(subject.ranks(), async (p, rank) => {
        const [own, foreign] = [p, others[rank]].map((one) => one.fromHost("u32", Uint32Array.of(0, 1, 2)));
        for (const [what, call] of Object.entries(withForeign)) {
          await expectRefusal("BadArgument", `foreign ${what}`, () => call(p, own, foreign));
        }
        own.release();
        foreign.release();
      });
    });

    check(subject, "and name the first index that is out of range", async (bag) => {
      const p = bag.primitives;
      const gathered = p.gather(bag.u32([0, 3, 17, 1]), bag.u32([5, 6, 7]), true);
      await expect(gathered).rejects.toThrow("index 3 at position 1 of its map, for a vector of 3 elements");
    });
  });
}
