import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CrinkleError } from "../../core/errors.ts";
import type { Layer, LayerShape } from "../../core/layers.ts";
import type { LayerSummary } from "../../engine/api.ts";
import { deferred } from "../testing/deferred.ts";
import { FakeEngine, rangeOf } from "../testing/fake-engine.ts";
import { shownSurface } from "../testing/shown-surface.ts";
import { createSession, type Session } from "./session.ts";

let engine: FakeEngine;
let session: Session;
const state = () => session.store.getState();
const ids = () => state().layers.list.map(({ id }) => id);
const facts = (id = "layer-1") => state().layers.facts[id];
const reshape = (change: object, id = "layer-1", gesture?: number) =>
  session.layers.change(id, { name: "shape", ...(gesture === undefined ? {} : { gesture }) }, (layer) => ({
    ...layer,
    shape: { ...layer.shape, ...change } as LayerShape,
  }));
const drawn = (triangles: number, isovalue: number | undefined, id = "layer-1") =>
  engine.emit({ kind: "layer", id, triangles, vertices: 8, isovalue, ms: 0.5 });

beforeEach(async () => {
  vi.useFakeTimers();
  engine = new FakeEngine();
  session = createSession({ engine });
  await session.start();
  engine.calls.length = 0;
});
afterEach(() => vi.useRealTimers());

test("a drag sends each value at once and awaits nothing", () => {
  vi.spyOn(engine, "adjustLayer").mockImplementation((id, adjustment) => {
    engine.note("adjustLayer", id, adjustment);
    return new Promise(() => {});
  });
  for (const value of [1, 2, 3]) void reshape({ isovalues: [value] });
  expect(engine.calls).toEqual([
    'adjustLayer "layer-1" {"isovalues":[1]}',
    'adjustLayer "layer-1" {"isovalues":[2]}',
    'adjustLayer "layer-1" {"isovalues":[3]}',
  ]);
  expect(shownSurface(state())?.isovalue).toBe(3);
});

test("two layers that are added at once are two, and the engine follows where one is moved before it is made", async () => {
  await Promise.all([session.layers.add("slice"), session.layers.add("sphere")]);
  expect(ids()).toEqual(["layer-1", "layer-2", "layer-3"]);
  const made = deferred<LayerSummary>();
  vi.spyOn(engine, "setLayer").mockReturnValueOnce(made.promise);
  const adding = session.layers.add("plane");
  while (ids().length < 4) await Promise.resolve();
  session.layers.move("layer-4", 0);
  engine.calls.length = 0;
  made.resolve({ field: undefined, color: undefined, notes: [] });
  await adding;
  expect(engine.calls).toContain('orderLayers "layer-4" "layer-1" "layer-2" "layer-3"');
});

test("counts of a drag's frames reach the status line together", () => {
  drawn(10, 1);
  drawn(1234, 0.5);
  vi.advanceTimersByTime(200);
  expect(state().status.layers).toBe("q: 1,234 triangles at isovalue 0.5");
  drawn(0, 99);
  vi.advanceTimersByTime(200);
  expect(state().status.layers).toBe(
    "q: the surface is empty at isovalue 99, its values lie between −10 and 30",
  );
});

test("the engine's reason for an empty cut is shown", async () => {
  await reshape({ kind: "cut", by: { kind: "sphere", center: [0, 0, 0], radius: 0.01 } });
  drawn(0, undefined);
  vi.advanceTimersByTime(200);
  expect(state().status.layers).toMatch(/: no data lies there$/);
  const note = "the sphere of radius 0.01 lies between the nodes; cells there are 1 × 1 × 1";
  engine.emit({ kind: "layer", id: "layer-1", triangles: 0, vertices: 0, isovalue: undefined, ms: 1, note });
  vi.advanceTimersByTime(200);
  expect(state().status.layers.endsWith(`: ${note}`)).toBe(true);
});

test("a field that does not vary is said to have no surface, though no counts come", async () => {
  vi.spyOn(engine, "setLayer").mockResolvedValueOnce({ field: rangeOf(3, 3), color: undefined, notes: [] });
  await session.layers.showAt('"X Velocity"', 1);
  expect(state().status.layers).toBe("X Velocity is 3 everywhere: it has no isosurface.");
  expect(facts()?.counts?.triangles).toBe(0);
});

test("a layer that cannot be changed stays as it was, and one that cannot be made is not there", async () => {
  const before = state().layers.list;
  const failure = { tag: "OutOfMemory", problem: "Too large.", remedy: "" } as const;
  vi.spyOn(engine, "setLayer").mockRejectedValue(Object.assign(new Error(), { cause: failure }));
  expect(await session.layers.follow("layer-1", "pressure")).toBe(false);
  expect(state().layers.list).toEqual(before);
  expect(facts()?.isPending).toBe(false);
  expect(state().alert?.error).toMatchObject(failure);
  expect(await session.layers.add("plane")).toBe(false);
  expect(ids()).toEqual(["layer-1"]);
  expect(state().layers.selected).toBe("layer-1");
  expect(state().history.past).toEqual([]);
});

test("of two fields that are asked for, the later one stays", async () => {
  const slow = deferred<LayerSummary>();
  vi.spyOn(engine, "setLayer").mockReturnValueOnce(slow.promise);
  const first = session.layers.showAt("pressure", 0);
  expect(facts()?.isPending).toBe(true);
  await session.layers.showAt("magnitude(velocity)", 1);
  slow.resolve({ field: rangeOf(0, 1), color: undefined, notes: ["Stale."] });
  await first;
  expect(shownSurface(state())?.field).toBe("magnitude(velocity)");
  expect(facts()?.notes).toEqual([]);
});

test("a layer that is removed while it is being made leaves no word of its end", async () => {
  const slow = deferred<LayerSummary>();
  vi.spyOn(engine, "setLayer").mockReturnValueOnce(slow.promise);
  const added = session.layers.add("slice");
  await vi.waitUntil(() => ids().length === 2, { timeout: 60_000 });
  session.layers.remove("layer-2");
  const { message } = state().status;
  slow.reject(new CrinkleError({ tag: "Cancelled", problem: "It was cancelled." }));
  await added;
  expect(ids()).toEqual(["layer-1"]);
  expect(state().status.message).toBe(message);
});

test("an isovalue that moves while the layer is being made is kept", async () => {
  const slow = deferred<LayerSummary>();
  vi.spyOn(engine, "setLayer").mockReturnValueOnce(slow.promise);
  const shown = session.layers.showAt("pressure", 0);
  void reshape({ isovalues: [0.25] });
  expect(engine.calls.some((call) => call.startsWith("adjustLayer"))).toBe(false);
  slow.resolve({ field: rangeOf(0, 1), color: undefined, notes: [] });
  await shown;
  expect(shownSurface(state())).toMatchObject({ field: "pressure", isovalue: 0.25 });
  expect(engine.calls).toContain('adjustLayer "layer-1" {"isovalues":[0.25]}');
});

test("a field's first isovalue comes from its statistics, a component's from its histogram", async () => {
  await session.layers.showField("pressure");
  expect(shownSurface(state())).toMatchObject({ field: "pressure", colorBy: "magnitude(velocity)" });
  expect(shownSurface(state())?.isovalue).toBeCloseTo(-0.05);
  await session.layers.follow("layer-1", "velocity[1]");
  expect(shownSurface(state())).toMatchObject({ field: "velocity[1]", isovalue: 10 });
});

test("another colour field ends a range that was set for the former one", async () => {
  await session.layers.changePaint("layer-1", { name: "range" }, { range: [0, 0.5] });
  await session.layers.colorBy("layer-1", "pressure");
  expect(state().layers.list[0]).toMatchObject({ colorBy: "pressure" });
  expect(state().layers.list[0].paint.range).toBeUndefined();
  expect(facts()?.color).toEqual(rangeOf(0, 1));
});

test("an isovalue outside the range can be taken back", async () => {
  await reshape({ isovalues: [1e6] });
  session.layers.resetIsovalue("layer-1");
  expect(shownSurface(state())?.isovalue).toBe(0.8);
});

test("every kind of layer can be added, shows something, and is selected", async () => {
  for (const kind of ["plane", "sphere", "expression", "slice", "threshold", "isosurface"] as const) {
    expect(await session.layers.add(kind)).toBe(true);
  }
  expect(ids()).toEqual(["layer-1", "layer-2", "layer-3", "layer-4", "layer-5", "layer-6", "layer-7"]);
  expect(state().layers.selected).toBe("layer-7");
  const shapes = state().layers.list.map(({ shape, colorBy }) => [
    shape.kind === "cut" ? shape.by.kind : shape.kind,
    colorBy,
  ]);
  expect(shapes.slice(1)).toEqual([
    ["plane", "magnitude(velocity)"],
    ["sphere", "magnitude(velocity)"],
    ["expression", "magnitude(velocity)"],
    ["slice", "magnitude(velocity)"],
    ["threshold", "pressure"],
    ["isosurface", undefined],
  ]);
  const [, plane, sphere, , slice] = state().layers.list;
  expect(plane.shape).toMatchObject({ by: { plane: { origin: [37.5, 24, 22] } } });
  expect(sphere.shape).toMatchObject({ by: { center: [37.5, 24, 22], radius: 15.4 } });
  expect(slice.shape).toMatchObject({ axis: 2, position: 22 });
  for (const id of ids()) drawn(100, undefined, id);
  vi.advanceTimersByTime(300);
  expect(state().status.layers).toMatch(/: 100 triangles.* · 7 layers, 700 triangles$/);
});

test("layers move, hide and go, and a neighbour is selected in place of one that went", async () => {
  await session.layers.add("slice");
  await session.layers.add("plane");
  session.layers.move("layer-3", 0);
  expect(ids()).toEqual(["layer-3", "layer-1", "layer-2"]);
  expect(engine.calls.at(-1)).toBe('orderLayers "layer-3" "layer-1" "layer-2"');
  session.layers.move("layer-3", -1);
  expect(engine.calls.filter((call) => call.startsWith("orderLayers"))).toHaveLength(1);
  await session.layers.change("layer-1", { name: "hide" }, (layer) => ({ ...layer, isVisible: false }));
  expect(engine.calls.at(-1)).toBe('adjustLayer "layer-1" {"isVisible":false}');
  session.layers.remove("layer-3");
  expect(engine.calls.at(-1)).toBe('removeLayer "layer-3"');
  expect(state().layers.selected).toBe("layer-1");
  engine.emit({ kind: "layerGone", id: "layer-1", note: "q is gone, and its layer with it." });
  expect(ids()).toEqual(["layer-2"]);
  expect(state().status.message).toBe("q is gone, and its layer with it.");
});

test("changes outside the engine's fast path remake the layer, others adjust it", async () => {
  const calls = async (change: (layer: Layer) => Layer, id = "layer-1") => {
    engine.calls.length = 0;
    await session.layers.change(id, { name: "change" }, change);
    return engine.calls.filter((call) => /^(set|adjust)Layer/.test(call)).map((call) => call.split(" ")[0]);
  };
  const shaped =
    (change: object) =>
    (layer: Layer): Layer => ({ ...layer, shape: { ...layer.shape, ...change } as LayerShape });
  expect(await calls(shaped({ topology: "trilinear" }))).toEqual(["setLayer"]);
  expect(await calls(shaped({ normals: "flat", isovalues: [1, 2] }))).toEqual(["adjustLayer"]);
  expect(await calls((layer) => ({ ...layer, title: "Mine" }))).toEqual([]);
  expect(await calls((layer) => ({ ...layer, paint: { ...layer.paint, opacity: 0.5 } }))).toEqual([
    "adjustLayer",
  ]);
  await session.layers.add("slice");
  expect(await calls(shaped({ position: 3 }), "layer-2")).toEqual(["adjustLayer"]);
  expect(await calls(shaped({ axis: 1 }), "layer-2")).toEqual(["setLayer"]);
  await session.layers.add("expression");
  const by = { kind: "expression", text: "coords[0]", value: 1 } as const;
  await calls(shaped({ by }), "layer-3");
  expect(await calls(shaped({ by: { ...by, value: 2 } }), "layer-3")).toEqual(["adjustLayer"]);
  expect(await calls(shaped({ by: { ...by, topology: "trilinear" } }), "layer-3")).toEqual(["setLayer"]);
});

test("a layer is renamed, which asks nothing of the engine, and an empty title brings the automatic one back", async () => {
  const title = () => state().layers.list[0].title;
  session.layers.rename("layer-1", "  Vortex\t core ");
  expect(title()).toBe("Vortex core");
  expect(engine.calls).toEqual([]);
  expect(state().history.past.map(({ action }) => action.name)).toEqual(["rename q"]);
  session.layers.rename("layer-1", "Vortex core");
  session.layers.rename("layer-1", "");
  expect(title()).toBeUndefined();
  await session.history.undo();
  expect(title()).toBe("Vortex core");
  session.layers.rename("layer-1", "q");
  expect(title()).toBeUndefined();
});

test("a removed layer hands the selection to the one below it, else above", async () => {
  for (const kind of ["plane", "slice"] as const) await session.layers.add(kind);
  session.layers.select("layer-2");
  session.layers.remove("layer-2");
  expect(state().layers.selected).toBe("layer-1");
  session.layers.remove("layer-1");
  expect(state().layers.selected).toBe("layer-3");
});

test("a threshold that follows a field without finite values keeps finite numbers", async () => {
  await session.layers.add("threshold");
  const id = state().layers.selected ?? "";
  vi.spyOn(engine, "histogram").mockResolvedValue({
    ...(await engine.histogram("q")),
    min: Number.NaN,
    max: Number.NaN,
  });
  await session.layers.follow(id, "nothing[0]");
  expect(state().layers.list.at(-1)?.shape).toMatchObject({ field: "nothing[0]", range: [0, 1] });
});

test("a cut by another expression keeps its value where that is in reach, and stays where there is none", async () => {
  await session.layers.add("expression");
  const id = state().layers.selected ?? "";
  const cut = () => state().layers.list.at(-1)?.shape;
  await reshape({ by: { kind: "expression", text: "coords[0]", value: 25 } }, id);
  await session.layers.follow(id, "velocity[1]");
  expect(cut()).toMatchObject({ by: { text: "velocity[1]", value: 25 } });
  await reshape({ by: { kind: "expression", text: "coords[0]", value: 264.5 } }, id);
  await session.layers.follow(id, "velocity[1]");
  expect(cut()).toMatchObject({ by: { text: "velocity[1]", value: 10 } });
  vi.spyOn(engine, "histogram").mockRejectedValue(new Error("no such field"));
  expect(await session.layers.follow(id, "(velocity[1]")).toBe(false);
  expect(cut()).toMatchObject({ by: { text: "velocity[1]", value: 10 } });
});
