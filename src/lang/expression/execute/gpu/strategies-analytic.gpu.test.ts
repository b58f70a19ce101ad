import { describe } from "vitest";
import type { DataSet } from "../../../../core/field.ts";
import { noJob } from "../../../../core/job.ts";
import { testGpu } from "../../../../gpu/testing/context.ts";
import { compile } from "../../compile.ts";
import type { StrategyName } from "../../plan/strategies.ts";
import { describeAnalyticCases } from "../testing/analytic.ts";
import { resultsOf } from "../testing/evaluate.ts";
import { runNetwork } from "./run.ts";

const by = (strategy: StrategyName) => async (text: string, dataSet: DataSet) => {
  const network = compile(text, dataSet.fields);
  const names = network.outputs.map(({ name }) => name);
  const gpu = await testGpu();
  const { fields, quantities } = await runNetwork(gpu, network, dataSet, names, noJob, { strategy });
  return resultsOf(fields, quantities);
};

describe("by staged kernels", () => describeAnalyticCases(by("staged"), 3));
describe("by round trips", () => describeAnalyticCases(by("roundtrip"), 2));
describe("in blocks", () => describeAnalyticCases(by("streamed"), 2));
