import { describe, expect, it } from "vitest";
import { type DType, dtypes, type TypedArray } from "../../../core/dtype.ts";
import { add, and, max, min, mul, xor } from "../operators/elements.ts";
import { maxloc, minloc } from "../operators/locations.ts";
import type { ElementReduction } from "../operators.ts";
import { expectSame, lengths, numbers, rates, reduced, sizes } from "../testing/data.ts";
import { runRanks } from "../testing/exchanges.ts";
import { append, concatenate, earlier, matrixProduct, wholeProduct } from "../testing/operators.ts";
import { allreduce } from "./allreduce.ts";
import { reduce } from "./reduce.ts";
import { reduceScatter } from "./reduce-scatter.ts";
import { exscan, scan } from "./scan.ts";
import type { Tuning } from "./tuning.ts";

/** Exact operators, whose results do not depend on grouping. */
const cases: readonly [DType, ElementReduction][] = [
  ...dtypes.flatMap((dtype): [DType, ElementReduction][] => [
    [dtype, min],
    [dtype, max],
  ]),
  ...dtypes
    .filter((dtype) => !dtype.startsWith("f"))
    .flatMap((dtype): [DType, ElementReduction][] => [
      [dtype, add],
      [dtype, mul],
      [dtype, and],
      [dtype, xor],
    ]),
  ["f64", minloc],
  ["i32", maxloc],
  ["u8", minloc],
  ["u16", earlier],
  ["f32", earlier],
  ["u32", matrixProduct],
];

const grouped = (size: number): Tuning[] => [
  { ...rates, groups: Array.from({ length: size }, (_, k) => (k < size / 3 ? 7 : 2)) },
  { ...rates, groups: Array.from({ length: size }, (_, k) => k % 3) },
];

const [ofShort, ofLong] = process.env.CRINKLE_SWEEP === "1" ? [12, 4] : [6, 2];

/** Calls `check` with every length, cycling through the cases. */
async function forCases(
  size: number,
  check: (parts: TypedArray[], operator: ElementReduction, turn: number) => Promise<void>,
): Promise<void> {
  let turn = size;
  for (const length of lengths(size)) {
    for (let k = 0; k < (length < 20 ? ofShort : ofLong); k++, turn += 7) {
      const [dtype, operator] = cases[turn % cases.length];
      const count = length * operator.group;
      const parts = Array.from({ length: size }, (_, rank) => numbers(dtype, count, turn + rank));
      await check(parts, operator, turn);
    }
  }
}

describe.each(sizes)("%i ranks", (size) => {
  it.each(["model", "doubling", "halving", "ring"] as const)("reduce for all: %s", async (name) => {
    const tuning = name === "model" ? rates : { ...rates, forced: { allreduce: name } };
    await forCases(size, async (parts, operator, turn) => {
      const { results } = await runRanks(size, turn, (exchange) =>
        allreduce(exchange, parts[exchange.rank], operator, tuning),
      );
      for (const result of results) expectSame(result, reduced(parts, operator));
      expect(new Set([...results, ...parts].map(({ buffer }) => buffer)).size).toBe(2 * size);
    });
  });

  it("reduce for all in groups", async () => {
    for (const tuning of grouped(size)) {
      await forCases(size, async (parts, operator, turn) => {
        const { results } = await runRanks(size, turn, (exchange) =>
          allreduce(exchange, parts[exchange.rank], operator, tuning),
        );
        for (const result of results) expectSame(result, reduced(parts, operator));
      });
    }
  });

  it.each(["model", "binomial", "halving"] as const)("reduce for one: %s", async (name) => {
    const tuning = name === "model" ? rates : { ...rates, forced: { reduce: name } };
    await forCases(size, async (parts, operator, turn) => {
      const root = turn % size;
      const { results } = await runRanks(size, turn, (exchange) =>
        reduce(exchange, parts[exchange.rank], operator, root, tuning),
      );
      expectSame(results[root], reduced(parts, operator));
      expect(results.filter((result) => result !== undefined).length).toBe(1);
    });
  });

  it.each(["model", "halving", "pairwise"] as const)("reduce, each its part: %s", async (name) => {
    const tuning = name === "model" ? rates : { ...rates, forced: { reduceScatter: name } };
    await forCases(size, async (parts, operator, turn) => {
      const groups = parts[0].length / operator.group;
      const counts = Array.from({ length: size }, () => 0);
      // Uneven, and some are empty.
      for (let k = 0, left = groups; left > 0; k++) {
        const some = Math.min(left, 1 + ((turn + k) % 3) * Math.ceil(groups / 7));
        counts[(turn * k) % size] += some * operator.group;
        left -= some;
      }
      const { results } = await runRanks(size, turn, (exchange) =>
        reduceScatter(exchange, parts[exchange.rank], counts, operator, tuning),
      );
      const all = reduced(parts, operator);
      let at = 0;
      for (const [rank, result] of results.entries()) {
        expectSame(result, all.slice(at, at + counts[rank]));
        at += counts[rank];
      }
    });
  });

  it("reduce what comes before", async () => {
    await forCases(size, async (parts, operator, turn) => {
      const upTo = (count: number) => (count === 0 ? undefined : reduced(parts.slice(0, count), operator));
      const inclusive = await runRanks(size, turn, (exchange) =>
        scan(exchange, parts[exchange.rank], operator),
      );
      const exclusive = await runRanks(size, turn, (exchange) =>
        exscan(exchange, parts[exchange.rank], operator),
      );
      for (let rank = 0; rank < size; rank++) {
        expectSame(inclusive.results[rank], upTo(rank + 1));
        expectSame(exclusive.results[rank], upTo(rank));
      }
    });
  });

  it("reduce values and whole arrays", async () => {
    const words = Array.from({ length: size }, (_, rank) => `${rank}${"é".repeat(rank * 3000)} `);
    const lists = words.map((_, rank) => (rank % 3 === 1 ? [] : [rank, { rank }]));
    const matrices = words.map((_, rank) => numbers("u32", 4, rank) as Uint32Array);
    const flags = words.map((_, rank) => rank !== 2);
    for (const tuning of [rates, ...grouped(size)]) {
      const { results } = await runRanks(size, size, (exchange) =>
        allreduce(exchange, words[exchange.rank], concatenate, tuning),
      );
      for (const word of results) expect(word).toBe(words.join(""));
    }
    const root = size - 1;
    const appended = await runRanks(size, 3, (exchange) =>
      reduce(exchange, lists[exchange.rank], append, root, rates),
    );
    expect(appended.results[root]).toEqual(lists.flat());
    const products = await runRanks(size, 4, (exchange) =>
      allreduce(exchange, matrices[exchange.rank], wholeProduct, rates),
    );
    for (const result of products.results) expectSame(result, reduced(matrices, wholeProduct));
    const all = await runRanks(size, 5, (exchange) =>
      allreduce<boolean>(exchange, flags[exchange.rank], and, rates),
    );
    expect(all.results).toEqual(Array(size).fill(size < 3));
    const sums = await runRanks(size, 6, (exchange) => exscan<number>(exchange, exchange.rank + 0.5, add));
    expect(sums.results).toEqual(words.map((_, rank) => (rank === 0 ? undefined : (rank * rank) / 2)));
    const prefixes = await runRanks(size, 7, (exchange) => scan(exchange, words[exchange.rank], concatenate));
    expect(prefixes.results).toEqual(words.map((_, rank) => words.slice(0, rank + 1).join("")));
  });
});
