import { describe } from "vitest";
import { testGpu } from "../../../gpu/testing/context.ts";
import type { Run } from "../execute/testing/analytic.ts";
import { runOnGpu } from "../execute/testing/evaluate.ts";
import { describeDerivativeCases } from "./testing/derivative-cases.ts";
import { describeMeshCases } from "./testing/mesh-cases.ts";
import { describeMoveCases } from "./testing/move-cases.ts";
import { describeSmoothingCases } from "./testing/smoothing-cases.ts";
import { describeTensorCases } from "./testing/tensor-cases.ts";

const run: Run = async (text, dataSet) => (await runOnGpu(await testGpu(), text, dataSet)).results;

describe("by fusion on the GPU", () => {
  describeTensorCases(run, 10);
  describeDerivativeCases(run, 10);
  describeSmoothingCases(run, 5);
  describeMeshCases(run);
  describeMoveCases(run);
});
