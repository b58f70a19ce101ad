import { describe, expect, it } from "vitest";
import type { CommunicatorError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import { add, max } from "../operators/elements.ts";
import { minloc } from "../operators/locations.ts";
import { rates } from "../testing/data.ts";
import { ExchangeNetwork } from "../testing/exchange-network.ts";
import { settleRanks } from "../testing/exchanges.ts";
import { concatenate, matrixProduct } from "../testing/operators.ts";
import { allgather } from "./allgather.ts";
import { allreduce } from "./allreduce.ts";
import { alltoall } from "./alltoall.ts";
import { bcast } from "./bcast.ts";
import { gather } from "./gather.ts";
import { reduce } from "./reduce.ts";
import { reduceScatter } from "./reduce-scatter.ts";
import { scan } from "./scan.ts";
import { scatter } from "./scatter.ts";

/** The errors of the ranks, none of which may wait forever. */
async function failures(
  size: number,
  seed: number,
  part: (exchange: Exchange) => Promise<unknown>,
): Promise<CommunicatorError[]> {
  const network = new ExchangeNetwork(size, seed);
  const ends = await settleRanks(network, (rank) => part(network.open(rank)));
  return ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
}

const f64 = (length: number) => new Float64Array(length);

describe("invalid arguments", () => {
  const refused: readonly [string, string, (exchange: Exchange) => Promise<unknown>][] = [
    ["bcast", "MPI_ERR_ROOT", (exchange) => bcast(exchange, 1, 4, rates)],
    ["bcast", "MPI_ERR_ROOT", (exchange) => bcast(exchange, 1, -1, rates)],
    ["gather", "MPI_ERR_ROOT", (exchange) => gather(exchange, 1, 0.5, rates)],
    ["scatter", "MPI_ERR_ROOT", (exchange) => scatter(exchange, [1, 2, 3, 4], Number.NaN, rates)],
    ["reduce", "MPI_ERR_ROOT", (exchange) => reduce(exchange, f64(1), add, 7, rates)],
    ["alltoall", "MPI_ERR_COUNT", (exchange) => alltoall(exchange, [1, 2, 3], rates)],
    ["allreduce", "MPI_ERR_COUNT", (exchange) => allreduce(exchange, f64(3), minloc, rates)],
    ["scan", "MPI_ERR_COUNT", (exchange) => scan(exchange, new Uint32Array(6), matrixProduct)],
    ["allreduce", "MPI_ERR_OP", (exchange) => allreduce<number>(exchange, 3, minloc, rates)],
    ["allgather", "MPI_ERR_TYPE", (exchange) => allgather(exchange, Number.NaN, rates)],
    ["reduceScatter", "MPI_ERR_COUNT", (exchange) => reduceScatter(exchange, f64(4), [4], add, rates)],
    [
      "reduceScatter",
      "MPI_ERR_COUNT",
      (exchange) => reduceScatter(exchange, f64(4), [1, 1, 1, 2], add, rates),
    ],
    [
      "reduceScatter",
      "MPI_ERR_COUNT",
      (exchange) => reduceScatter(exchange, f64(4), [5, -1, 0, 0], add, rates),
    ],
    [
      "reduceScatter",
      "MPI_ERR_COUNT",
      (exchange) => reduceScatter(exchange, f64(4), [1, 1, 1, 1], minloc, rates),
    ],
  ];
  it.each(refused)("%s: %s", async (operation, mpi, call) => {
    const network = new ExchangeNetwork(4, 1);
    for (let rank = 0; rank < 4; rank++) {
      await expect(call(network.open(rank))).rejects.toMatchObject({ tag: "BadArgument", mpi, operation });
    }
    expect(network.counts.every(({ sentMessages }) => sentMessages === 0)).toBe(true);
  });

  it("on the root alone end the call there", async () => {
    for (const parts of [undefined, [1, 2]]) {
      const ends = await failures(4, 3, (exchange) =>
        scatter(exchange, exchange.rank === 2 ? parts : undefined, 2, rates),
      );
      expect(ends.length).toBe(4);
      expect(ends[2]).toMatchObject({ tag: "BadArgument", mpi: "MPI_ERR_COUNT" });
    }
    const ends = await failures(4, 4, (exchange) => bcast(exchange, undefined, 1, rates));
    expect(ends[1]).toMatchObject({ tag: "BadArgument", mpi: "MPI_ERR_TYPE", operation: "bcast" });
  });

  it("of custom functions end the call", async () => {
    const broken = { ...concatenate, join: () => undefined as never };
    const ends = await failures(3, 5, (exchange) => allreduce(exchange, "a", broken, rates));
    expect(ends.some((end) => end.mpi === "MPI_ERR_TYPE")).toBe(true);
  });
});

describe("ranks that disagree", () => {
  const disagreeing: readonly [string, (exchange: Exchange, isOdd: boolean) => Promise<unknown>][] = [
    ["on the length", (exchange, isOdd) => allreduce(exchange, f64(isOdd ? 5 : 4), add, rates)],
    [
      "on a length that changes the algorithm",
      (exchange, isOdd) => allreduce(exchange, f64(isOdd ? 9000 : 4), add, rates),
    ],
    [
      "on the element type",
      (exchange, isOdd) =>
        allreduce<Float64Array | BigInt64Array>(exchange, isOdd ? new BigInt64Array(4) : f64(4), add, rates),
    ],
    ["on the operator", (exchange, isOdd) => reduce(exchange, f64(4), isOdd ? max : add, 0, rates)],
    [
      "on arrays or values",
      (exchange, isOdd) => scan<Float64Array | number>(exchange, isOdd ? 2 : f64(1), add),
    ],
    ["on the root", (exchange, isOdd) => reduce(exchange, f64(4), add, isOdd ? 1 : 0, rates)],
    [
      "on the length of what is scattered",
      (exchange, isOdd) =>
        reduceScatter(exchange, f64(isOdd ? 8 : 4), Array(4).fill(isOdd ? 2 : 1), add, rates),
    ],
  ];
  it.each(disagreeing)("%s: all of them get an error", async (_, call) => {
    for (let seed = 0; seed < 8; seed++) {
      const ends = await failures(4, seed, (exchange) => call(exchange, exchange.rank === 3));
      expect(ends.length).toBeGreaterThan(0);
      expect(ends.some((end) => end.tag === "BadArgument" && end.mpi === "MPI_ERR_ARG")).toBe(true);
      for (const end of ends) expect(["BadArgument", "Revoked"]).toContain(end.tag);
    }
  });
});
