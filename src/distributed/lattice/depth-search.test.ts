import { expect, it } from "vitest";
import { DepthSearch } from "./depth-search.ts";

/** The depth of each of so many runs, in which a sweep takes the time that `msOf` says of a depth and a run. */
function depthsOf(search: DepthSearch, runs: number, msOf: (depth: number, run: number) => number): number[] {
  return Array.from({ length: runs }, (_, run) => {
    const { depth } = search;
    search.learn(msOf(depth, run));
    return depth;
  });
}

it("doubles the depth as long as sweeps take less time, and stays there", () => {
  // An exchange of 10 ms each d sweeps, and d layers that are computed twice: best at 50, 5 % more at 32 and at 64.
  const depths = depthsOf(new DepthSearch(2, 512), 20, (depth) => 1 + 10 / depth + 0.004 * depth);
  expect(depths.slice(0, 8)).toEqual([2, 2, 4, 8, 16, 32, 64, 32]);
  expect(new Set(depths.slice(10))).toEqual(new Set([32]));
});

it("stays with what it begins with where exchanges take no time", () => {
  const depths = depthsOf(new DepthSearch(3, 512), 12, (depth) => 1 + depth / 100);
  expect(new Set(depths)).toEqual(new Set([3, 6]));
  expect(depths.slice(-6)).toEqual([3, 3, 3, 3, 3, 3]);
});

it("halves the depth where more is no better, down to the least", () => {
  const depths = depthsOf(new DepthSearch(64, 512, 6), 24, (depth) => 1 + depth / 10);
  expect(depths.slice(0, 10)).toEqual([64, 64, 128, 64, 128, 64, 32, 16, 8, 6]);
  expect(new Set(depths.slice(9))).toEqual(new Set([6]));
});

it("learns nothing from the first run, which takes longer", () => {
  const depths = depthsOf(new DepthSearch(8, 512, 8), 12, (depth, run) => (run === 0 ? 0.5 : 1 + depth / 100));
  expect(depths.at(-1)).toBe(8);
});

it("goes as far as there are layers, in spite of a run that something else slowed down", () => {
  const slowed = (depth: number, run: number) => (run === 3 ? 1000 : 1 + 100 / depth);
  const depths = depthsOf(new DepthSearch(2, 100), 20, slowed);
  expect(depths.at(-1)).toBe(100);
  expect(depths.every((depth) => depth <= 100)).toBe(true);
});
