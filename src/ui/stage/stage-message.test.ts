import { expect, test } from "vitest";
import type { FieldSummary } from "../../engine/api.ts";
import { defaultPaint, isosurface } from "../store/layers/new-layer.ts";
import { noFacts } from "../store/layers/state.ts";
import { type AppState, initialState } from "../store/state.ts";
import { carotid, fieldOf, gpuDevice, rangeOf } from "../testing/fake-engine.ts";
import { stageText } from "./stage-message.ts";

const ready: AppState = { ...initialState, device: { phase: "ready", summary: gpuDevice } };
const loaded: AppState = { ...ready, data: { ...initialState.data, dataSet: carotid } };
const layer = isosurface("a", { field: "q", isovalue: 9, colorBy: undefined }, defaultPaint);

function showing(triangles: number, field = rangeOf(0, 5)): AppState {
  const facts = { ...noFacts, field, counts: { triangles, isovalue: 9 } };
  return { ...loaded, layers: { list: [layer], selected: "a", facts: { a: facts }, logFields: [] } };
}

const shown = showing(12);
const job = { name: "open", step: "", fraction: undefined, isVisible: false };

test("a picture needs no words", () => {
  expect(stageText(shown)).toBeUndefined();
});

test("every other state has a sentence", () => {
  expect(stageText(initialState)?.sentence).toBe("Opening the GPU…");
  expect(stageText({ ...ready, job })?.sentence).toBe("Reading the data…");
  expect(stageText(ready)).toMatchObject({ action: "open" });
  expect(stageText({ ...loaded, job })?.sentence).toBe("Making the first picture…");
  expect(stageText(loaded)).toMatchObject({ sentence: "No surface yet.", action: "show" });
  const lost = { phase: "lost", summary: gpuDevice } as const;
  expect(stageText({ ...shown, device: lost })).toMatchObject({ action: "reload" });
  const cpu = { kind: "cpu", description: "CPU", isSoftware: false } as const;
  expect(stageText({ ...loaded, device: { phase: "ready", summary: cpu } })?.sentence).toBe(
    "No picture here. The GPU is not used.",
  );
  const problem = { tag: "NoWebGPU", problem: "This browser has no WebGPU.", remedy: "" } as const;
  const without = { phase: "ready", summary: { ...cpu, problem } } as const;
  expect(stageText({ ...loaded, device: without })?.sentence).toContain("has no WebGPU");
});

test("flat and empty data sets say why there is no surface", () => {
  const flat = { ...carotid, grid: { ...carotid.grid!, dims: [9, 9, 1] as const } };
  expect(stageText({ ...loaded, data: { ...loaded.data, dataSet: flat } })?.sentence).toContain("flat");
  const empty = { ...carotid, fields: [] };
  expect(stageText({ ...loaded, data: { ...loaded.data, dataSet: empty } })?.sentence).toContain("no fields");
});

test("an empty surface shows its field's range and offers a way back", () => {
  expect(stageText(showing(0))).toEqual({
    sentence: "The surface is empty at isovalue 9.",
    detail: "q lies between 0 and 5.",
    action: "resetIsovalue",
  });
  const of = (min: number, max: number) => stageText(showing(0, rangeOf(min, max)))?.sentence;
  expect(of(3, 3)).toBe("q is 3 everywhere: it has no isosurface.");
  expect(of(Number.NaN, Number.NaN)).toBe("q has no finite values: it has no isosurface.");
});

test("fields that do not vary say so in place of offering a surface", () => {
  const of = (...fields: readonly FieldSummary[]) =>
    stageText({ ...loaded, data: { ...loaded.data, dataSet: { ...carotid, fields } } });
  const constant = fieldOf("pressure", 1, rangeOf(3, 3));
  const holes = fieldOf("X Velocity", 1, rangeOf(Number.NaN, Number.NaN));
  expect(of(constant)?.sentence).toBe("pressure is 3 everywhere: it has no isosurface.");
  expect(of(holes)?.sentence).toBe("X Velocity has no finite values: it has no isosurface.");
  expect(of(constant, holes)?.sentence).toBe("No field varies, so none has an isosurface.");
  expect(of(constant)?.action).toBeUndefined();
  expect(of(fieldOf("n", 3, rangeOf(1, 1)))?.detail).toContain("component");
  expect(of(constant, fieldOf("T", 1, rangeOf(0, 1)))?.action).toBe("show");
});
