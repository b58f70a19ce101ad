import { beforeEach, expect, test, vi } from "vitest";
import type { LayerShape } from "../../core/layers.ts";
import { deferred } from "../testing/deferred.ts";
import { FakeEngine } from "../testing/fake-engine.ts";
import { shownSurface } from "../testing/shown-surface.ts";
import { createSession, type Session } from "./session.ts";

let engine: FakeEngine;
let session: Session;
const state = () => session.store.getState();
const undo = () => session.history.undo();
const redo = () => session.history.redo();
const drag = (isovalue: number, gesture: number) =>
  session.layers.change("layer-1", { name: "isovalue", gesture }, (layer) => ({
    ...layer,
    shape: { ...layer.shape, isovalues: [isovalue] } as LayerShape,
  }));

beforeEach(async () => {
  engine = new FakeEngine();
  session = createSession({ engine });
  await session.start();
  engine.calls.length = 0;
});

test("the first picture is where the history begins", async () => {
  expect(state().history.past).toEqual([]);
  await undo();
  expect(state().status.message).toBe("There is nothing to undo.");
});

test("a drag is taken back at once, by one call", async () => {
  for (let i = 1; i <= 20; i++) await drag(i / 4, 1);
  engine.calls.length = 0;
  await undo();
  expect(shownSurface(state())?.isovalue).toBe(0.8);
  expect(engine.calls).toEqual(['adjustLayer "layer-1" {"isovalues":[0.8]}']);
  expect(state().status.message).toBe("Undo: isovalue");
  await redo();
  expect(shownSurface(state())?.isovalue).toBe(5);
});

test("layers that were added, removed and ordered come and go", async () => {
  await session.layers.add("slice");
  await session.layers.add("threshold");
  session.layers.move("layer-3", 0);
  session.layers.remove("layer-1");
  const ids = () => state().layers.list.map(({ id }) => id);
  expect(ids()).toEqual(["layer-3", "layer-2"]);
  await undo();
  expect(ids()).toEqual(["layer-3", "layer-1", "layer-2"]);
  expect(engine.calls.at(-2)).toMatch(/^(orderLayers|histogram)/);
  await undo();
  await undo();
  expect(ids()).toEqual(["layer-1", "layer-2"]);
  expect(state().layers.selected).toBe("layer-2");
  await Promise.all([redo(), redo()]);
  expect(ids()).toEqual(["layer-3", "layer-1", "layer-2"]);
});

test("a computation is taken back with its field, and done again", async () => {
  session.expressions.setText("w = pressure");
  await session.expressions.compute();
  expect(shownSurface(state())?.field).toBe("w");
  await undo();
  expect(state().data.derived.map(({ name }) => name)).toEqual(["q"]);
  expect(shownSurface(state())?.field).toBe("q");
  expect(engine.calls.at(-1)).toBe('removeDerived "w"');
  engine.calls.length = 0;
  await redo();
  expect(engine.calls[0]).toBe('compute "w = pressure"');
  expect(shownSurface(state())?.field).toBe("w");
});

test("a field that was removed is computed again before its layers return", async () => {
  await session.expressions.remove("q");
  expect(state().layers.list).toEqual([]);
  engine.calls.length = 0;
  await undo();
  expect(engine.calls.slice(0, 2).map((call) => call.split(" ")[0])).toEqual(["compute", "setLayer"]);
  expect(shownSurface(state())).toMatchObject({ field: "q", isovalue: 0.8 });
});

test("a computation that failed, and another data set, leave nothing to undo", async () => {
  session.expressions.setText("wrong");
  await session.expressions.compute();
  expect(state().history.past).toEqual([]);
  await session.layers.add("slice");
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  expect(state().history.past).toEqual([]);
});

test("layers that are on their way when other data are opened stay away", async () => {
  await session.layers.add("slice");
  await session.layers.add("threshold");
  const { list } = state().layers;
  await session.layers.replaceAll([], undefined);
  const slow = deferred<never>();
  vi.spyOn(engine, "setLayer").mockReturnValueOnce(slow.promise);
  const returning = session.layers.replaceAll(list, undefined);
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  slow.reject(new DOMException("", "AbortError"));
  await returning;
  expect(state().layers.list.map(({ id }) => id)).toEqual(["layer-1"]);
  expect(shownSurface(state())?.field).toBe("scalars");
});

test("a way back that ends in other data removes nothing of theirs", async () => {
  session.expressions.setText("w = pressure");
  await session.expressions.compute();
  const slow = deferred<never>();
  vi.spyOn(engine, "setLayer").mockReturnValueOnce(slow.promise);
  const returning = undo();
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  await session.expressions.run("w = scalars");
  engine.calls.length = 0;
  slow.reject(new DOMException("", "AbortError"));
  await returning;
  expect(engine.calls).toEqual([]);
  expect(state().data.derived.map(({ name }) => name)).toEqual(["w"]);
});

test("an action that failed takes back its note of a hundred, and leaves what can be redone", async () => {
  for (let i = 0; i < 101; i++) await drag(i / 4, i);
  await undo();
  const { history } = state();
  session.expressions.setText("wrong");
  await session.expressions.compute();
  expect(state().history).toBe(history);
  await redo();
  const names = state().history.past.map(({ action }) => action.name);
  await session.expressions.compute();
  expect(state().history.past.map(({ action }) => action.name)).toEqual(names);
});

test("what cannot be restored is reported", async () => {
  await session.layers.add("slice");
  session.layers.remove("layer-2");
  vi.spyOn(engine, "setLayer").mockRejectedValueOnce(new Error("No memory."));
  await undo();
  expect(state().alert?.error.problem).toBe("No memory.");
  expect(state().layers.list.map(({ id }) => id)).toEqual(["layer-1"]);
});
