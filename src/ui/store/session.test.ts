import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CrinkleError } from "../../core/errors.ts";
import type { DataSetSummary } from "../../engine/api.ts";
import { deferred } from "../testing/deferred.ts";
import { carotid, dataSetOf, FakeEngine, fieldOf, gpuDevice, rangeOf } from "../testing/fake-engine.ts";
import { shownSurface } from "../testing/shown-surface.ts";
import { createSession, type Session } from "./session.ts";

let engine: FakeEngine;
let session: Session;
const state = () => session.store.getState();
const carotidFile = new File(["x"], "carotid.vtk");

beforeEach(() => {
  vi.useFakeTimers();
  engine = new FakeEngine();
  session = createSession({ engine });
});
afterEach(() => vi.useRealTimers());

test("the first picture is the sample's suggestion", async () => {
  await session.start();
  expect(engine.calls.filter((call) => /^(start|open|compute|setLayer)/.test(call))).toEqual([
    "start",
    'open "taylor-green"',
    'compute "q = q_criterion(velocity)"',
    'setLayer "layer-1" {"kind":"isosurface","field":"q","isovalues":[0.8],"normals":"smooth","topology":"table"} "magnitude(velocity)"',
  ]);
  expect(state().device).toEqual({ phase: "ready", summary: gpuDevice });
  expect(state().data.derived.map(({ name }) => name)).toEqual(["q"]);
  expect(shownSurface(state())?.field).toBe("q");
  expect(state().expressions.text).toBe("q = q_criterion(velocity)");
  expect(state().job).toBeUndefined();
});

test("a file replaces what was there, and shows its scalar coloured by its vector", async () => {
  await session.start();
  await session.data.openFiles([carotidFile]);
  expect(state().data.dataSet).toBe(carotid);
  expect(state().data.derived).toEqual([]);
  expect(state().status.message).toBe("Loaded carotid.vtk: 76 × 49 × 45 points, 2 fields");
  const settings = shownSurface(state());
  expect(settings).toMatchObject({ field: "scalars", colorBy: "magnitude(vectors)" });
  expect(settings?.isovalue).toBe(140);
  expect(state().expressions.text).toBe("q = q_criterion(vectors)");
  expect(state().data.histogram?.counts).toHaveLength(64);
});

test("a field of four components is shown by its first one, and several files by the first, with a sentence", async () => {
  await session.start();
  engine.dataSets = { ...engine.dataSets, "a.vti": dataSetOf("a.vti", [fieldOf("f", 4, rangeOf(0, 9))]) };
  await session.data.openFiles(["b.vti", "a.vti"].map((name) => new File(["x"], name)).toReversed());
  expect(shownSurface(state())?.field).toBe("f[0]");
  expect(state().status.message).toBe(
    "Loaded a.vti: 76 × 49 × 45 points, 1 field. One data set is open at a time: b.vti was not opened.",
  );
});

test("after a reload a lattice is open again at the sweep that it had reached", async () => {
  const kept = new Map<string, string>();
  const tabStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const ising = dataSetOf("ising 8 × 8", [fieldOf("spin", 1, rangeOf(-1, 1))]);
  engine.dataSets = { ...engine.dataSets, ising };
  const visit = async () => {
    session = createSession({ engine, tabStorage });
    await session.start();
  };
  await visit();
  await session.data.open({ kind: "lattice", model: "ising", size: [8, 8] });
  await vi.advanceTimersByTimeAsync(500);
  await visit();
  expect(state().data.source).toEqual({ kind: "lattice", model: "ising", size: [8, 8], sweeps: 7 });
});

test("after a reload the same sample is open, and the loss of a file is reported", async () => {
  const kept = new Map<string, string>();
  const tabStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const tangle = dataSetOf("Tangle", [fieldOf("tangle", 1, rangeOf(-1, 1))]);
  engine.dataSets = { ...engine.dataSets, tangle };
  const visit = async () => {
    session = createSession({ engine, tabStorage });
    await session.start();
  };
  await visit();
  await session.data.open({ kind: "sample", sample: "tangle", size: 96 });
  vi.advanceTimersByTime(500);
  await visit();
  expect(state().data.dataSet?.name).toBe("Tangle");
  expect(state().alert).toBeUndefined();
  await session.data.openFiles([carotidFile]);
  vi.advanceTimersByTime(500);
  await visit();
  expect(state().data.dataSet?.name).toBe("Taylor–Green vortex");
  expect(state().alert?.error.problem).toBe("carotid.vtk is no longer open, because the page was reloaded.");
  await session.data.openFiles([carotidFile]);
  expect(state().alert).toBeUndefined();
});

test("text that a person typed stays when another data set is opened", async () => {
  await session.start();
  session.expressions.setText("mine = pressure^2");
  await session.data.openFiles([carotidFile]);
  expect(state().expressions.text).toBe("mine = pressure^2");
});

test("a bad file is reported, and everything stays", async () => {
  await session.start();
  const before = state();
  await session.data.openFiles([new File([], "broken.vtk")]);
  expect(state().alert?.error).toMatchObject({ tag: "BadFile", problem: "broken.vtk is not a data set." });
  expect(state().data.dataSet).toBe(before.data.dataSet);
  expect(shownSurface(state())).toEqual(shownSurface(before));
  await session.data.openFiles([carotidFile]);
  expect(state().alert).toBeUndefined();
});

test("of two data sets that are opened at once the later one wins, and the earlier job is cancelled", async () => {
  await session.start();
  const slow = deferred<DataSetSummary>();
  vi.spyOn(engine, "open").mockReturnValueOnce(slow.promise);
  const first = session.data.open({ kind: "sample", sample: "tangle" });
  const second = session.data.openFiles([carotidFile]);
  expect(engine.calls).toContain("cancel");
  slow.reject(new CrinkleError({ tag: "Cancelled", problem: "open was cancelled." }));
  await Promise.all([first, second]);
  expect(state().data.dataSet).toBe(carotid);
  expect(state().alert).toBeUndefined();
});

test("a raw volume asks for its layout before it is opened", async () => {
  await session.start();
  engine.dataSets["head.raw"] = dataSetOf("head.raw", [fieldOf("head", 1, rangeOf(0, 255, 20))]);
  await session.data.openFiles([new File([new Uint8Array(9)], "head.raw")]);
  const { raw } = state();
  expect(raw?.guess.dims).toEqual([64, 64, 64]);
  expect(engine.calls).not.toContain('open "head.raw"');
  await session.data.openRaw({ ...raw!.guess, dims: [3, 3, 1] });
  expect(engine.calls).toContain('open "head.raw"');
  expect(state().raw).toBeUndefined();
});

test("ranks open a raw volume by the layout that the person has given, and a saved view by its own", async () => {
  await session.start();
  const name = "/data/head_3x3x1.raw";
  engine.dataSets[name] = dataSetOf(name, [fieldOf("head", 1, rangeOf(0, 255, 20))]);
  await session.data.openOnRanks({ kind: "room", name });
  const { raw } = state();
  expect(raw?.of).toBe(name);
  expect(engine.calls).toContain('guessRaw "head_3x3x1.raw"');
  expect(engine.calls).not.toContain(`open "${name}"`);
  const layout = { ...raw!.guess, dims: [3, 3, 1] } as const;
  await session.data.openRaw(layout);
  const source = { kind: "room", name, raw: layout };
  expect(state().data.source).toEqual(source);
  expect(state().raw).toBeUndefined();
});

test("a file of unknown format may be opened as raw numbers", async () => {
  await session.start();
  const error = new CrinkleError({ tag: "UnknownFormat", problem: "It is unknown." });
  const file = new File(["x"], "scan.ubyte");
  vi.spyOn(engine, "open").mockRejectedValue(error);
  await session.data.openFiles([file]);
  expect(state().alert).toMatchObject({ error: { problem: "It is unknown." }, rawFile: file });
  const known = { tag: "UnsupportedFormat", problem: "It is a picture." } as const;
  vi.spyOn(engine, "open").mockRejectedValue(new CrinkleError(known));
  await session.data.openFiles([new File(["x"], "scan.png")]);
  expect(state().alert).toMatchObject({ error: { problem: "It is a picture." } });
  expect(state().alert?.rawFile).toBeUndefined();
});

test("a file that is chosen while the engine starts is not replaced by the sample", async () => {
  const starting = session.start();
  const opening = session.data.openFiles([carotidFile]);
  await Promise.all([starting, opening]);
  expect(state().data.dataSet).toBe(carotid);
  expect(engine.calls).not.toContain('open "taylor-green"');
});

test("what is typed while a data set is on its way is computed on that one", async () => {
  const starting = session.start();
  session.expressions.setText("w = pressure");
  await Promise.all([starting, session.expressions.compute()]);
  expect(state().data.derived.map(({ name }) => name)).toEqual(["q", "w"]);
  expect(shownSurface(state())?.field).toBe("w");
  const opening = session.data.openFiles([carotidFile]);
  session.expressions.setText("s = scalars");
  await Promise.all([opening, session.expressions.compute()]);
  expect(state().data.derived.map(({ name }) => name)).toEqual(["s"]);
  expect(shownSurface(state())?.field).toBe("s");
  expect(state().alert).toBeUndefined();
});

test("a flat grid is opened as an image, which shows what is computed from it", async () => {
  await session.start();
  const flat: DataSetSummary = {
    ...carotid,
    name: "flat.vti",
    grid: { ...carotid.grid!, dims: [76, 49, 1] },
  };
  engine.dataSets["flat.vti"] = flat;
  await session.data.openFiles([new File(["x"], "flat.vti")]);
  expect(state().data.dataSet).toBe(flat);
  expect(state().layers.list).toMatchObject([{ shape: { kind: "image" }, colorBy: "scalars" }]);
  session.expressions.setText("twice = 2 * scalars");
  await session.expressions.compute();
  expect(state().layers.list).toMatchObject([{ shape: { kind: "image" }, colorBy: "twice" }]);
});

test("without WebGPU data and expressions work, and no surface is asked for", async () => {
  const problem = {
    tag: "NoWebGPU",
    problem: "This browser has no WebGPU.",
    remedy: "Take another.",
  } as const;
  engine.device = { kind: "cpu", description: "CPU", isSoftware: false, problem };
  await session.start();
  expect(state().alert?.error).toEqual(problem);
  expect(state().data.derived.map(({ name }) => name)).toEqual(["q"]);
  session.expressions.setText("p2 = pressure^2");
  await session.expressions.compute();
  expect(state().data.derived.map(({ name }) => name)).toEqual(["q", "p2"]);
  expect(engine.calls.some((call) => call.startsWith("setLayer"))).toBe(false);
  expect(state().status.message).toBe("Computed p2 in 1.5\u00a0ms, on the CPU");
});

test("an engine that cannot start is reported", async () => {
  vi.spyOn(engine, "start").mockRejectedValue(new Error("The module could not be loaded."));
  await session.start();
  expect(state().device.phase).toBe("lost");
  expect(state().alert?.error.problem).toBe("The module could not be loaded.");
});

test("a GPU that is lost for good, one that comes back, and a dead worker", async () => {
  await session.start();
  engine.emit({ kind: "device", device: gpuDevice, restored: false });
  expect(state().device.phase).toBe("lost");
  engine.emit({ kind: "error", error: { tag: "DeviceLost", problem: "The GPU was lost.", remedy: "" } });
  expect(state().alert?.error.problem).toBe("The GPU was lost.");
  engine.emit({ kind: "device", device: gpuDevice, restored: true });
  expect(state().device.phase).toBe("ready");
  expect(state().alert).toBeUndefined();
  expect(state().status.message).toContain("is back: Test GPU");
  engine.emit({ kind: "device", device: { ...gpuDevice, kind: "cpu" }, restored: false });
  expect(state().device).toMatchObject({ phase: "ready", summary: { kind: "cpu" } });
  session.crashed("out of memory");
  expect(state().alert?.error.problem).toBe("The engine stopped: out of memory.");
  expect(state().data.dataSet).toBeDefined();
});

test("the engine's reports reach the state", async () => {
  await session.start();
  engine.emit({ kind: "memory", current: 1000, peak: 3000 });
  const bar = { title: "p", min: 0, max: 1, colors: ["#000", "#fff"], nanColor: "#888", hasNaN: false };
  engine.emit({ kind: "scalarBars", bars: [{ id: "layer-1", bar }] });
  expect(state().measurements).toMatchObject({ gpuBytes: 1000, gpuPeakBytes: 3000 });
  expect(state().scalarBars).toEqual([{ id: "layer-1", bar }]);
  engine.emit({ kind: "error", error: { tag: "ShaderError", problem: "It failed.", remedy: "" } });
  expect(state().alert?.error.problem).toBe("It failed.");
  session.dismissAlert();
  expect(state().alert).toBeUndefined();
});

test("the canvas goes to the engine once it draws, at its latest size", async () => {
  const viewports: unknown[] = [];
  vi.spyOn(engine, "attachCanvas").mockImplementation(async (...args: unknown[]) => {
    viewports.push(args[1]);
  });
  const size = { width: 100, height: 50, pixelRatio: 1 };
  session.view.attachCanvas({} as OffscreenCanvas, size);
  session.view.resize({ ...size, width: 200 });
  session.view.orbit(1, 2);
  expect(engine.calls).toEqual([]);
  await session.start();
  expect(viewports).toEqual([{ ...size, width: 200 }]);
  session.view.resize(size);
  session.view.orbit(1, 2);
  expect(engine.calls.slice(-2)).toEqual(["resize", "orbit 1 2"]);
});

test("colours and typed text are remembered, suggestions are not", async () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  session = createSession({ engine, storage });
  await session.start();
  await session.layers.changePaint("layer-1", { name: "map" }, { map: "turbo", range: [0, 1] });
  let next = createSession({ engine, storage }).store.getState();
  expect(next.paint).toMatchObject({ map: "turbo", range: undefined });
  expect(next.expressions.text).toBe("");
  session.expressions.setText("a = pressure");
  next = createSession({ engine, storage }).store.getState();
  expect(next.expressions).toMatchObject({ text: "a = pressure", isSuggested: false });
});
