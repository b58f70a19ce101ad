import { expect, it } from "vitest";
import { makeField } from "../../../../core/field.ts";
import { nodeCoordinates, valueCount } from "../../../../core/grid.ts";
import { noJob } from "../../../../core/job.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { testGpu } from "../../../../gpu/testing/context.ts";
import { isSweep } from "../../../../gpu/testing/sweep.ts";
import { compile } from "../../compile.ts";
import { partsOf } from "../../plan/reductions.ts";
import { randomGrid, randomNumbers } from "../testing/data-sets.ts";
import { resultsOf, runOnCpu } from "../testing/evaluate.ts";
import { ExpressionWriter } from "../testing/random-expressions.ts";
import { planRun, runNetwork } from "./run.ts";

const grid = randomGrid([7, 5, 9], 31);
const random = randomNumbers(77);

/** Values of 16 bits, which f32 holds exactly. */
function field(name: string, centering: "node" | "cell", components: number) {
  const length = valueCount(grid, centering) * components;
  const values = Float32Array.from({ length }, () => Math.round((2 * random() - 1) * 2 ** 16) / 2 ** 16);
  return makeField(grid, name, centering, components, values);
}

const dataSet = {
  name: "random",
  grid,
  notes: [],
  fields: [
    ...["f", "g", "h"].map((name) => field(name, "node", 1)),
    ...["a", "b"].map((name) => field(name, "node", 3)),
    field("c", "cell", 1),
  ],
};

const step = Math.min(
  ...[0, 1, 2].flatMap((axis) => {
    const x = nodeCoordinates(grid, axis);
    return Array.from(x.subarray(1), (value, i) => value - x[i]);
  }),
);

it(`computes ${isSweep ? 2000 : 40} random expressions alike by every strategy and on the CPU`, async () => {
  const gpu = await testGpu();
  const writer = new ExpressionWriter(randomNumbers(2026), {
    scalars: ["f", "g", "h"],
    vectors: ["a", "b"],
    cells: ["c"],
    step,
  });
  for (let k = 0; k < (isSweep ? 2000 : 40); k++) {
    const { text, error } = writer.scalar(1 + (k % 4));
    const program = `r = ${text}`;
    const network = compile(program, dataSet.fields);
    const expected = (await runOnCpu(program, dataSet, ["r"])).r;
    // The CPU gives f32, too.
    const size = Math.max(...Array.from(expected, Math.abs));
    const bound = { absolute: error + size * 2 ** -24 };
    const parts = await partsOf(network, ["r"]);
    const costs = parts.map((part) => planRun(gpu, part.network, dataSet, part.names, "fusion").cost);
    const peakBytes = Math.max(...costs.map((cost) => cost.peakBytes));
    const results = [];
    for (const [strategy, budget] of [
      ["fusion", undefined],
      ["staged", undefined],
      ["roundtrip", undefined],
      ["streamed", peakBytes],
    ] as const) {
      const { fields, quantities } = await runNetwork(gpu, network, dataSet, ["r"], noJob, {
        strategy,
        budget,
      });
      const { r } = resultsOf(fields, quantities);
      expectArraysClose(r, expected, bound, `${strategy}: ${program}`);
      results.push(r);
    }
    expect(results[1], program).toEqual(results[2]);
  }
}, 3_600_000);
