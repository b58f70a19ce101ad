import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TypedArray } from "../../../core/dtype.ts";
import { randomOf } from "../../transport/testing/random.ts";
import type { Data, Value } from "../communicator.ts";
import type { Exchange } from "../exchange.ts";
import { add } from "../operators/elements.ts";
import { defineReduction } from "../operators.ts";
import { expectSame, expectSameAll, numbers, rates, reduced, sizes } from "../testing/data.ts";
import { ExchangeNetwork } from "../testing/exchange-network.ts";
import { resultsOf, runRanks } from "../testing/exchanges.ts";
import { append, matrixProduct } from "../testing/operators.ts";
import { allgather } from "./allgather.ts";
import { allreduce } from "./allreduce.ts";
import { alltoall } from "./alltoall.ts";
import { barrier } from "./barrier.ts";
import { bcast } from "./bcast.ts";
import { gather } from "./gather.ts";
import { reduce } from "./reduce.ts";
import { reduceScatter } from "./reduce-scatter.ts";
import { exscan, scan } from "./scan.ts";
import { scatter } from "./scatter.ts";
import type { Tuning } from "./tuning.ts";

type Results = readonly (Data | undefined)[];

/** A call: what each rank does, and what each must get. */
interface Call {
  run(exchange: Exchange): Promise<Results>;
  expected(): readonly Results[];
}

/** The parameters of a sequence of calls. */
interface Plan {
  readonly kind: number;
  readonly length: number;
  readonly root: number;
  readonly seed: number;
}

const many = (data: readonly Data[] | undefined): Results => data ?? [];
const one = (data: Data | undefined): Results => [data];

function callOf({ kind, length, root: any, seed }: Plan, size: number, tuning: Tuning): Call {
  const root = any % size;
  const ranks = Array.from({ length: size }, (_, rank) => rank);
  const words = ranks.map((rank) => numbers("u32", 4 * length, seed + rank));
  const lists = ranks.map((rank): readonly Value[] => (length % 2 ? [rank, `${seed}`] : []));
  const part = (from: number, to: number) => numbers("i16", (length * from) % (to + 2), from);
  const starts = [...ranks, size].map((rank) => 4 * Math.floor((rank * length) / size));
  const counts = ranks.map((rank) => starts[rank + 1] - starts[rank]);
  const product = (count: number) =>
    count > 0 ? reduced<TypedArray>(words.slice(0, count), matrixProduct) : undefined;
  const onAll = (data: Results) => ranks.map(() => data);
  const onRoot = (data: Results, others: Results) => ranks.map((rank) => (rank === root ? data : others));
  const calls: Call[] = [
    { run: (x) => barrier(x, tuning).then(() => []), expected: () => onAll([]) },
    {
      run: async (x) => one(await bcast(x, x.rank === root ? words[root] : undefined, root, tuning)),
      expected: () => onAll([words[root]]),
    },
    {
      run: async (x) => many(await gather<Data>(x, words[x.rank], root, tuning)),
      expected: () => onRoot(words, []),
    },
    {
      run: async (x) => one(await scatter<Data>(x, x.rank === root ? lists : undefined, root, tuning)),
      expected: () => lists.map(one),
    },
    { run: async (x) => many(await allgather<Data>(x, lists[x.rank], tuning)), expected: () => onAll(lists) },
    {
      run: async (x) =>
        many(
          await alltoall<Data>(
            x,
            ranks.map((to) => part(x.rank, to)),
            tuning,
          ),
        ),
      expected: () => ranks.map((to) => ranks.map((from) => part(from, to))),
    },
    {
      run: async (x) => one(await reduce(x, words[x.rank], matrixProduct, root, tuning)),
      expected: () => onRoot([product(size)], [undefined]),
    },
    {
      run: async (x) => one(await allreduce(x, words[x.rank], matrixProduct, tuning)),
      expected: () => onAll([product(size)]),
    },
    {
      run: async (x) => one(await allreduce(x, lists[x.rank], append, tuning)),
      expected: () => onAll([lists.flat()]),
    },
    {
      run: async (x) => one(await reduceScatter(x, words[x.rank], counts, matrixProduct, tuning)),
      expected: () => {
        const all = product(size);
        return ranks.map((rank) => [all?.slice(starts[rank], starts[rank + 1])]);
      },
    },
    {
      run: async (x) => one(await scan(x, words[x.rank], matrixProduct)),
      expected: () => ranks.map((rank) => [product(rank + 1)]),
    },
    {
      run: async (x) => one(await exscan(x, words[x.rank], matrixProduct)),
      expected: () => ranks.map((rank) => [product(rank)]),
    },
  ];
  return calls[kind];
}

const plans = fc.array(
  fc.record({
    kind: fc.nat(11),
    length: fc.oneof(fc.nat(12), fc.constantFrom(250, 1000)),
    root: fc.nat(20),
    seed: fc.nat(1000),
  }),
  { minLength: 1, maxLength: 12 },
);

it.each(sizes)("any concurrent calls of %i ranks end as if they ran one after the other", async (size) => {
  await fc.assert(
    fc.asyncProperty(plans, fc.nat(), fc.nat(3), async (plan, seed, groups) => {
      const tuning =
        groups > 1 ? { ...rates, groups: Array.from({ length: size }, (_, k) => k % groups) } : rates;
      const calls = plan.map((part) => callOf(part, size, tuning));
      const network = new ExchangeNetwork(size, seed);
      const patience = randomOf(seed);
      const results = await resultsOf(network, async (rank) => {
        const running: Promise<Results>[] = [];
        for (const [k, call] of calls.entries()) {
          running.push(call.run(network.open(rank, k)));
          if (patience() < 0.2) await Promise.all(running);
        }
        return Promise.all(running);
      });
      for (const [k, call] of calls.entries()) {
        const expected = call.expected();
        for (const [rank, ofRank] of results.entries()) expectSameAll(ofRank[k], expected[rank]);
      }
    }),
    { seed: 11 + size, numRuns: 25 },
  );
});

/** Sums whose bits show how they were grouped. */
describe("results are reproducible to the bit", () => {
  const forced: Tuning["forced"][] = [
    undefined,
    { reduce: "binomial", allreduce: "doubling", reduceScatter: "halving" },
    { reduce: "halving", allreduce: "halving", reduceScatter: "pairwise" },
    { allreduce: "ring" },
  ];
  const together = (size: number): Tuning[] => [
    ...forced.map((forced) => ({ ...rates, forced })),
    { ...rates, groups: Array.from({ length: size }, (_, rank) => rank % 2) },
  ];
  const uncommutative = defineReduction({ name: "add in order", element: (a, b) => a + b });

  it.each(sizes)("%i ranks: whenever messages arrive, on all ranks and for all roots", async (size) => {
    for (const tuning of together(size)) {
      for (const dtype of ["f32", "f64"] as const) {
        for (const operator of [add, uncommutative]) {
          const parts = Array.from({ length: size }, (_, rank) => numbers(dtype, 301, rank));
          const counts = parts.map((_, rank) => (rank === 0 ? 301 - 3 * (size - 1) : 3));
          const run = async (seed: number) => {
            const all = await runRanks(size, seed, (x) => allreduce(x, parts[x.rank], operator, tuning));
            for (const result of all.results) expectSame(result, all.results[0]);
            const root = seed % size;
            const one = await runRanks(size, seed, (x) => reduce(x, parts[x.rank], operator, root, tuning));
            const some = await runRanks(size, seed, (x) =>
              reduceScatter(x, parts[x.rank], counts, operator, tuning),
            );
            const scanned = await runRanks(size, seed, (x) => scan(x, parts[x.rank], operator));
            return [all.results[0], one.results[root], ...some.results, ...scanned.results];
          };
          const first = await run(0);
          for (let seed = 1; seed < 5; seed++) expectSameAll(await run(seed), first);
          // Close to what a single rank would compute.
          const expected = reduced<TypedArray>(parts, operator);
          const scale = parts.reduce((sum, part) => sum + Math.abs(Number(part[17])), 0);
          const error = Math.abs(Number(first[0]?.[17]) - Number(expected[17]));
          expect(error).toBeLessThanOrEqual(scale * size * (dtype === "f32" ? 2 ** -23 : 2 ** -52));
        }
      }
    }
  });
});
