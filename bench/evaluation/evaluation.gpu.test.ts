import { describe, expect, it } from "vitest";
import { noJob } from "../../src/core/job.ts";
import { testGpu } from "../../src/gpu/testing/context.ts";
import { evaluateOnCpu } from "../../src/lang/expression/execute/cpu/evaluate.ts";
import { type EvaluationOptions, evaluate } from "./evaluation.ts";
import { expressions } from "./expressions.ts";
import { evaluateKernels } from "./kernels.ts";
import { type Measurement, ways } from "./measurement.ts";
import type { CpuRun } from "./runner.ts";

const onCpu: CpuRun = async (network, dataSet, output) => {
  const { fields } = await evaluateOnCpu(network, dataSet, [output], noJob);
  return fields.get(output)?.data as Float32Array;
};

const options: EvaluationOptions = {
  edge: 9,
  planes: [20],
  ways,
  runs: 1,
  measuringMs: 0,
  maxMs: 1e9,
  budget: Number.POSITIVE_INFINITY,
  onCpu,
  known: [],
  hasTime: () => true,
};

async function all(changes: Partial<EvaluationOptions>) {
  const measurements: Measurement[] = [];
  for await (const one of evaluate(await testGpu(), { ...options, ...changes })) {
    measurements.push(one);
  }
  return measurements;
}

describe("the seed's evaluation", () => {
  it("runs every expression in every way, all of which agree", async () => {
    const measurements = await all({});
    expect(measurements.length).toBe(expressions.length * ways.length);
    for (const { runs, way, cost } of measurements) {
      expect(runs.length).toBe(1);
      expect(cost === undefined).toBe(way === "cpu");
    }
    const byHand = measurements.find((one) => one.way === "hand-written");
    expect(byHand?.cost).toMatchObject({
      uploads: 3,
      downloads: 1,
      kernels: 1,
      peakBytes: 4 * 9 * 9 * 20 * 4,
    });
  });

  it("says where ways differ", async () => {
    const wrong: CpuRun = async (...run) => (await onCpu(...run)).map((value) => 1.001 * value);
    await expect(all({ ways: ["fusion", "cpu"], onCpu: wrong })).rejects.toThrow("cpu and fusion differ");
  });

  it("keeps the bytes of what is refused, and skips what is known, too slow, or beyond the time", async () => {
    const name = expressions[0].name;
    const known = ways.flatMap((way) =>
      expressions.map(({ name: expression }) => ({ expression, way, cells: 9 * 9 * 20, runs: [50] })),
    );
    expect(await all({ known })).toEqual([]);
    const [later] = await all({ known, planes: [40], ways: ["fusion"], maxMs: 99 });
    expect(later).toEqual({ expression: name, way: "fusion", cells: 9 * 9 * 40, runs: [], predictedMs: 100 });
    expect(await all({ hasTime: () => false })).toEqual([]);
    const [refused] = await all({ ways: ["hand-written"], budget: 3 * 9 * 9 * 20 * 4 });
    expect(refused).toMatchObject({ runs: [], cost: { peakBytes: 4 * 9 * 9 * 20 * 4 } });
    expect(refused.refusal).toContain("are allowed");
  });

  it("times kernels alone", async () => {
    const gpu = await testGpu();
    const before = gpu.pool.use.current;
    const known = expressions.slice(1).map(({ name: expression }) => {
      return { expression, cells: 9 * 9 * 20, fusion: 1, handWritten: 1, staged: 1 };
    });
    for await (const one of evaluateKernels(gpu, 9, [20], known)) {
      expect(one).toMatchObject({ expression: expressions[0].name, cells: 9 * 9 * 20 });
      for (const ms of [one.fusion, one.handWritten, one.staged]) expect(ms).toBeGreaterThan(0);
    }
    expect(gpu.pool.use.current).toBe(before);
  });
});
