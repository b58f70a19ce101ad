import { beforeEach, expect, test } from "vitest";
import { noJob } from "../core/job.ts";
import type { Layer } from "../core/layers.ts";
import { writeVti } from "../data/write/vtk-xml.ts";
import { isSweep } from "../gpu/testing/sweep.ts";
import type { EngineEvent } from "./api.ts";
import { Engine } from "./engine.ts";
import { ballData } from "./testing/data.ts";
import { testIsosurface, testLayer } from "./testing/layers.ts";
import { openedDevices } from "./testing/opened-devices.ts";
import { paintedPixels } from "./testing/painted-pixels.ts";

const viewport = { width: 100, height: 80, pixelRatio: 1 };

let onDevice: (device: GPUDevice) => void;
const devices = openedDevices((device) => onDevice(device));

beforeEach(() => {
  onDevice = () => {};
});

async function startEngine() {
  const engine = new Engine();
  const events: EngineEvent[] = [];
  await engine.start({ device: "auto" }, (event) => events.push(event));
  const restored = async (times = 1) => {
    while (events.filter(({ kind }) => kind === "device").length < times) await pause(10);
  };
  const file = new File(await writeVti(ballData([9, 8, 7]), noJob), "ball.vti");
  return { engine, events, restored, open: () => engine.open({ kind: "file", file }) };
}

const attach = (engine: Engine) =>
  engine.attachCanvas(new OffscreenCanvas(viewport.width, viewport.height), viewport);

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Milliseconds after which a device is lost. */
const delays = (few: readonly number[], many: readonly number[]) => (isSweep ? many : few);

const layerOf = (id: string, field: string): Layer => testLayer(id, testIsosurface(field, 0.8));

test("a lost GPU is replaced: data, results and layers come back", async () => {
  const { engine, events, restored, open } = await startEngine();
  await attach(engine);
  await open();
  await engine.compute("s = r * r");
  await engine.setLayer(testLayer("surface", testIsosurface("s", 1), { colorBy: "magnitude(v)" }));
  const shape = { kind: "slice", axis: 0, position: 0 } as const;
  await engine.setLayer(testLayer("slice", shape, { colorBy: "r" }));
  engine.adjustLayer("slice", { position: 0.3 });
  engine.setCamera({ ...(await engine.camera()), azimuth: 1 });
  const before = await engine.settled();

  devices[0].destroy();
  await restored();
  expect(events.find(({ kind }) => kind === "error")).toMatchObject({ error: { tag: "DeviceLost" } });
  expect(events.find(({ kind }) => kind === "device")).toMatchObject({ restored: true });
  expect((await engine.settled()).triangles).toBe(before.triangles);
  expect((await engine.camera()).azimuth).toBe(1);
  expect(events.findLast(({ kind }) => kind === "scalarBars")).toMatchObject({
    bars: [{ id: "surface" }, { id: "slice", bar: { title: "r" } }],
  });
  expect(await paintedPixels(engine)).toBeGreaterThan(250);
  expect((await engine.compute("t = s + 1")).derived[0].statistics.min).toBeCloseTo(1 + 1 / 64, 3);
}, 60_000);

test("a GPU that is lost while a result is computed again takes no layer along", async () => {
  const { engine, events, restored, open } = await startEngine();
  await attach(engine);
  await open();
  await engine.compute("d = r");
  await engine.setLayer(layerOf("a", "d"));
  await engine.setLayer(layerOf("b", "2 * d"));
  const { triangles } = await engine.settled();
  for (const [i, delay] of delays([2], [0, 2, 5, 10, 20]).entries()) {
    const computing = engine.compute("d = r + 0").catch((error) => error);
    if (delay > 0) await pause(delay);
    devices.at(-1)?.destroy();
    await computing;
    await restored(i + 1);
    expect([delay, (await engine.settled()).triangles]).toEqual([delay, triangles]);
  }
  expect(events.filter(({ kind }) => kind === "layerGone")).toEqual([]);
}, 60_000);

test("a cancel does not end restoring, and another loss restarts it", async () => {
  const { engine, events, restored, open } = await startEngine();
  await attach(engine);
  await open();
  await engine.compute("d = r");
  await engine.compute("e = d + 0");
  await engine.setLayer(layerOf("a", "d"));
  const { triangles } = await engine.settled();
  devices[0].destroy();
  for (let i = 0; i < 50 && devices.length < 2; i++) {
    engine.cancel();
    await pause(1);
  }
  for (let i = 0; i < 10; i++) {
    engine.cancel();
    await pause(1);
  }
  await restored();
  expect((await engine.settled()).triangles).toBe(triangles);
  expect((await engine.compute("f = e + d")).derived).toHaveLength(1);

  for (const delay of delays([3], [0, 3, 10, 30])) {
    const reports = events.filter(({ kind }) => kind === "device").length;
    const known = devices.length;
    onDevice = (device) => {
      onDevice = () => {};
      setTimeout(() => device.destroy(), delay);
    };
    devices.at(-1)?.destroy();
    while (devices.length < known + 2) await pause(5);
    await restored(reports + 1);
    await engine.settled();
    await pause(20);
    expect([delay, (await engine.settled()).triangles]).toEqual([delay, triangles]);
    expect((await engine.compute("g = f + e + d")).derived).toHaveLength(1);
  }
  expect(events.filter(({ kind }) => kind === "layerGone")).toEqual([]);
}, 60_000);

test("a GPU that is lost while the picture is prepared leaves no old one behind", async () => {
  for (const delay of delays([1], [0, 1, 5, 20])) {
    const { engine, restored, open } = await startEngine();
    await open();
    await engine.setLayer(layerOf("a", "r"));
    const attaching = attach(engine).catch(() => {});
    if (delay > 0) await pause(delay);
    devices.at(-1)?.destroy();
    await restored();
    await attaching;
    expect([delay, (await engine.settled()).triangles > 20]).toEqual([delay, true]);
    await engine.setLayer(layerOf("b", "r"));
    expect((await engine.settled()).triangles).toBeGreaterThan(40);
  }
}, 60_000);
