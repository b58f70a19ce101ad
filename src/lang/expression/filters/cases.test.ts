import { describe } from "vitest";
import { runOnCpu } from "../execute/testing/evaluate.ts";
import { describeDerivativeCases } from "./testing/derivative-cases.ts";
import { describeMeshCases } from "./testing/mesh-cases.ts";
import { describeMoveCases } from "./testing/move-cases.ts";
import { describeSmoothingCases } from "./testing/smoothing-cases.ts";
import { describeTensorCases } from "./testing/tensor-cases.ts";

describe("on the CPU", () => {
  describeTensorCases(runOnCpu, 50);
  describeDerivativeCases(runOnCpu, 50);
  describeSmoothingCases(runOnCpu, 30);
  describeMeshCases(runOnCpu);
  describeMoveCases(runOnCpu);
});
