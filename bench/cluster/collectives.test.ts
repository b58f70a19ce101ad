import { describe, expect, it } from "vitest";
import { makeRoom } from "../../src/cluster/membership/testing/room.ts";
import {
  algorithms,
  type CollectiveMeasurement,
  measureCollectives,
  type Operation,
  participate,
} from "./collectives.ts";
import {
  drawCollectives,
  tableOfChoices,
  tableOfFigures,
  tableOfJoins,
  tableOfTimes,
} from "./collectives-report.ts";

const one = (over: Partial<CollectiveMeasurement>): CollectiveMeasurement => ({
  path: "tcp",
  ranks: 4,
  operation: "allreduce",
  bytes: 1024,
  ms: { doubling: 0.5, halving: 1, ring: 2 },
  chosen: "doubling",
  tuning: { latencyMs: 0.1, bytesPerMs: 1e6 },
  ...over,
});

describe("the bench of collectives", () => {
  it("times every algorithm on all ranks, until rank 0 ends it", async () => {
    const { network, seen } = makeRoom(3, { seed: 1 });
    const [world, ...others] = seen.map(({ member }) => member.epoch.world);
    const operations = Object.keys(algorithms) as Operation[];
    const options = { operations, sizes: [64, 4096], budgetMs: 1, minRounds: 2 };
    let isOver = false;
    const all = Promise.all([measureCollectives("memory", world, options), ...others.map(participate)]);
    void all.finally(() => {
      isOver = true;
    });
    await network.run(() => isOver, 3_600_000);
    const [measured] = await all;
    expect(measured.map(({ operation, bytes }) => [operation, bytes])).toEqual(
      operations.flatMap((operation) => [
        [operation, 64],
        [operation, 4096],
      ]),
    );
    for (const { ranks, operation, ms, chosen } of measured) {
      expect(ranks).toBe(3);
      expect(Object.keys(ms)).toEqual(algorithms[operation]);
      expect(ms[chosen]).toBeGreaterThan(0);
    }
  });

  it("prints tables and draws them", () => {
    const all = [
      one({}),
      one({ bytes: 2 ** 20, ms: { doubling: 9, halving: 7.5, ring: 6 }, chosen: "halving" }),
    ];
    expect(tableOfTimes(all)).toBe(
      [
        "|  | 1 KiB | 1 MiB |",
        "| --- | ---: | ---: |",
        "| allreduce, tcp, 4 ranks | 0.5 (2.05) | 7.5 (140) |",
      ].join("\n"),
    );
    expect(tableOfChoices(all)).toContain("| doubling | halving 1.25 (ring) |");
    const alone = [
      [8, 0.02],
      [1_000_008, 2.02],
    ] as const;
    const figures = { ranks: 4, alone, together: alone, combining: 1e-6 };
    const tuning = { latencyMs: 0.02, bytesPerMs: 5e5, costModel: figures };
    expect(
      tableOfFigures([one({ tuning }), one({ tuning, bytes: 8 }), one({ path: "port" })]).split("\n"),
    ).toEqual([
      expect.stringContaining("alone, µs"),
      expect.stringContaining("---"),
      "| tcp, 4 ranks | 20 | 500 | 20 | 500 | 977 KiB | 1000 |",
    ]);
    expect(tableOfJoins([{ path: "port", ranks: 8, ms: [30, 10, 20] }])).toContain(
      "| 8 ranks, port | 20 | 10 | 30 |",
    );
    const svg = drawCollectives(
      [...all, one({ operation: "alltoall", ms: { pairwise: 1 }, chosen: "pairwise" })],
      ["allreduce", "alltoall"],
    );
    expect(svg).toContain("alltoallv");
    expect(svg).not.toContain("NaN");
  });
});
