import { describe, expect, it } from "vitest";
import { dataSetOf, randomGrid, sampledField } from "../../lang/expression/execute/testing/data-sets.ts";
import { runOnCpu } from "../../lang/expression/execute/testing/evaluate.ts";
import { type RatesOfRanks, runOnRanks } from "./testing/on-ranks.ts";

const grid = randomGrid([6, 5, 19], 5);
const data = dataSetOf(
  grid,
  sampledField(grid, "f", "node", (x, y, z) => Math.sin(9 * x) + Math.cos(8 * y) * Math.sin(7 * z)),
  sampledField(grid, "v", "node", (x, y, z) => [Math.sin(3 * y) - z, Math.cos(2 * z) + x * x, x * y + z]),
  sampledField(grid, "c", "cell", (x, y, z) => x * y - z),
);

const times = (n: number, of: string, f: string): string => (n === 0 ? f : `${of}(${times(n - 1, of, f)})`);

/** Chains, chains that meet, several results, both centrings, and a value that moves on. */
const texts = [
  `r = ${times(6, "mean_filter", "f")}`,
  `a = magnitude(curl(v)); b = ${times(4, "laplacian", "a")}; r = b - gradient(${times(3, "mean_filter", "f")})[2] + a`,
  `r = ${times(3, "laplacian", "recenter(c) * f")}; s = gradient(gradient(gradient(f)[0])[1])[2] - r`,
  `r = shift(${times(3, "laplacian", "f")}, {0, 0, 4}) + ${times(3, "median_filter", "f")}`,
];

/** Ranks that compute slowly over a network that takes no time, and the reverse. */
const freely: RatesOfRanks = {
  tuning: { latencyMs: 0, bytesPerMs: Number.POSITIVE_INFINITY },
  paces: [{ nodes: 1, ms: 1e6, expectedMs: 1 }],
};
const never: RatesOfRanks = { tuning: { latencyMs: 1e12, bytesPerMs: 1 } };

async function onRanks(blocks: readonly number[], text: string, rates: RatesOfRanks) {
  const messages: number[] = [];
  const onMessages = (count: number) => messages.push(count);
  const results = await runOnRanks(blocks, text, data, "all", undefined, { ...rates, onMessages });
  return { results, messages: Math.max(...messages) };
}

describe("what ranks need of each other's blocks", () => {
  it.each([
    [1, 1, 6],
    [2, 2, 2],
  ])("gives one rank's bits, exchanged or computed anew, in blocks of %i x %i x %i", async (...blocks) => {
    for (const text of texts) {
      const expected = await runOnCpu(text, data);
      const anew = await onRanks(blocks, text, never);
      const exchanged = await onRanks(blocks, text, freely);
      expect(exchanged.messages, text).toBeGreaterThan(anew.messages);
      expect(exchanged.results, text).toEqual(anew.results);
      // What moves is rounded to f32 on its way.
      if (!text.includes("shift")) expect(exchanged.results, text).toEqual(expected);
    }
  });
});
