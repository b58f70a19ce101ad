import { describe } from "vitest";
import { runOnCpu } from "../strategies/testing/evaluate.ts";
import { describeTensorCases } from "./testing/tensor-cases.ts";

describe("on the CPU", () => {
  describeTensorCases(runOnCpu, 50);
});
