import { describe, expect, it } from "vitest";
import type { NetworkOptions } from "../transport/testing/memory-network.ts";
import type { Tuning } from "./collectives/tuning.ts";
import { add } from "./operators/elements.ts";
import { runRanks, valuesOf } from "./testing/run-ranks.ts";
import { measureTuning } from "./tune.ts";

const guess: Tuning = { latencyMs: 9, bytesPerMs: 9 };

const measured = (size: number, options: NetworkOptions, tuning = guess) =>
  valuesOf(size, options, async (world, { network }) => {
    const from = network.now;
    const found = await measureTuning(world, tuning, () => network.now);
    return { ...found, tookMs: network.now - from };
  });

describe("measured message times", () => {
  it.each([2, 3, 5, 8])("are the same on all of %i ranks, and depend on the seed alone", async (size) => {
    const options: NetworkOptions = { seed: size, delay: [0.1, 1] };
    const [first, ...others] = await measured(size, options);
    const [again] = await measured(size, options);
    expect(again).toEqual(first);
    for (const { costModel } of others) expect(costModel).toEqual(first.costModel);
    const { costModel } = first;
    expect(costModel?.ranks).toBe(size);
    expect(costModel?.alone[0][0]).toBe(8);
    for (const curve of [costModel?.alone ?? [], costModel?.together ?? []]) {
      expect(curve.length).toBeGreaterThan(2);
      for (const [k, [bytes, ms]] of curve.entries()) {
        expect(ms).toBeGreaterThan(0.1);
        expect(ms).toBeLessThan(10);
        expect(bytes).toBeGreaterThan(curve[k - 1]?.[0] ?? 0);
        expect(ms).toBeGreaterThanOrEqual(curve[k - 1]?.[1] ?? 0);
      }
    }
  });

  it("are a message's delay if nothing else takes time", async () => {
    const [{ latencyMs, costModel }] = await measured(4, { seed: 1, delay: [2, 2] });
    expect(latencyMs).toBeCloseTo(2);
    expect(costModel?.together[0][1]).toBeCloseTo(2);
    expect(costModel?.combining).toBeLessThan(1e-5);
  });

  it("skip long messages if short ones are slow", async () => {
    const [{ costModel, tookMs }] = await measured(2, { seed: 1, delay: [50, 60] });
    expect(costModel?.alone).toHaveLength(1);
    expect(tookMs).toBeLessThan(3000);
  });

  it("are found within groups and between them", async () => {
    const tunings = await measured(5, { seed: 2 }, { ...guess, groups: [7, 3, 7, 3, 7] });
    for (const { groups, costModel, within } of tunings) {
      expect(groups).toEqual([7, 3, 7, 3, 7]);
      expect(costModel?.ranks).toBe(2);
      expect(within?.costModel?.ranks).toBe(3);
      expect(within?.costModel).toEqual(tunings[0].within?.costModel);
    }
  });

  it("need nothing for a single rank", async () => {
    const [{ latencyMs, costModel }] = await measured(1, { seed: 1 });
    expect([latencyMs, costModel]).toEqual([9, undefined]);
  });

  it("make a communicator that counts its calls like others", async () => {
    const sums = await valuesOf(5, { seed: 3 }, async (world, { network }) => {
      const tuned = await world.tuned(network.clock(world.rank));
      const half = await tuned.split(tuned.rank % 2);
      const [all, some] = await Promise.all([
        tuned.allreduce<Float64Array>(new Float64Array(100_000).fill(tuned.rank), add),
        half?.allreduce<number>(tuned.rank, add as never),
      ]);
      await Promise.all([half?.free(), tuned.free()]);
      return [all[99_999], some];
    });
    expect(sums).toEqual([0, 1, 2, 3, 4].map((rank) => [10, rank % 2 === 0 ? 6 : 4]));
  });

  it("reject if a rank fails meanwhile", async () => {
    const outcomes = await runRanks(3, { seed: 3 }, async (world, { network, seen }) => {
      if (world.rank === 2) {
        void seen[2].member.leave();
        return undefined;
      }
      return world.tuned(network.clock(world.rank));
    });
    for (const outcome of outcomes.slice(0, 2)) {
      expect(outcome).toMatchObject({ error: { mpi: "MPI_ERR_PROC_FAILED" } });
    }
  });
});
