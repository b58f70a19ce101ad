// The cases of MPI implementations' test suites (MPICH's test/mpi/coll, by the names in brackets) whose
// results can be predicted.
import { describe, expect, it } from "vitest";
import { add } from "../operators/elements.ts";
import { defineReduction } from "../operators.ts";
import { rates, sizes } from "../testing/data.ts";
import { ExchangeNetwork } from "../testing/exchange-network.ts";
import { resultsOf, runRanks } from "../testing/exchanges.ts";
import { allgather } from "./allgather.ts";
import { allreduce } from "./allreduce.ts";
import { alltoall } from "./alltoall.ts";
import { bcast } from "./bcast.ts";
import { gather } from "./gather.ts";
import { reduce } from "./reduce.ts";
import { reduceScatter } from "./reduce-scatter.ts";
import { exscan, scan } from "./scan.ts";
import { scatter } from "./scatter.ts";
import type { Tuning } from "./tuning.ts";

const tunings: readonly Tuning[] = [
  rates,
  { ...rates, forced: { reduce: "binomial", allreduce: "doubling", reduceScatter: "halving" } },
  { ...rates, forced: { reduce: "halving", allreduce: "halving", reduceScatter: "pairwise" } },
];

/**
 * Products of several square matrices: a · b. Rank r contributes the swap of r and r + 1, cyclically; only
 * the product in rank order shifts everything by one.
 */
const productOf = (width: number) =>
  defineReduction({
    name: `product of ${width} × ${width} matrices`,
    group: width * width,
    combine: (a, b, from, to) => {
      for (let at = from; at < to; at += width * width) {
        const right = Array.from(b.subarray(at, at + width * width), Number);
        for (let i = 0; i < width; i++) {
          for (let j = 0; j < width; j++) {
            let sum = 0;
            for (let k = 0; k < width; k++) sum += Number(a[at + i * width + k]) * right[k * width + j];
            b[at + i * width + j] = sum;
          }
        }
      }
    },
  });

/** `count` matrices that map i to `to(i)`. */
function moving(width: number, count: number, to: (i: number) => number): Float32Array {
  const matrices = new Float32Array(count * width * width);
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < width; i++) matrices[(k * width + i) * width + to(i)] = 1;
  }
  return matrices;
}

const exchangeAfter = (rank: number, width: number) => (i: number) => {
  const next = (rank + 1) % width;
  return i === rank ? next : i === next ? rank : i;
};

/** Contiguous ranges of ranks: [0, 1] ∘ [2, 4] = [0, 4]; anything else gives [−1, −1]. */
const chained = defineReduction({
  name: "chained ranges",
  group: 2,
  combine: (a, b, from, to) => {
    for (let i = from; i < to; i += 2) {
      const follows = Number(a[i + 1]) + 1 === Number(b[i]);
      b[i] = follows ? a[i] : -1;
      if (!follows) b[i + 1] = -1;
    }
  },
});

const ranges = (count: number, first: number, last: number) =>
  Int32Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? first : last));

describe.each(sizes)("%i ranks", (size) => {
  it("multiply matrices in rank order [allred3, allred4, red3, red4]", async () => {
    const product = productOf(size);
    // The product of the first size − 1 swaps: 0 moves to the end, all others move down by one.
    const expected = (count: number) => moving(size, count, (i) => (i === 0 ? size - 1 : i - 1));
    const given = (rank: number, count: number) =>
      moving(size, count, rank < size - 1 ? exchangeAfter(rank, size) : (i) => i);
    for (const tuning of tunings) {
      for (const count of [1, 7]) {
        const all = await runRanks(size, count, (exchange) =>
          allreduce(exchange, given(exchange.rank, count), product, tuning),
        );
        for (const result of all.results) expect(result).toEqual(expected(count));
        for (let root = 0; root < size; root++) {
          const { results } = await runRanks(size, root, (exchange) =>
            reduce(exchange, given(exchange.rank, count), product, root, tuning),
          );
          expect(results[root]).toEqual(expected(count));
        }
      }
    }
  });

  it("chain ranges of ranks, whole and in parts [redscat2, scantst]", async () => {
    for (const tuning of tunings) {
      for (const count of [1, 3, 40]) {
        const { results } = await runRanks(size, count, (exchange) => {
          const given = ranges(count * size, exchange.rank, exchange.rank);
          const counts = Array<number>(size).fill(2 * count);
          return reduceScatter(exchange, given, counts, chained, tuning);
        });
        for (const result of results) expect(result).toEqual(ranges(count, 0, size - 1));
      }
    }
    const scanned = await runRanks(size, 1, (exchange) =>
      scan(exchange, ranges(5, exchange.rank, exchange.rank), chained),
    );
    for (const [rank, result] of scanned.results.entries()) expect(result).toEqual(ranges(5, 0, rank));
  });

  it("add growing arrays [allred, allred5, allred6]", async () => {
    for (const tuning of tunings) {
      for (let length = 1; length <= 2 ** 15; length *= 8) {
        const { results } = await runRanks(size, length, (exchange) =>
          allreduce(
            exchange,
            Int32Array.from({ length }, (_, i) => i + exchange.rank),
            add,
            tuning,
          ),
        );
        const ofRanks = (size * (size - 1)) / 2;
        const expected = Int32Array.from({ length }, (_, i) => size * i + ofRanks);
        for (const result of results) expect(result.every((x, i) => x === expected[i])).toBe(true);
      }
    }
  });

  it("add one element many times [allredmany]", async () => {
    const network = new ExchangeNetwork(size, 3);
    const results = await resultsOf(network, async (rank) => {
      const sums: number[] = [];
      for (let call = 0; call < 100; call++) {
        const [sum] = await allreduce(network.open(rank, call), Float64Array.of(call + rank), add, rates);
        sums.push(sum - call * size);
      }
      return new Set(sums);
    });
    for (const sums of results) expect([...sums]).toEqual([(size * (size - 1)) / 2]);
  });

  it("broadcast growing arrays from every root [bcasttest]", async () => {
    for (let root = 0; root < size; root++) {
      for (let length = 1; length <= 2 ** 16; length *= 16) {
        const expected = Int32Array.from({ length }, (_, i) => root * length + i);
        const { results } = await runRanks(size, length + root, (exchange) =>
          bcast(exchange, exchange.rank === root ? expected : undefined, root, rates),
        );
        for (const result of results) expect(result.every((x, i) => x === expected[i])).toBe(true);
        expect(results.every((result) => result.length === length)).toBe(true);
      }
    }
  });

  it("add the preceding ranks [exscan]", async () => {
    for (let length = 1; length <= 4096; length *= 16) {
      const { results } = await runRanks(size, length, (exchange) =>
        exscan(
          exchange,
          Int32Array.from({ length }, (_, i) => exchange.rank + i * size),
          add,
        ),
      );
      expect(results[0]).toBeUndefined();
      for (let rank = 1; rank < size; rank++) {
        const expected = Int32Array.from({ length }, (_, i) => rank * i * size + (rank * (rank - 1)) / 2);
        expect(results[rank]).toEqual(expected);
      }
    }
  });

  it("exchange with neighbours only, and nothing with others [alltoallv0]", async () => {
    const lengthOf = (from: number, to: number) =>
      (from + 1) % size === to || (to + 1) % size === from ? 20 : 0;
    const part = (from: number, to: number) => new Int32Array(lengthOf(from, to)).fill(from * 100 + to);
    const { results } = await runRanks(size, 1, (exchange) =>
      alltoall(
        exchange,
        Array.from({ length: size }, (_, to) => part(exchange.rank, to)),
        rates,
      ),
    );
    for (const [rank, result] of results.entries()) {
      expect(result).toEqual(Array.from({ length: size }, (_, from) => part(from, rank)));
    }
  });

  it("exchange parts with as many elements as their rank [alltoallv]", async () => {
    const part = (from: number, to: number) =>
      Int32Array.from({ length: to }, (_, i) => from * 1000 + to * 10 + i);
    const { results } = await runRanks(size, 2, (exchange) =>
      alltoall(
        exchange,
        Array.from({ length: size }, (_, to) => part(exchange.rank, to)),
        rates,
      ),
    );
    for (const [rank, result] of results.entries()) {
      expect(result).toEqual(Array.from({ length: size }, (_, from) => part(from, rank)));
    }
  });

  it("scatter blocks of a matrix and gather them again [scatterv, gatherv]", async () => {
    const [rows, columns] = [6, 5];
    const matrix = Float64Array.from({ length: rows * columns * size }, (_, i) => i);
    /** Every rank's columns, which are strided in the matrix; the last ranks have fewer. */
    const widths = Array.from({ length: size }, (_, rank) => columns - (rank % 3));
    const starts = widths.map((_, rank) => widths.slice(0, rank).reduce((sum, width) => sum + width, 0));
    const total = widths.reduce((sum, width) => sum + width, 0);
    const block = (rank: number) =>
      Float64Array.from({ length: rows * widths[rank] }, (_, i) => {
        const [row, column] = [Math.floor(i / widths[rank]), i % widths[rank]];
        return matrix[row * total + starts[rank] + column];
      });
    for (let root = 0; root < size; root++) {
      const { results } = await runRanks(size, root, (exchange) => {
        const blocks = exchange.rank === root ? widths.map((_, rank) => block(rank)) : undefined;
        return scatter(exchange, blocks, root, rates);
      });
      const gathered = await runRanks(size, root, (exchange) =>
        gather(exchange, results[exchange.rank], root, rates),
      );
      const back = new Float64Array(rows * total);
      for (const [rank, part] of (gathered.results[root] ?? []).entries()) {
        for (let row = 0; row < rows; row++) {
          back.set(part.subarray(row * widths[rank], (row + 1) * widths[rank]), row * total + starts[rank]);
        }
      }
      expect(back).toEqual(matrix.slice(0, rows * total));
    }
  });

  it("allgather data of one rank, and data that grow with the rank [allgatherv2, allgatherv3]", async () => {
    for (const lengthOf of [
      (rank: number) => (rank === size - 1 ? 30_000 : 0),
      (rank: number) => rank * 700,
      (rank: number) => 2 ** rank,
    ]) {
      const part = (rank: number) => new Int16Array(lengthOf(rank)).fill(rank + 1);
      const { results } = await runRanks(size, 5, (exchange) =>
        allgather(exchange, part(exchange.rank), rates),
      );
      for (const result of results) {
        expect(result.map(({ length }) => length)).toEqual(result.map((_, rank) => lengthOf(rank)));
        expect(result.every((array, rank) => array.every((x) => x === rank + 1))).toBe(true);
      }
    }
  });
});
