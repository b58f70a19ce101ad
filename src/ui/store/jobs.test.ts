import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { ComputeSummary } from "../../engine/api.ts";
import { deferred } from "../testing/deferred.ts";
import { FakeEngine } from "../testing/fake-engine.ts";
import { progressDelayMs } from "./jobs.ts";
import { createSession, type Session } from "./session.ts";

let engine: FakeEngine;
let session: Session;
const job = () => session.store.getState().job;

beforeEach(async () => {
  vi.useFakeTimers();
  engine = new FakeEngine();
  session = createSession({ engine });
  await session.start();
});
afterEach(() => vi.useRealTimers());

test("a job shows only when it lasts, with the step it is at, and goes when it ends", async () => {
  const slow = deferred<ComputeSummary>();
  vi.spyOn(engine, "compute").mockReturnValueOnce(slow.promise);
  const running = session.expressions.run("a = pressure");
  expect(job()).toMatchObject({ name: "Compute", isVisible: false, fraction: undefined });
  engine.emit({ kind: "progress", job: "compute", step: "Uploading pressure", fraction: 0.25 });
  vi.advanceTimersByTime(progressDelayMs - 1);
  expect(job()?.isVisible).toBe(false);
  vi.advanceTimersByTime(1);
  expect(job()).toEqual({ name: "compute", step: "Uploading pressure", fraction: 0.25, isVisible: true });
  engine.emit({ kind: "jobEnded", job: "compute", ms: 420 });
  slow.resolve({
    text: "a = pressure",
    derived: [],
    quantities: [],
    notes: [],
    device: "gpu",
    kernels: 0,
    ms: 1,
  });
  await running;
  expect(job()).toBeUndefined();
  engine.emit({ kind: "jobEnded", job: "Histogram of a", ms: 1 });
  expect(session.store.getState().measurements.lastJob).toEqual({ name: "compute", ms: 420 });
});

test("work that the engine began by itself shows and ends too", () => {
  engine.emit({ kind: "progress", job: "restore", step: "Uploading velocity", fraction: 0.5 });
  vi.advanceTimersByTime(progressDelayMs);
  expect(job()).toMatchObject({ name: "restore", isVisible: true });
  engine.emit({ kind: "jobEnded", job: "restore", ms: 900 });
  expect(job()).toBeUndefined();
});

test("cancel is passed on", () => {
  session.cancel();
  expect(engine.calls.at(-1)).toBe("cancel");
});
