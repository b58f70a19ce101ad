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

/** Each depth of runs once for the runs in a row that have it. */
const changes = (depths: readonly number[]) => depths.filter((depth, run) => depth !== depths[run - 1]);

it("doubles the depth as long as sweeps take less time, and stays there", () => {
  // An exchange of 10 ms each d sweeps, and d layers that are computed twice: best at 50, 5 % more at 32 and at 64.
  const depths = depthsOf(new DepthSearch(2, 512), 40, (depth) => 1 + 10 / depth + 0.004 * depth);
  expect(changes(depths)).toEqual([2, 4, 8, 16, 32, 64, 32, 64, 32]);
  expect(new Set(depths.slice(20))).toEqual(new Set([32]));
});

it("stays with what it begins with where exchanges take no time", () => {
  const depths = depthsOf(new DepthSearch(3, 512), 20, (depth) => 1 + depth / 100);
  expect(changes(depths)).toEqual([3, 6, 3, 6, 3]);
});

it("halves the depth where more is no better, down to the least", () => {
  const depths = depthsOf(new DepthSearch(64, 512, 6), 40, (depth) => 1 + depth / 10);
  expect(changes(depths)).toEqual([64, 128, 64, 128, 64, 32, 16, 8, 6]);
});

it("goes as far as there are layers, in spite of a run that something else slowed down", () => {
  const slowed = (depth: number, run: number) => (run === 3 ? 1000 : 1 + 100 / depth);
  const depths = depthsOf(new DepthSearch(2, 100), 40, slowed);
  expect(changes(depths)).toEqual([2, 4, 8, 16, 32, 64, 100]);
});
