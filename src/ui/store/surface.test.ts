import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SurfaceSummary } from "../../engine/api.ts";
import { deferred } from "../testing/deferred.ts";
import { FakeEngine, rangeOf } from "../testing/fake-engine.ts";
import { createSession, type Session } from "./session.ts";

let engine: FakeEngine;
let session: Session;
const state = () => session.store.getState();
const settings = (field: string) => ({ field, isovalue: 1, colorBy: undefined });

beforeEach(async () => {
  vi.useFakeTimers();
  engine = new FakeEngine();
  session = createSession({ engine });
  await session.start();
});
afterEach(() => vi.useRealTimers());

test("a drag sends each isovalue at once and awaits nothing", () => {
  vi.spyOn(engine, "setIsovalue").mockImplementation((isovalue) => {
    engine.note("setIsovalue", isovalue);
    return new Promise(() => {});
  });
  engine.calls.length = 0;
  for (const value of [1, 2, 3]) session.surface.setIsovalue(value);
  session.surface.setIsovalue(Number.NaN);
  expect(engine.calls).toEqual(["setIsovalue 1", "setIsovalue 2", "setIsovalue 3"]);
  expect(state().surface.settings?.isovalue).toBe(3);
});

test("counts of a drag's frames reach the status line together", () => {
  engine.emit({ kind: "surface", triangles: 10, vertices: 8, isovalue: 1, ms: 0.5 });
  engine.emit({ kind: "surface", triangles: 1234, vertices: 8, isovalue: 0.5, ms: 0.5 });
  expect(state().status.surface).toBe("");
  vi.advanceTimersByTime(200);
  expect(state().status.surface).toBe("q: 1,234 triangles at isovalue 0.5");
  engine.emit({ kind: "surface", triangles: 0, vertices: 0, isovalue: 99, ms: undefined });
  vi.advanceTimersByTime(200);
  expect(state().status.surface).toBe(
    "q: the surface is empty at isovalue 99, its values lie between −10 and 30",
  );
});

test("a field that does not vary is said to have no surface, though no counts come", async () => {
  vi.spyOn(engine, "setSurface").mockResolvedValueOnce({ field: rangeOf(3, 3), color: undefined, notes: [] });
  await session.surface.show(settings('"X Velocity"'));
  expect(state().status.surface).toBe("X Velocity is 3 everywhere: it has no isosurface.");
  expect(state().surface.counts?.triangles).toBe(0);
});

test("a surface that cannot be made leaves the former one", async () => {
  const before = state().surface.settings;
  vi.spyOn(engine, "setSurface").mockRejectedValueOnce(
    Object.assign(new Error(), { cause: { tag: "OutOfMemory", problem: "Too large.", remedy: "" } }),
  );
  expect(await session.surface.show(settings("pressure"))).toBe(false);
  expect(state().surface.settings).toEqual(before);
  expect(state().surface.requested).toBeUndefined();
  expect(state().alert?.error).toMatchObject({ tag: "OutOfMemory", problem: "Too large." });
});

test("of two surfaces that are asked for, the later one stays", async () => {
  const slow = deferred<SurfaceSummary>();
  vi.spyOn(engine, "setSurface").mockReturnValueOnce(slow.promise);
  const first = session.surface.show(settings("pressure"));
  expect(state().surface.requested?.field).toBe("pressure");
  await session.surface.show(settings("magnitude(velocity)"));
  slow.resolve({ field: rangeOf(0, 1), color: undefined, notes: ["Stale."] });
  await first;
  expect(state().surface.settings?.field).toBe("magnitude(velocity)");
  expect(state().surface.notes).toEqual([]);
});

test("an isovalue that moves while the surface is being made is kept", async () => {
  const slow = deferred<SurfaceSummary>();
  vi.spyOn(engine, "setSurface").mockReturnValueOnce(slow.promise);
  const shown = session.surface.show(settings("pressure"));
  session.surface.setIsovalue(0.25);
  expect(engine.calls).not.toContain("setIsovalue 0.25");
  slow.resolve({ field: rangeOf(0, 1), color: undefined, notes: [] });
  await shown;
  expect(state().surface.settings).toEqual({ field: "pressure", isovalue: 0.25, colorBy: undefined });
  expect(engine.calls).toContain("setIsovalue 0.25");
});

test("a field's first isovalue comes from its statistics, a component's from its histogram", async () => {
  await session.surface.showField("pressure");
  expect(state().surface.settings).toMatchObject({ field: "pressure", colorBy: "magnitude(velocity)" });
  expect(state().surface.settings?.isovalue).toBeCloseTo(-0.05);
  await session.surface.showField("velocity[1]");
  expect(state().surface.settings).toMatchObject({ field: "velocity[1]", isovalue: 10 });
});

test("another colour field ends a range that was set for the former one", async () => {
  session.view.setColors({ range: [0, 0.5] });
  await session.surface.colorBy("pressure");
  expect(state().surface.settings?.colorBy).toBe("pressure");
  expect(state().surface.colorStatistics).toEqual(rangeOf(0, 1));
  expect(state().colors.range).toBeUndefined();
  expect(engine.calls.findLast((call) => call.startsWith("setColors"))).not.toContain("range");
});

test("an isovalue outside the range can be taken back", () => {
  session.surface.setIsovalue(1e6);
  session.surface.resetIsovalue();
  expect(state().surface.settings?.isovalue).toBe(0.8);
});

test("hiding forgets the surface and its sentence", () => {
  engine.emit({ kind: "surface", triangles: 10, vertices: 8, isovalue: 1, ms: 0.5 });
  session.surface.hide();
  vi.advanceTimersByTime(1000);
  expect(state().surface.settings).toBeUndefined();
  expect(state().status.surface).toBe("");
  expect(engine.calls.at(-1)).toBe("hideSurface");
});
