import { expect, it } from "vitest";
import { leastSquares } from "./least-squares.ts";
import { breakEven, type ExchangeCosts, exchangeMs, predictMs } from "./model.ts";

const costs: ExchangeCosts = {
  name: "test",
  latencyMs: 2,
  bytesPerMs: 100,
  callMs: 5,
  readBackBytesPerMs: 50,
  writtenBytesPerMs: 25,
};

const exchanges = {
  allgathers: 3,
  alltoalls: 1,
  halos: 2,
  gathered: 10,
  exchanged: 400,
  readBack: 100,
  written: 75,
};

it("adds up calls, rounds of messages, bytes, and what passes between GPUs and hosts", () => {
  // Six calls; 3 × 3 + 2 + 2 messages one after the other; 7 × 10 + 400 bytes; 2 ms and 3 ms.
  expect(exchangeMs(costs, exchanges, 8)).toBeCloseTo(6 * 5 + 13 * 2 + 4.7 + 2 + 3, 9);
  // Ranks that are no power of two have a round more, and ten have nine pairs of messages, four at a time.
  expect(exchangeMs(costs, exchanges, 10)).toBeCloseTo(6 * 5 + (3 * 4 + 3 + 2) * 2 + 4.9 + 2 + 3, 9);
});

it("sends nothing on one rank", () => {
  const none = { ...exchanges, halos: 0, exchanged: 0, readBack: 0, written: 0 };
  expect(exchangeMs(costs, none, 1)).toBe(20);
});

it("shares what is computed evenly, but for what takes as long without elements", () => {
  const compute = { fixedMs: 1, perElementMs: 0.5 };
  const none = { allgathers: 0, alltoalls: 0, halos: 0, gathered: 0, exchanged: 0, readBack: 0, written: 0 };
  expect(predictMs(compute, costs, none, 100, 4)).toBe(13.5);
});

it("finds the smallest size from which ranks are faster", () => {
  for (const first of [1, 2, 700, 1024]) expect(breakEven((n) => n >= first, 1024)).toBe(first);
  expect(breakEven((n) => n >= 1025, 1024)).toBeUndefined();
});

it("finds factors by least squares", () => {
  const at = [2, 4, 8, 16];
  const rows = at.map((p) => [1, Math.log2(p), p]);
  const factors = leastSquares(
    rows,
    at.map((p) => 7 - 3 * Math.log2(p) + 2 * p),
  );
  for (const [k, factor] of [7, -3, 2].entries()) expect(factors[k]).toBeCloseTo(factor, 9);
  expect(leastSquares([[1], [1], [1]], [1, 2, 6])).toEqual([3]);
});
