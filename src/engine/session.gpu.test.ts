import { describe, expect, test } from "vitest";
import { makeField } from "../core/field.ts";
import { noJob } from "../core/job.ts";
import { expectArraysClose } from "../core/testing/compare.ts";
import { openEngineDevice } from "./device.ts";
import { Session } from "./session.ts";
import { contour } from "./testing/contour.ts";
import { ballData } from "./testing/data.ts";
import { reuseDevices } from "./testing/opened-devices.ts";
import { sessionSuite } from "./testing/session-suite.ts";

const devices = reuseDevices();
const openGpu = () => openEngineDevice("gpu", navigator.gpu);

sessionSuite("the GPU", openGpu);

describe("GPU memory", () => {
  test("goes back to nothing after ten tours", async () => {
    const session = new Session(await openGpu());
    const { pool } = session.device.gpu!;
    const afterTours: number[] = [];
    for (let tour = 0; tour < 10; tour++) {
      await session.setDataSet(ballData());
      await session.compute("q = q_criterion(v)\nm = magnitude(v)", noJob);
      await contour(session, { field: "q", isovalue: 0.5, colorBy: "recenter(id)" });
      session.derived.remove("m");
      await session.compute("q = q + 1", noJob);
      afterTours.push(pool.use.current);
      await session.close();
      expect(pool.use).toMatchObject({ current: 0, buffers: 0 });
    }
    expect(new Set(afterTours).size).toBe(1);
  });

  test("stays within 1.3 times inputs and outputs while Q is computed", async () => {
    const session = new Session(await openGpu());
    await session.setDataSet(ballData([48, 40, 32]));
    const { pool } = session.device.gpu!;
    await session.compute("q = q_criterion(v)", noJob);
    const points = 48 * 40 * 32;
    expect(pool.use.peak).toBeLessThanOrEqual(1.3 * points * 4 * (3 + 1));
    await session.close();
  });
});

describe("values with more digits than single precision", () => {
  const grid = {
    kind: "uniform",
    dims: [20, 20, 20],
    origin: [-1, -1, -1],
    spacing: [0.1, 0.1, 0.1],
  } as const;
  const place = (i: number) => [i % 20, Math.floor(i / 20) % 20, Math.floor(i / 400)].map((k) => 0.1 * k - 1);
  const distance = (i: number) => Math.hypot(...place(i));
  const off = Float64Array.from({ length: 8000 }, (_, i) => 1e8 + distance(i));
  const dataSet = { name: "far", grid, fields: [makeField(grid, "off", "node", 1, off)], notes: [] };

  test("are computed on the CPU and drawn on the GPU, unless a GPU was asked for", async () => {
    const session = new Session(await openEngineDevice("auto", navigator.gpu));
    await session.setDataSet(dataSet);
    const { device, derived, notes } = await session.compute(
      "far = 2 * off\nspread = max(off) - min(off)",
      noJob,
    );
    expect([device, derived[0].dtype]).toEqual(["cpu", "f64"]);
    expect(notes).toEqual([
      "Computed on the CPU, because single precision would leave fewer than four significant digits of the range of “far”, “spread”.",
    ]);
    expect((await session.hostField("far")).data).toEqual(off.map((value) => 2 * value));
    const { mesh } = await contour(session, { field: "far", isovalue: 2e8 + 1 });
    const { positions } = mesh;
    const distances = Array.from({ length: positions.length / 3 }, (_, i) =>
      Math.hypot(...positions.subarray(3 * i, 3 * i + 3)),
    );
    expect(Math.min(...distances)).toBeGreaterThan(0.49);
    expect(Math.max(...distances)).toBeLessThan(0.51);
    const near = await session.compute("near = off - 100000000", noJob);
    expect([near.device, near.notes]).toEqual(["gpu", []]);
    await session.close();

    const chosen = new Session(await openGpu());
    await chosen.setDataSet(dataSet);
    const blurred = await chosen.compute("far = 2 * off", noJob);
    expect([blurred.device, blurred.notes]).toEqual([
      "gpu",
      [
        "The GPU's single precision leaves fewer than four significant digits of the range of “far”; the CPU computes in double precision.",
      ],
    ]);
    await chosen.close();
  });
});

describe("a lost GPU", () => {
  test("costs nothing but time: the session goes on with another", async () => {
    devices.own();
    const session = new Session(await openGpu());
    await session.setDataSet(ballData());
    await session.compute("s = magnitude(v)\nt = 2 * r", noJob);
    await session.compute("m = max(r); c = 5", noJob);
    const inBlocks = { strategy: "streamed", budget: 50_000 } as const;
    const { run } = await session.compute("u = s + t / m", noJob, inBlocks);
    expect(run?.blocks).toBeGreaterThan(1);
    session.derived.remove("t");
    session.derived.remove("m");
    const before = await session.hostField("u");

    session.device.gpu!.device.destroy();
    await expect(session.device.gpu!.lost).rejects.toMatchObject({ tag: "DeviceLost" });
    await expect(session.compute("a = 3 * r", noJob)).rejects.toMatchObject({ tag: "DeviceLost" });

    await session.moveTo(await openGpu(), noJob);
    expect(session.derived.names()).toEqual(["s", "u", "c"]);
    const after = await session.hostField("u");
    expectArraysClose(after.data as Float32Array, before.data as Float32Array);
    expect(session.derived.get("u")?.value.kind).toBe("host");
    await session.close();
  });

  test("can be followed by the CPU", async () => {
    devices.own();
    const session = new Session(await openGpu());
    await session.setDataSet(ballData());
    await session.compute("s = magnitude(v)", noJob);
    const { mean } = session.statisticsOf("s");
    session.device.gpu!.device.destroy();
    await session.moveTo(await openEngineDevice("cpu", undefined), noJob);
    expect(session.statisticsOf("s").mean).toBeCloseTo(mean, 4);
    await session.close();
  });
});
