import { describe, expect, test } from "vitest";
import { noJob } from "../core/job.ts";
import { expectArraysClose } from "../core/testing/compare.ts";
import { openEngineDevice } from "./device.ts";
import { Session } from "./session.ts";
import { contour } from "./testing/contour.ts";
import { ballData } from "./testing/data.ts";
import { reuseDevices } from "./testing/opened-devices.ts";
import { sessionSuite } from "./testing/session-suite.ts";

reuseDevices();
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

describe("a lost GPU", () => {
  test("costs nothing but time: the session goes on with another", async () => {
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
