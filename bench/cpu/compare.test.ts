import { expect, it } from "vitest";
import type { CpuWorkers } from "../../src/lang/expression/execute/cpu/workers.ts";
import { compareOnCpu } from "./compare.ts";

const none: CpuWorkers = {
  size: 0,
  pays: () => false,
  help: () => ({ finished: async () => {} }),
};

it("measures what gives the same bits", async () => {
  const found = [];
  for await (const one of compareOnCpu([11], 1, none)) found.push(one);
  expect(found.map(({ isEqual, threads, points }) => [isEqual, threads, points])).toEqual(
    new Array(6).fill([true, 1, 1331]),
  );
  expect(found.every(({ plain, single, shared }) => Math.min(plain, single, shared) > 0)).toBe(true);
});
