import { expect, it } from "vitest";
import { makeField } from "../../../../core/field.ts";
import { noJob } from "../../../../core/job.ts";
import { testGpu } from "../../../../gpu/testing/context.ts";
import { compile } from "../../compile.ts";
import { runNetwork } from "../gpu/run.ts";
import { dataSetOf, uniformGrid } from "../testing/data-sets.ts";
import oracle from "../testing/large-offsets.json" with { type: "json" };
import { lostDigits } from "./lost-digits.ts";

const grid = uniformGrid([16, 1, 1]);
const dataSet = dataSetOf(
  grid,
  ...Object.entries(oracle.fields).map(([name, values]) =>
    makeField(grid, name, "node", 1, Float64Array.from(values)),
  ),
);

it("every random expression on fields with large offsets has four digits on the GPU, or is found out", async () => {
  const gpu = await testGpu();
  let kept = 0;
  for (const { text, values, spread } of oracle.cases) {
    const network = compile(text, dataSet.fields);
    const { fields } = await runNetwork(gpu, network, dataSet, ["result"], noJob);
    const got = fields.get("result")?.data as Float32Array;
    const errors = values.map((value, i) => Math.abs(got[i] - value) / spread).sort((a, b) => a - b);
    // Few large errors may be singularities; a quarter is not.
    const typical = errors[Math.ceil(0.75 * errors.length)];
    const lost = await lostDigits(network, ["result"], dataSet);
    if (lost.length > 0) continue;
    kept++;
    expect(typical, `error of ${text}`).toBeLessThan(1e-4);
  }
  expect(kept).toBeGreaterThan(0);
});
