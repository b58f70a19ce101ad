import { afterEach, expect, it, vi } from "vitest";
import { SweepBatches } from "./sweep-batches.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs batches whose sweeps take so long each; resolves to their lengths. */
async function lengthsOf(batches: SweepBatches, ms: number, count: number, most = 5000): Promise<number[]> {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const lengths: number[] = [];
  while (lengths.length < count) {
    lengths.push(
      await batches.next(most, async (sweeps) => {
        now += sweeps * ms;
      }),
    );
  }
  return lengths;
}

it("makes batches that take about a tenth of a second, within bounds", async () => {
  const batches = new SweepBatches();
  expect(await lengthsOf(batches, 30, 5)).toEqual([1, 2, 4, 4, 4]);
  expect(await lengthsOf(batches, 200, 4)).toEqual([4, 2, 1, 1]);
  expect((await lengthsOf(batches, 0.001, 12)).slice(-2)).toEqual([1024, 1024]);
  expect(await lengthsOf(batches, 1, 2, 7)).toEqual([7, 7]);
});
