import { describe } from "vitest";
import { testGpu } from "../../../../gpu/testing/context.ts";
import { describeAnalyticCases } from "../testing/analytic.ts";
import { runOnGpu } from "../testing/evaluate.ts";

describe("by fusion on the GPU", () => {
  describeAnalyticCases(
    async (text, dataSet) => (await runOnGpu(await testGpu(), text, dataSet)).results,
    25,
  );
});
