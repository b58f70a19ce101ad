import { beforeEach, describe, expect, it, vi } from "vitest";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import { paperGpu } from "../../../../gpu/testing/paper-gpu.ts";
import { compile } from "../../compile.ts";
import { withoutOffsets } from "../../plan/kernel-planner.ts";
import { dataSetOf, sampledField, uniformGrid } from "../testing/data-sets.ts";
import { chooseStrategy, type StrategyRequest } from "./choose-strategy.ts";

const grid = uniformGrid([8, 8, 8]);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "u", "node", (x) => x),
  sampledField(grid, "v", "node", (_, y) => y),
);
const plane = 4 * 8 ** 3;
const device = { grid, layout: () => withoutOffsets(dataSet.fields[0]) };
const host = vi.fn(async () => dataSet);

let gpu: GpuContext;
beforeEach(() => {
  gpu = paperGpu({ maxStorageBuffersPerShaderStage: 8 });
  host.mockClear();
});

const network = compile("a = sin(u) * v", dataSet.fields);
const either = (request: StrategyRequest) => chooseStrategy(gpu, network, ["a"], request, { device, host });
const onDevice = (request: StrategyRequest) => chooseStrategy(gpu, network, ["a"], request, { device });

describe("a strategy", () => {
  it("is fusion by itself where fields may stay on the device, which allocates nothing", async () => {
    const choice = await either({ strategy: "auto" });
    expect(choice).toMatchObject({ kind: "resident", strategy: "fusion", cost: { peakBytes: 3 * plane } });
    expect(choice.reason({ ...(await onDevice({ strategy: "auto" })).cost, uploadedBytes: plane })).toBe(
      "fusion moves 2.0\u00a0KiB and holds 6.0\u00a0KiB: fields and results stay on the GPU",
    );
    expect(host).not.toHaveBeenCalled();
    expect(gpu.pool.use.peak).toBe(0);
  });

  it("that was asked for has no reason", async () => {
    const choice = await onDevice({ strategy: "staged" });
    expect(choice).toMatchObject({ kind: "resident", strategy: "staged", cost: { kernels: 2 } });
    expect(choice.reason(choice.cost)).toBeUndefined();
  });

  it("that moves fields goes from the host, and is refused where there are none", async () => {
    expect(await either({ strategy: "streamed" })).toMatchObject({ kind: "host", strategy: "streamed" });
    expect(host).toHaveBeenCalledOnce();
    await expect(onDevice({ strategy: "roundtrip" })).rejects.toMatchObject({
      tag: "BadArgument",
      problem: "The strategy roundtrip sends fields to the GPU and back; here they stay on it.",
    });
  });

  it("goes from the host where it holds less that way", async () => {
    const network = compile("a = sin(u) + 1; b = cos(v) + 1", dataSet.fields);
    const request: StrategyRequest = { strategy: "staged", budget: 4 * plane };
    const choose = (budget: number) =>
      chooseStrategy(gpu, network, ["a", "b"], { ...request, budget }, { device, host });
    expect(await choose(5 * plane)).toMatchObject({ kind: "resident" });
    expect(await choose(4 * plane)).toMatchObject({ kind: "host", strategy: "staged" });
  });

  it("that does not fit is refused with the bytes that it needs", async () => {
    const budget = 3 * plane - 1;
    await expect(either({ strategy: "fusion", budget })).rejects.toThrow(
      "The fusion strategy would hold 6.0\u00a0KiB on the GPU; 6.0\u00a0KiB are allowed. Use the streamed strategy, or allow it more memory.",
    );
    await expect(onDevice({ strategy: "auto", budget })).rejects.toThrow(
      "The fusion strategy would hold 6.0\u00a0KiB on the GPU; 6.0\u00a0KiB are allowed. Allow it more memory.",
    );
    gpu = paperGpu({ maxStorageBuffersPerShaderStage: 8, maxStorageBufferBindingSize: plane - 4 });
    await expect(onDevice({ strategy: "fusion" })).rejects.toThrow(
      "The fusion strategy needs an array of 2.0\u00a0KiB; this device allows 2.0\u00a0KiB. Use a smaller grid.",
    );
  });
});

it("what reductions need is planned before what is built on them, and no kernels are bound for it", async () => {
  const reduced = compile("a = u / max(abs(u * v))", dataSet.fields);
  const locations = { device, isRepeated: true };
  const choice = await chooseStrategy(gpu, reduced, ["a"], { strategy: "auto" }, locations);
  expect(choice).toMatchObject({ isMeasured: true, cost: { kernels: 2, peakBytes: 3 * plane } });
});
