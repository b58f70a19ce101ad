import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ProbeReport } from "../../engine/api.ts";
import { deferred } from "../testing/deferred.ts";
import { FakeEngine } from "../testing/fake-engine.ts";
import { createSession, type Session } from "./session.ts";

let engine: FakeEngine;
let session: Session;
const probe = () => session.store.getState().probe;
const report: ProbeReport = {
  position: [1, 2, 3],
  layer: "layer-1",
  triangle: 7,
  cell: [1, 2, 3],
  isovalue: 0.8,
  values: [{ name: "q", values: [0.8] }],
};

beforeEach(async () => {
  vi.useFakeTimers();
  engine = new FakeEngine();
  session = createSession({ engine });
  await session.start();
  engine.probed = report;
  engine.calls.length = 0;
});
afterEach(() => vi.useRealTimers());

test("values are shown for a resting pointer, not for a moving one", async () => {
  for (let x = 0; x < 10; x++) {
    session.probe.hover({ x, y: 5 });
    await vi.advanceTimersByTimeAsync(20);
  }
  expect(engine.calls).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(engine.calls).toEqual(["probe 9 5"]);
  expect(probe().hover).toEqual({ x: 9, y: 5, report });
  session.probe.leave();
  expect(probe().hover).toBeUndefined();
});

test("an answer that comes after a drag has begun is dropped", async () => {
  const slow = deferred<ProbeReport | undefined>();
  vi.spyOn(engine, "probe").mockReturnValueOnce(slow.promise);
  session.probe.hover({ x: 1, y: 1 });
  await vi.advanceTimersByTimeAsync(100);
  session.probe.leave();
  slow.resolve(report);
  await vi.advanceTimersByTimeAsync(0);
  expect(probe().hover).toBeUndefined();
});

test("a click keeps what it hit and selects its layer; beside everything it keeps nothing", async () => {
  await session.layers.add("slice");
  await session.probe.pick({ x: 1, y: 1 });
  expect(probe().picked).toBe(report);
  expect(session.store.getState().layers.selected).toBe("layer-1");
  engine.probed = undefined;
  await session.probe.pick({ x: 2, y: 1 });
  expect(probe().picked).toBeUndefined();
});

test("a pointer that moves on after its click waits for what the click hits", async () => {
  const slow = deferred<ProbeReport | undefined>();
  const asked = vi.spyOn(engine, "probe").mockReturnValueOnce(slow.promise);
  const picking = session.probe.pick({ x: 1, y: 1 });
  session.probe.hover({ x: 9, y: 9 });
  await vi.advanceTimersByTimeAsync(100);
  expect(asked).toHaveBeenCalledTimes(1);
  slow.resolve(report);
  await picking;
  expect(probe().picked).toBe(report);
  await vi.advanceTimersByTimeAsync(0);
  expect(probe().hover).toMatchObject({ x: 9, y: 9 });
});

test("a layer that is removed before its click is answered is not selected", async () => {
  await session.layers.add("slice");
  const picking = session.probe.pick({ x: 1, y: 1 });
  session.layers.remove("layer-1");
  await picking;
  expect(probe().picked).toBeUndefined();
  expect(session.store.getState().layers.selected).toBe("layer-2");
});

test("of two clicks the later one counts, and none of a former data set", async () => {
  const slow = [deferred<ProbeReport | undefined>(), deferred<ProbeReport | undefined>()];
  vi.spyOn(engine, "probe").mockReturnValueOnce(slow[0].promise).mockReturnValueOnce(slow[1].promise);
  const picks = [session.probe.pick({ x: 1, y: 1 }), session.probe.pick({ x: 2, y: 2 })];
  slow[0].resolve(report);
  await picks[0];
  expect(probe().picked).toBeUndefined();
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  slow[1].resolve(report);
  await picks[1];
  expect(probe().picked).toBeUndefined();
});

test("the crosshair shows what is under it, and hides it when it moves on", async () => {
  session.probe.moveCursor({ x: 3, y: 4 });
  await vi.advanceTimersByTimeAsync(100);
  expect(probe()).toMatchObject({ cursor: { x: 3, y: 4 }, hover: { report } });
  session.probe.hideCursor();
  expect(probe()).toMatchObject({ cursor: undefined, hover: undefined });
});

test("another picture takes the word away, and the crosshair looks again", async () => {
  session.probe.hover({ x: 3, y: 4 });
  await vi.advanceTimersByTimeAsync(100);
  await session.layers.changePaint("layer-1", { name: "opacity" }, { opacity: 0.5 });
  expect(probe().hover).toBeUndefined();
  session.probe.moveCursor({ x: 5, y: 6 });
  await vi.advanceTimersByTimeAsync(100);
  engine.calls.length = 0;
  await session.layers.changePaint("layer-1", { name: "opacity" }, { opacity: 1 });
  await vi.advanceTimersByTimeAsync(100);
  expect(engine.calls).toContain("probe 5 6");
  expect(probe().hover).toBeDefined();
});

test("another data set takes what was picked away", async () => {
  await session.probe.pick({ x: 1, y: 1 });
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  expect(probe().picked).toBeUndefined();
});
