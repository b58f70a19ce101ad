import { beforeEach, expect, test, vi } from "vitest";
import { CrinkleError } from "../../core/errors.ts";
import type { Layer } from "../../core/layers.ts";
import type { ComputeSummary } from "../../engine/api.ts";
import { deferred } from "../testing/deferred.ts";
import { FakeEngine, fieldOf, gpuDevice, rangeOf } from "../testing/fake-engine.ts";
import { shownSurface } from "../testing/shown-surface.ts";
import { knownNames } from "./select.ts";
import { createSession, type Session } from "./session.ts";

let engine: FakeEngine;
let session: Session;
const state = () => session.store.getState();

async function compute(text: string): Promise<void> {
  session.expressions.setText(text);
  await session.expressions.compute();
}

function setIsovalue(isovalue: number) {
  return session.layers.change("layer-1", { name: "isovalue" }, (layer) => ({
    ...layer,
    shape: { ...layer.shape, isovalues: [isovalue] } as Layer["shape"],
  }));
}

function answer(name: string, components: number, expression = name): void {
  const field = fieldOf(name, components, rangeOf(2, 6));
  const derived = [{ ...field, expression, bytes: 8, ms: 1 }];
  const summary: ComputeSummary = {
    text: `${name} = ${expression}`,
    derived,
    quantities: [],
    notes: ["A note."],
    device: "gpu",
    kernels: 2,
    ms: 1,
  };
  vi.spyOn(engine, "compute").mockResolvedValueOnce(summary);
}

beforeEach(async () => {
  engine = new FakeEngine();
  session = createSession({ engine });
  await session.start();
});

test("a new result becomes the surface, at the middle of its range, in the former colours", async () => {
  answer("speed", 1);
  await compute("speed = magnitude(velocity)");
  expect(shownSurface(state())).toEqual({
    field: "speed",
    isovalue: 4,
    colorBy: "magnitude(velocity)",
  });
  expect(state().expressions.notes).toEqual(["A note."]);
  expect(state().expressions.history).toEqual(["speed = magnitude(velocity)"]);
  expect(state().status.message).toBe("Computed speed in 1\u00a0ms, 2 kernels on the GPU");
});

test("what a computation took is kept, with the text and the data that it was of", async () => {
  await compute("q = q_criterion(velocity)");
  expect(state().expressions.computed).toMatchObject({
    text: "q = q_criterion(velocity)",
    run: { strategy: "fusion", kernels: 1 },
  });
  expect(state().expressions.computed?.dataSet).toBe(state().data.dataSet);
  await compute("wrong");
  expect(state().expressions.computed?.text).toBe("q = q_criterion(velocity)");
});

test("a computation is asked for as it was chosen, and the next visit finds that choice", async () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const chosen = { strategy: "streamed", budget: 2 ** 20 } as const;
  const first = createSession({ engine, storage });
  await first.start();
  first.expressions.setRequest(chosen);
  first.expressions.setText("a = pressure");
  await first.expressions.compute();
  expect(engine.calls).toContain(`compute "a = pressure" ${JSON.stringify(chosen)}`);
  expect(first.store.getState().expressions.computed?.run.strategy).toBe("streamed");
  const second = createSession({ engine, storage });
  expect(second.store.getState().expressions.request).toEqual(chosen);
  // The sample's own text is the page's to compute; and where the GPU is gone, there is nothing to choose.
  await second.start();
  const lastCall = () => engine.calls.filter((call) => call.startsWith("compute")).at(-1);
  expect(lastCall()).not.toContain("streamed");
  second.store.setState({
    device: { phase: "ready", summary: { ...gpuDevice, kind: "cpu" } },
  });
  second.expressions.setText("b = pressure");
  await second.expressions.compute();
  expect(lastCall()).toBe('compute "b = pressure"');
});

test("a strategy that does not fit is reported until another is chosen", async () => {
  const tooLarge = { tag: "TooLarge", problem: "The fusion strategy would hold 5.0\u00a0MiB." } as const;
  vi.spyOn(engine, "compute").mockRejectedValueOnce(new CrinkleError(tooLarge));
  await compute("a = pressure");
  expect(state().expressions.error).toMatchObject(tooLarge);
  session.expressions.setRequest({ strategy: "streamed" });
  expect(state().expressions.error).toBeUndefined();
  await compute("a = wrong");
  session.expressions.setRequest({ strategy: "auto" });
  expect(state().expressions.error?.tag).toBe("UnknownName");
});

test("a vector is shown by its magnitude", async () => {
  answer("spin", 3);
  await compute("spin = curl(velocity)");
  expect(shownSurface(state())?.field).toBe("magnitude(spin)");
});

test("a name that is computed again replaces its field and keeps an isovalue that still fits", async () => {
  await compute("q = q_criterion(velocity)");
  await setIsovalue(5);
  await compute("q = q_criterion(2*velocity)");
  expect(state().data.derived.map(({ expression }) => expression)).toEqual(["q_criterion(2*velocity)"]);
  expect(shownSurface(state())?.isovalue).toBe(5);
  await setIsovalue(500);
  await compute("q = q_criterion(3*velocity)");
  expect(shownSurface(state())?.isovalue).toBe(0.8);
});

test("numbers and histograms are listed apart from fields, and names are replaced and removed", async () => {
  const counted = { edges: [0, 1, 2], counts: [3, 4] };
  const results: Pick<ComputeSummary, "derived" | "quantities"> = {
    derived: [],
    quantities: [
      { name: "p90", expression: "quantile(p, 0.9)", quantity: { kind: "number", components: [1 / 3] } },
      { name: "at", expression: "argmax(p)", quantity: { kind: "number", components: [1, 0, -2] } },
      { name: "h", expression: "histogram(p, 2)", quantity: { kind: "histogram", histogram: counted } },
    ],
  };
  const rest = { text: "", notes: [], device: "cpu", kernels: 0, ms: 1 } as const;
  const shown = shownSurface(state());
  vi.spyOn(engine, "compute").mockResolvedValueOnce({ ...results, ...rest });
  await compute("p90 = quantile(p, 0.9); at = argmax(p); h = histogram(p, 2)");
  expect(state().status.message).toBe("Computed p90 = 0.333333, at = {1, 0, −2}, h in 1\u00a0ms, on the CPU");
  expect(shownSurface(state())).toEqual(shown);
  expect(knownNames(state()).filter(({ values }) => values)).toEqual([
    { name: "p90", components: 1, centering: "node", values: [1 / 3] },
    { name: "at", components: 3, centering: "node", values: [1, 0, -2] },
  ]);
  answer("at", 1);
  await compute("at = 1 * p");
  expect(state().data.quantities.map(({ name }) => name)).toEqual(["p90", "h"]);
  expect(state().data.derived.at(-1)?.name).toBe("at");
  await session.expressions.remove("h");
  expect(state().data.quantities.map(({ name }) => name)).toEqual(["p90"]);
  expect(engine.calls.at(-1)).toBe('removeDerived "h"');
});

test("a second press on a text that is being computed does nothing more", async () => {
  session.expressions.setText("a = pressure");
  await Promise.all([session.expressions.compute(), session.expressions.compute()]);
  await session.expressions.compute();
  expect(engine.calls.filter((call) => call === 'compute "a = pressure"')).toHaveLength(2);
  const first = session.expressions.compute();
  session.expressions.setRequest({ strategy: "staged" });
  await Promise.all([first, session.expressions.compute()]);
  expect(engine.calls.filter((call) => call.startsWith('compute "a = pressure"'))).toHaveLength(4);
});

test("an error points into the text until it changes; results and surface stay", async () => {
  const before = state();
  await compute("a = wrong + 1");
  expect(state().expressions.error?.span).toMatchObject({ from: 4, to: 9, column: 5 });
  expect(state().alert?.error.remedy).toBe("Did you mean “right”?");
  expect(state().data.derived).toEqual(before.data.derived);
  expect(shownSurface(state())).toEqual(shownSurface(before));
  expect(state().expressions.history).toEqual([]);
  session.expressions.setText("a = 1");
  expect(state().expressions.error).toBeUndefined();
  await compute("a = pressure");
  expect(state().alert).toBeUndefined();
});

test("a cancelled job is noted, but is not an error", async () => {
  vi.spyOn(engine, "compute").mockRejectedValueOnce(
    new CrinkleError({ tag: "Cancelled", problem: "compute was cancelled." }),
  );
  await compute("a = pressure");
  expect(state().status.message).toBe("compute was cancelled.");
  expect(state().alert).toBeUndefined();
  expect(state().expressions.error).toBeUndefined();
});

test("an empty text asks for one", async () => {
  const count = engine.calls.length;
  await compute("  \n");
  expect(engine.calls).toHaveLength(count);
  expect(state().status.message).toContain("type an expression");
});

test("history holds each text once, the latest first", async () => {
  await compute("a = 1");
  await compute("b = 2");
  await compute("a = 1\n");
  expect(state().expressions.history).toEqual(["a = 1", "b = 2"]);
});

test("removing a surface's field removes the surface", async () => {
  await session.expressions.remove("q");
  expect(engine.calls.slice(-2)).toEqual(['removeLayer "layer-1"', 'removeDerived "q"']);
  expect(state().data.derived).toEqual([]);
  expect(shownSurface(state())).toBeUndefined();
  expect(state().status).toEqual({ message: "Removed q", layers: "" });
});

test("removing the colour's field leaves one colour", async () => {
  await compute("c = pressure");
  await session.layers.showAt("q", 1);
  await session.layers.colorBy("layer-1", "c");
  await session.expressions.remove("c");
  expect(shownSurface(state())).toEqual({ field: "q", isovalue: 1, colorBy: undefined });
  expect(state().data.derived.map(({ name }) => name)).toEqual(["q"]);
});

test("a field that cannot be removed stays in the list", async () => {
  vi.spyOn(engine, "removeDerived").mockRejectedValueOnce(new Error("It is in use."));
  await session.expressions.remove("q");
  expect(state().data.derived.map(({ name }) => name)).toEqual(["q"]);
  expect(state().alert?.error.problem).toBe("It is in use.");
});

test("results of a data set that is gone are dropped", async () => {
  const slow = deferred<ComputeSummary>();
  vi.spyOn(engine, "compute").mockReturnValueOnce(slow.promise);
  const computing = compute("late = pressure");
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  const derived = [{ ...fieldOf("late", 1, rangeOf(0, 1)), expression: "pressure", bytes: 8, ms: 1 }];
  slow.resolve({
    text: "late = pressure",
    derived,
    quantities: [],
    notes: [],
    device: "gpu",
    kernels: 1,
    ms: 1,
  });
  await computing;
  expect(state().data.derived).toEqual([]);
  expect(shownSurface(state())?.field).toBe("scalars");
});

test("a result takes the surface over, but one that was set up stays in the list, hidden", async () => {
  await setIsovalue(5);
  await compute("a = pressure");
  expect(state().layers.list.map(({ id }) => id)).toEqual(["layer-1"]);
  await session.layers.changePaint("layer-1", { name: "opacity" }, { opacity: 0.5 });
  await compute("b = 2 * pressure");
  const [former, latest] = state().layers.list;
  expect(former).toMatchObject({ isVisible: false, paint: { opacity: 0.5 }, shape: { field: "a" } });
  expect(latest).toMatchObject({ isVisible: true, paint: { opacity: 1 }, shape: { field: "b" } });
  expect(state().layers.selected).toBe(latest.id);
  await compute("c = 3 * pressure");
  expect(state().layers.list.map(({ shape }) => shape)).toMatchObject([{ field: "a" }, { field: "c" }]);
  await session.history.undo();
  await session.history.undo();
  expect(state().layers.list).toMatchObject([{ isVisible: true, shape: { field: "a" } }]);
});

test("a layer that the engine has made follow its field is remade at an isovalue of the field's range", async () => {
  await compute("w = pressure");
  await session.layers.changePaint("layer-1", { name: "opacity" }, { opacity: 0.5 });
  await compute("other = pressure");
  const [layer] = state().layers.list;
  vi.spyOn(engine, "compute").mockImplementationOnce(async () => {
    const shape = { ...layer.shape, field: "magnitude(w)" } as Layer["shape"];
    engine.emit({ kind: "layerFollowed", layer: { ...layer, shape } });
    const derived = [{ ...fieldOf("w", 3, rangeOf(100, 200)), expression: "v", bytes: 8, ms: 1 }];
    return { text: "w = v", derived, quantities: [], notes: [], device: "gpu", kernels: 1, ms: 1 };
  });
  await compute("w = v");
  expect(state().layers.list[0].shape).toMatchObject({ field: "magnitude(w)", isovalues: [150] });
});

test("recomputing a field remakes the layers that show it or are coloured by it, each once", async () => {
  await session.layers.add("slice");
  await session.layers.colorBy("layer-2", "q");
  await session.layers.add("plane");
  session.layers.select("layer-1");
  engine.calls.length = 0;
  await compute("q = q_criterion(2*velocity)");
  const made = engine.calls.filter((call) => call.startsWith("setLayer")).map((call) => call.split(" ")[1]);
  expect(made).toEqual(['"layer-1"', '"layer-2"', '"layer-3"']);
  await session.layers.colorBy("layer-3", "pressure");
  engine.calls.length = 0;
  await compute("q = q_criterion(3*velocity)");
  expect(engine.calls.filter((call) => call.startsWith("setLayer"))).toHaveLength(2);
});
