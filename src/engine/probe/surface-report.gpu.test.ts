import { expect, onTestFinished, test } from "vitest";
import { noJob } from "../../core/job.ts";
import { openEngineDevice } from "../device.ts";
import { Session } from "../session.ts";
import { ballData } from "../testing/data.ts";
import { testIsosurface, testLayer } from "../testing/layers.ts";
import { ViewerHost } from "../viewer-host.ts";

const layer = testLayer("surface", testIsosurface("d", 0.5, 1));

test("a position is reported without the field of its surface while another field replaces it", async () => {
  const session = new Session(await openEngineDevice("auto", navigator.gpu));
  const gpu = session.device.gpu!;
  const faults: string[] = [];
  gpu.device.addEventListener("uncapturederror", ({ error }) => faults.push(error.message));
  const viewport = { width: 200, height: 150, pixelRatio: 1 };
  const failed = (error: unknown) => expect.unreachable(String(error));
  const host = await ViewerHost.create(gpu, new OffscreenCanvas(8, 8), viewport, "light", {
    counted: () => {},
    barsChanged: () => {},
    failed,
  });
  onTestFinished(() => {
    host.viewer.dispose();
    gpu.device.destroy();
  });
  await session.setDataSet(ballData());
  host.viewer.setGrid(session.data.bounds);
  await session.compute("d = r", noJob);
  await host.layers.set(session, layer, noJob);
  await host.viewer.frameDrawn();
  await host.layers.triangles();
  const hit = (await host.viewer.pick(100, 75))!;
  expect((await host.layers.report(session, hit))?.isovalue).toBe(1);

  await host.layers.held(() => session.compute("d = 3 * r", noJob));
  const between = await host.layers.report(session, hit);
  expect(between?.isovalue).toBeUndefined();
  expect(between?.values.find(({ name }) => name === "d")?.values[0]).toBeCloseTo(3, 1);

  await host.layers.set(session, layer, noJob);
  const asked = host.layers.report(session, hit);
  host.layers.remove(layer.id);
  expect(await asked).toBeUndefined();
  await gpu.idle();
  expect(faults).toEqual([]);
});
