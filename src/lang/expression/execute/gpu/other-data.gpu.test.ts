import { describe, expect, it } from "vitest";
import { makeField } from "../../../../core/field.ts";
import { valueCount } from "../../../../core/grid.ts";
import { noJob } from "../../../../core/job.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { testGpu } from "../../../../gpu/testing/context.ts";
import { compile } from "../../compile.ts";
import { dataSetOf, randomGrid, randomNumbers } from "../testing/data-sets.ts";
import { GpuDataSet, readInterleaved, runOnCpu } from "../testing/evaluate.ts";
import { evaluateOnGpu } from "./evaluate.ts";
import { runNetwork } from "./run.ts";

const grid = randomGrid([7, 6, 5], 3);
const count = valueCount(grid, "node");

/** A step of a simulation: u is spread around 0, the pressure closely around a level. */
function step(seed: number, level: number) {
  const random = randomNumbers(seed);
  const u = Float32Array.from({ length: count }, () => seed * (random() - 0.4));
  const pressure = Float64Array.from({ length: count }, () => level + seed * random());
  return dataSetOf(
    grid,
    makeField(grid, "u", "node", 1, u),
    makeField(grid, "pressure", "node", 1, pressure),
  );
}

const steps = [step(1, 40), step(2, 30), step(3, 50.5)];

const text = `a = (u - avg(u)) / maximum(abs(u));
b = (pressure - avg(pressure)) / stddev(pressure) + u^avg(a);
c = if pressure > 0.5 * (minimum(pressure) + maximum(pressure)) then pressure - 35 else a`;
const names = ["a", "b", "c"];
/** Means of f32 values around 50 are off by 4e-6 at most. */
const tolerance = { absolute: 2e-5, relative: 2e-5 };

describe("other data need no other kernels, though reductions and offsets differ", () => {
  for (const strategy of ["roundtrip", "staged", "fusion", "streamed"] as const) {
    it(strategy, async () => {
      const gpu = await testGpu();
      let compiled: number | undefined;
      for (const data of steps) {
        const network = compile(text, data.fields);
        const { fields } = await runNetwork(gpu, network, data, names, noJob, { strategy });
        const expected = await runOnCpu(text, data, names);
        for (const name of names) {
          expectArraysClose(fields.get(name)?.data as Float32Array, expected[name], tolerance, name);
        }
        compiled ??= gpu.pipelines.count;
        expect(gpu.pipelines.count).toBe(compiled);
      }
    });
  }

  it("where fields stay on the device", async () => {
    const gpu = await testGpu();
    let compiled: number | undefined;
    for (const data of steps) {
      const inputs = new GpuDataSet(gpu, data);
      const network = compile(text, data.fields);
      const { fields } = await evaluateOnGpu(gpu, network, inputs, ["b"], noJob);
      const { b } = await runOnCpu(text, data, ["b"]);
      const field = fields.get("b")!;
      expectArraysClose(await readInterleaved(gpu, field), b, tolerance, "b");
      field.buffer.release();
      await inputs.release();
      compiled ??= gpu.pipelines.count;
      expect(gpu.pipelines.count).toBe(compiled);
    }
  });
});
