import { beforeEach, expect, test, vi } from "vitest";
import type { LayerShape } from "../../core/layers.ts";
import { linkOf } from "../../engine/saved-view/link.ts";
import { dataSetOf, FakeEngine, fieldOf, rangeOf } from "../testing/fake-engine.ts";
import { createSession, type Session, type SessionOptions } from "./session.ts";

let engine: FakeEngine;
let saved: { name: string; blob: Blob }[];
let session: Session;
const state = () => session.store.getState();

async function visit(options: Partial<SessionOptions> = {}): Promise<void> {
  saved = [];
  const place = { address: "https://example.org/", device: "A test", forgetInvitation: () => {} };
  session = createSession({
    engine,
    place,
    saveFile: (name, blob) => saved.push({ name, blob }),
    ...options,
  });
  await session.start();
  session.view.attachCanvas({} as OffscreenCanvas, { width: 9, height: 9, pixelRatio: 1 });
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

/** Two layers, a field of one's own, and another camera. */
async function compose(): Promise<void> {
  session.expressions.setText("w = pressure");
  await session.expressions.compute();
  await session.layers.add("slice");
  await session.layers.change("layer-2", { name: "position" }, (layer) => ({
    ...layer,
    shape: { ...layer.shape, position: 7 } as LayerShape,
  }));
  engine.view = { ...engine.view, azimuth: 1.25 };
}

const picture = () => ({
  layers: state().layers.list,
  selected: state().layers.selected,
  derived: state().data.derived.map(({ name }) => name),
  text: state().expressions.text,
  camera: engine.view,
});

beforeEach(async () => {
  engine = new FakeEngine();
  engine.dataSets.tangle = dataSetOf("Tangle", [fieldOf("tangle", 1, rangeOf(-1, 1))]);
  await visit();
});

test("a view that was saved as a file opens as the same picture", async () => {
  await compose();
  const before = picture();
  await session.views.save();
  expect(saved[0].name).toBe("Taylor–Green-vortex.crinkle.json".replace("–", "-"));
  await visit();
  engine.view = { ...engine.view, azimuth: 0 };
  await session.data.openFiles([new File([saved[0]?.blob ?? ""], "v.crinkle.json")]);
  expect(state().alert?.error.tag).toBe("BadFile");
  await compose();
  await session.views.save();
  const [file] = saved;
  await visit();
  engine.view = { ...engine.view, azimuth: 0 };
  await session.data.openFiles([new File([file.blob], "v.crinkle.json")]);
  expect(state().alert).toBeUndefined();
  expect(picture()).toEqual(before);
  expect(state().history.past).toEqual([]);
});

test("a link opens as the same picture, in a new page and in an open one", async () => {
  await compose();
  const before = picture();
  const link = await session.views.link();
  const { hash } = new URL(link ?? "");
  engine.view = { ...engine.view, azimuth: 0 };
  await visit({ viewLink: hash });
  expect(picture()).toEqual(before);
  expect(engine.calls.filter((call) => call.startsWith("open"))).toHaveLength(2);
  await session.data.open({ kind: "sample", sample: "tangle" });
  await session.views.openLink(hash);
  expect(picture()).toEqual(before);
});

test("a damaged link is reported, and the first sample opens all the same", async () => {
  await visit({ viewLink: "#view=AAAA" });
  expect(state().alert?.error.problem).toContain("cannot be read");
  expect(state().data.dataSet?.name).toBe("Taylor–Green vortex");
});

test("a view of a file has no link, asks for its file by name, and comes with it", async () => {
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  await session.layers.add("threshold");
  const before = picture();
  expect(await session.views.link()).toBeUndefined();
  await session.views.save();
  const view = new File([saved[0].blob], "carotid.crinkle.json");
  await visit();
  await session.data.openFiles([view]);
  expect(state().alert?.error).toMatchObject({
    problem: "This view needs the file carotid.vtk from your computer.",
  });
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  expect(picture()).toEqual(before);
  expect(state().alert).toBeUndefined();
  await visit();
  await session.data.openFiles([view, new File(["x"], "carotid.vtk")]);
  expect(picture()).toEqual(before);
});

test("a link to a view of a file asks for the file beside the sample, and restores the view with it", async () => {
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  await session.layers.add("threshold");
  const before = picture();
  await session.views.save();
  const text = await saved[0].blob.text();
  const viewLink = new URL(await linkOf("https://example.org/", text)).hash;
  await visit({ viewLink });
  expect(state().data.dataSet?.name).toBe("Taylor–Green vortex");
  expect(state().alert).toMatchObject({
    subject: "open",
    error: {
      problem: "This view needs the file carotid.vtk from your computer.",
      remedy: "Open carotid.vtk, and the view is restored.",
    },
  });
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  expect(picture()).toEqual(before);
  expect(state().alert).toBeUndefined();

  const nameless = text.replaceAll("carotid.vtk", "");
  await session.views.openLink(new URL(await linkOf("https://example.org/", nameless)).hash);
  expect(state().alert?.error.problem).toContain("source.name");
  expect(picture()).toEqual(before);
});

test("a file that is opened before the first sample is there keeps its view, and no error stays", async () => {
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  await session.layers.add("threshold");
  const before = picture();
  await session.views.save();
  const viewLink = new URL(await linkOf("https://example.org/", await saved[0].blob.text())).hash;
  saved = [];
  session = createSession({ engine, viewLink });
  const started = session.start();
  await vi.waitUntil(() => state().alert !== undefined, { timeout: 60_000 });
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  await started;
  expect(picture()).toEqual(before);
  expect(state().alert).toBeUndefined();
});

test("a reload gives the same picture, and that of a file when its file is opened once more", async () => {
  vi.useFakeTimers();
  const kept = new Map<string, string>();
  const tabStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  await visit({ tabStorage });
  await compose();
  session.view.orbit(1, 1);
  await vi.advanceTimersByTimeAsync(500);
  const before = picture();
  engine.view = { ...engine.view, azimuth: 0 };
  await visit({ tabStorage });
  expect(picture()).toEqual(before);

  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  await session.layers.add("sphere");
  await vi.advanceTimersByTimeAsync(500);
  const ofFile = picture();
  for (let i = 0; i < 2; i++) {
    await visit({ tabStorage });
    expect(state().alert?.error.problem).toContain("carotid.vtk is no longer open");
    await vi.advanceTimersByTimeAsync(500);
  }
  await session.data.openFiles([new File(["x"], "carotid.vtk")]);
  expect(picture().layers).toEqual(ofFile.layers);
  vi.useRealTimers();
});
