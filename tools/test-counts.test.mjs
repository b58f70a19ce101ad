import { expect, it } from "vitest";
import { playwrightCounts, vitestCounts } from "./test-counts.mjs";

it("counts a runner's tests", () => {
  const vitest = { numPassedTests: 7, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 };
  expect(vitestCounts(JSON.stringify(vitest))).toEqual({ passed: 7, failed: 2, skipped: 2 });
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 3 };
  expect(playwrightCounts(JSON.stringify({ stats }))).toEqual({ passed: 5, failed: 2, skipped: 3 });
});
