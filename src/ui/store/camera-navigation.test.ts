import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { CameraState } from "../../core/view.ts";
import { FakeEngine } from "../testing/fake-engine.ts";
import { createSession, type Session } from "./session.ts";

let engine: FakeEngine;
let session: Session;
const cameras = () => session.store.getState().cameras;
const steps = () => [cameras().past.length, cameras().future.length];

beforeEach(async () => {
  vi.useFakeTimers();
  engine = new FakeEngine();
  vi.spyOn(engine, "orbit").mockImplementation(async (dx) => {
    engine.view = { ...engine.view, azimuth: engine.view.azimuth + dx } as CameraState;
  });
  session = createSession({ engine });
  await session.start();
  session.view.attachCanvas({} as OffscreenCanvas, { width: 9, height: 9, pixelRatio: 1 });
  await vi.advanceTimersByTimeAsync(1);
});
afterEach(() => vi.useRealTimers());

/** A drag of some moves, and a rest after it. */
async function drag(...moves: readonly number[]): Promise<number> {
  for (const dx of moves) {
    session.view.orbit(dx, 0);
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(500);
  return engine.view.azimuth;
}

test("each drag is a step back and forth, apart from the layers' history", async () => {
  const start = engine.view.azimuth;
  const first = await drag(1, 2, 3);
  const second = await drag(10);
  expect(steps()).toEqual([2, 0]);
  expect(session.store.getState().history.past).toEqual([]);
  await session.view.back();
  expect(engine.view.azimuth).toBe(first);
  await session.view.back();
  expect(engine.view.azimuth).toBe(start);
  await session.view.back();
  expect(session.store.getState().status.message).toBe("There is no previous view.");
  await session.view.forward();
  await session.view.forward();
  expect(engine.view.azimuth).toBe(second);
  expect(steps()).toEqual([2, 0]);
});

test("going back in the midst of a drag ends it, and a new drag ends what was ahead", async () => {
  const first = await drag(1);
  session.view.orbit(5, 0);
  await session.view.back();
  expect(engine.view.azimuth).toBe(first);
  expect(steps()).toEqual([1, 1]);
  await drag(7);
  expect(steps()).toEqual([2, 0]);
});

test("neither a drag that ends where it began nor a resize is a step, and other data clear the history", async () => {
  await drag(4, -4);
  session.view.resize({ width: 5, height: 5, pixelRatio: 1 });
  await vi.advanceTimersByTimeAsync(500);
  expect(steps()).toEqual([0, 0]);
  await drag(1);
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  expect(steps()).toEqual([0, 0]);
});
