import { describe, expect, it } from "vitest";
import { dtypes, type TypedArray } from "../../../core/dtype.ts";
import type { Data } from "../communicator.ts";
import { expectSame, expectSameAll, lengths, numbers, rates, sizes } from "../testing/data.ts";
import { runRanks } from "../testing/exchanges.ts";
import { allgather } from "./allgather.ts";
import { alltoall } from "./alltoall.ts";
import { barrier } from "./barrier.ts";
import { bcast } from "./bcast.ts";
import { gather } from "./gather.ts";
import { scatter } from "./scatter.ts";
import type { Tuning } from "./tuning.ts";

/** One level, long and short forms forced, and two levels. */
const tunings = (size: number): [string, Tuning][] => [
  ["the model's choice", rates],
  ["everything inline", { ...rates, forced: { inlineLimit: 2 ** 30, bcast: "binomial" } }],
  ["everything separate", { ...rates, forced: { inlineLimit: -1, bcast: "binomial" } }],
  ["everything chunked", { ...rates, forced: { inlineLimit: -1, bcast: "scatterAllgather" } }],
  ["two groups", { ...rates, groups: Array.from({ length: size }, (_, k) => (k < size / 3 ? 7 : 2)) }],
  ["interleaved groups", { ...rates, groups: Array.from({ length: size }, (_, k) => k % 3) }],
];

const inTurns = (size: number) => [...new Set([0, 1, size >> 1, size - 1])].filter((root) => root < size);

describe.each(sizes)("%i ranks", (size) => {
  describe.each(tunings(size))("%s", (_, tuning) => {
    it("leave a barrier only after all have arrived", async () => {
      for (let seed = 0; seed < 10; seed++) {
        let come = 0;
        const { results } = await runRanks(size, seed, async (exchange) => {
          // One rank arrives long after the others have done all they can.
          const patience = exchange.rank === seed % size ? 500 : (exchange.rank * 28) % 20;
          for (let k = 0; k < patience; k++) await undefined;
          come++;
          await barrier(exchange, tuning);
          return come;
        });
        expect(results).toEqual(Array(size).fill(size));
      }
    });

    it("have the root's data after a bcast", async () => {
      for (const root of inTurns(size)) {
        for (const [k, length] of lengths(size).entries()) {
          const data = numbers(dtypes[(k + root) % dtypes.length], length, root);
          const { results } = await runRanks(size, k, (exchange) =>
            bcast(exchange, exchange.rank === root ? data : undefined, root, tuning),
          );
          for (const result of results) expectSame(result, data);
          expect(new Set(results.map((result) => (result as TypedArray).buffer)).size).toBe(size);
        }
      }
    });

    it("gather at the root and scatter from it", async () => {
      for (const root of inTurns(size)) {
        for (const [k, length] of lengths(size).entries()) {
          const parts = partsOf(size, length, k);
          const gathered = await runRanks(size, k, (exchange) =>
            gather(exchange, parts[exchange.rank], root, tuning),
          );
          expectSameAll(gathered.results[root] ?? [], parts);
          expect(gathered.results.filter((result) => result !== undefined).length).toBe(1);
          const scattered = await runRanks(size, k, (exchange) =>
            scatter(exchange, exchange.rank === root ? parts : undefined, root, tuning),
          );
          expectSameAll(scattered.results, parts);
          expectOwn([...(gathered.results[root] ?? []), ...scattered.results, ...parts]);
        }
      }
    });

    it("gather on all ranks", async () => {
      for (const [k, length] of lengths(size).entries()) {
        const parts = partsOf(size, length, k);
        const { results } = await runRanks(size, k, (exchange) =>
          allgather(exchange, parts[exchange.rank], tuning),
        );
        for (const result of results) expectSameAll(result, parts);
        expectOwn([...results.flat(), ...parts]);
      }
    });

    it("exchange parts, all with all", async () => {
      for (const [k, length] of lengths(size).entries()) {
        const table = Array.from({ length: size }, (_, from) => partsOf(size, length, from + k));
        const { results } = await runRanks(size, k, (exchange) =>
          alltoall(exchange, table[exchange.rank], tuning),
        );
        for (const [to, result] of results.entries()) {
          expectSameAll(
            result,
            table.map((parts) => parts[to]),
          );
        }
        expectOwn([...results.flat(), ...table.flat()]);
      }
    });
  });
});

/** One part for each rank: arrays of all types and of lengths around this one, empty ones, and values. */
function partsOf(size: number, length: number, seed: number): Data[] {
  return Array.from({ length: size }, (_, k) => {
    if ((k + seed) % 7 === 3) return { rank: k, list: [null, "ä", seed], isLast: k === size - 1 };
    if ((k + seed) % 5 === 2) return numbers("f64", 0, 0);
    return numbers(dtypes[(k + seed) % dtypes.length], length + ((k * seed) % 3), k + seed);
  });
}

/** Checks that no two arrays share memory. */
function expectOwn(data: readonly Data[]): void {
  const arrays = data.filter((one) => ArrayBuffer.isView(one));
  expect(new Set(arrays.map((array) => array.buffer)).size).toBe(arrays.length);
}
