import { expect, it } from "vitest";
import { noJob } from "../../../../core/job.ts";
import { testGpu } from "../../../../gpu/testing/context.ts";
import { compile } from "../../compile.ts";
import { movedValues, moves, numberedData } from "../../filters/testing/move-cases.ts";
import type { StrategyName } from "../../plan/strategies.ts";
import { planRun, runNetwork } from "./run.ts";

const data = numberedData("node", [4, 4, 9]);

async function run(n: number, strategy: StrategyName) {
  const [text, from] = moves[n];
  const gpu = await testGpu();
  const network = compile(`r = 2 * ${text}`, data.fields);
  const budget =
    strategy === "streamed" ? planRun(gpu, network, data, ["r"], strategy).cost.peakBytes : undefined;
  const { fields, report } = await runNetwork(gpu, network, data, ["r"], noJob, { strategy, budget });
  const expected = movedValues(data, from).map((value) => 2 * value);
  expect([...Array.from(fields.get("r")!.data as Float32Array)], `${text}, ${strategy}`).toEqual(expected);
  return report.blocks;
}

it("values move along all axes by every strategy, and blocks hold the whole grid where they move along z", async () => {
  for (const strategy of ["staged", "roundtrip"] as const) await run(5, strategy);
  expect(await run(4, "streamed")).toBeGreaterThan(1);
  expect(await run(5, "streamed")).toBe(1);
});
