import { describe, expect, it } from "vitest";
import { stepMs } from "./cost-model.ts";
import { betweenGroups, chooseAlgorithm, inlineLimit, type Tuning, withinGroups } from "./tuning.ts";

/** Rates of a message port and of a network. */
const port: Tuning = { latencyMs: 0.1, bytesPerMs: 5e5 };
const network: Tuning = { latencyMs: 20, bytesPerMs: 7e3 };

describe("the model", () => {
  it("sends few messages for few bytes, and few bytes for many", () => {
    for (const tuning of [port, network]) {
      for (const size of [3, 4, 5, 7, 8, 10, 32]) {
        expect(chooseAlgorithm("bcast", size, 8, true, tuning)).toBe("binomial");
        expect(chooseAlgorithm("reduce", size, 8, true, tuning)).toBe("binomial");
        expect(chooseAlgorithm("allreduce", size, 8, true, tuning)).toBe("doubling");
      }
      for (const size of [4, 8, 32]) {
        expect(chooseAlgorithm("bcast", size, 1e9, true, tuning)).toBe("scatterAllgather");
        expect(chooseAlgorithm("reduce", size, 1e9, true, tuning)).toBe("halving");
        expect(chooseAlgorithm("allreduce", size, 1e9, true, tuning)).toBe("halving");
      }
      for (const size of [3, 5, 7, 10]) {
        expect(chooseAlgorithm("allreduce", size, 1e9, true, tuning)).toBe("ring");
        expect(chooseAlgorithm("reduceScatter", size, 1e9, true, tuning)).toBe("pairwise");
      }
      for (const size of [4, 8, 10, 32]) {
        expect(chooseAlgorithm("reduceScatter", size, 8, true, tuning)).toBe("halving");
      }
    }
  });

  it("switches where the times are equal: (log₂ p − 2 (p − 1)/p) n / rate = log₂ p · latency for 8 ranks", () => {
    const meets = (3 * port.latencyMs * port.bytesPerMs) / (3 - 2 * (7 / 8));
    expect(chooseAlgorithm("allreduce", 8, meets - 1, true, port)).toBe("doubling");
    expect(chooseAlgorithm("allreduce", 8, meets + 1, true, port)).toBe("halving");
  });

  it("chooses the first of two equal algorithms", () => {
    for (const bytes of [0, 1, 1e6]) {
      expect(chooseAlgorithm("bcast", 1, bytes, true, port)).toBe("binomial");
      expect(chooseAlgorithm("reduce", 2, bytes, true, port)).toBe("binomial");
      expect(chooseAlgorithm("allreduce", 1, bytes, true, port)).toBe("doubling");
    }
  });

  it("keeps rank order if the operator needs it, even if another algorithm is forced", () => {
    const forced: Tuning = { ...port, forced: { allreduce: "ring", reduceScatter: "pairwise" } };
    for (const size of [2, 3, 5, 7, 8, 10]) {
      for (const bytes of [0, 1e4, 1e9]) {
        for (const tuning of [port, forced]) {
          expect(chooseAlgorithm("allreduce", size, bytes, false, tuning)).not.toBe("ring");
          expect(chooseAlgorithm("reduceScatter", size, bytes, false, tuning)).toBe("halving");
        }
        expect(chooseAlgorithm("allreduce", size, bytes, true, forced)).toBe("ring");
        expect(chooseAlgorithm("reduceScatter", size, bytes, true, forced)).toBe("pairwise");
      }
    }
  });
});

describe("the measured model", () => {
  const line = (latencyMs: number, bytesPerMs: number) =>
    [
      [0, latencyMs],
      [1e6, latencyMs + 1e6 / bytesPerMs],
    ] as const;
  /** Eight ranks whose messages slow each other down by this factor. */
  const crowded = (times: number, combining = 0): Tuning => ({
    ...port,
    costModel: { ranks: 8, alone: line(0.1, 5e5), together: line(0.1 * times, 5e5 / times), combining },
  });

  it("agrees with the rates if messages do not slow each other down", () => {
    for (const bytes of [8, 1e4, 1e5, 1e6, 1e7]) {
      for (const operation of ["bcast", "reduce", "allreduce"] as const) {
        expect(chooseAlgorithm(operation, 8, bytes, true, crowded(1))).toBe(
          chooseAlgorithm(operation, 8, bytes, true, port),
        );
      }
    }
  });

  it("avoids algorithms in which all ranks send at once if they share a processor", () => {
    for (const bytes of [1e6, 1e9]) {
      expect(chooseAlgorithm("bcast", 8, bytes, true, crowded(1))).toBe("scatterAllgather");
      expect(chooseAlgorithm("bcast", 8, bytes, true, crowded(8))).toBe("binomial");
      expect(chooseAlgorithm("allreduce", 8, bytes, true, crowded(8))).toBe("halving");
    }
  });

  it("counts combining, and laying out the array", () => {
    const meets = (3 * port.latencyMs * port.bytesPerMs) / (3 - 2 * (7 / 8));
    expect(chooseAlgorithm("allreduce", 8, meets - 1, true, crowded(1))).toBe("doubling");
    expect(chooseAlgorithm("allreduce", 8, meets - 1, true, crowded(1, 1e-6))).toBe("halving");
    expect(chooseAlgorithm("reduceScatter", 8, 1e9, true, crowded(1))).toBe("halving");
    expect(chooseAlgorithm("reduceScatter", 8, 1e9, true, crowded(1, 1e-6))).toBe("pairwise");
  });

  it("interpolates linearly between measurements and extrapolates beyond them", () => {
    const alone = [
      [8, 1],
      [1000, 1],
      [2000, 3],
    ] as const;
    const figures = { ranks: 2, alone, together: alone, combining: 0 };
    const took = [0, 500, 1000, 1500, 4000].map((bytes) => stepMs(figures, 2, bytes, 0));
    expect(took).toEqual([1, 1, 1, 2, 7]);
  });
});

it("packs up to the half-bandwidth size, within bounds", () => {
  expect(inlineLimit(port)).toBe(50_000);
  expect(inlineLimit(network)).toBe(2 ** 16);
  expect(inlineLimit({ latencyMs: 0.01, bytesPerMs: 100 })).toBe(2 ** 10);
  expect(inlineLimit({ ...port, forced: { inlineLimit: 3 } })).toBe(3);
});

it("has separate rates within groups", () => {
  const forced = { bcast: "binomial" } as const;
  const both: Tuning = { ...network, within: { latencyMs: 0.1, bytesPerMs: 5e5 }, groups: [0, 0, 1], forced };
  expect(withinGroups(both)).toEqual({ ...port, forced });
  expect(betweenGroups(both)).toEqual({ ...network, forced });
  expect(withinGroups({ ...network, groups: [0, 0, 1] })).toEqual(network);
});
