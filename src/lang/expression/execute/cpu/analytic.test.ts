import { describe } from "vitest";
import { describeAnalyticCases } from "../testing/analytic.ts";
import { runOnCpu } from "../testing/evaluate.ts";

describe("on the CPU", () => describeAnalyticCases(runOnCpu, 100));
