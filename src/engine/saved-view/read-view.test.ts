import { expect, test } from "vitest";
import type { Layer, LayerShape } from "../../core/layers.ts";
import { linkOf, textOf } from "./link.ts";
import { readView } from "./read-view.ts";
import { type SavedView, writeView } from "./view.ts";

const paint = {
  solid: "#6699cc",
  map: "viridis",
  reversed: false,
  range: undefined,
  nanColor: "#b0b0b0",
  opacity: 0.5,
} as const;

const layers: readonly Layer[] = [
  {
    id: "a",
    title: undefined,
    isVisible: true,
    shape: {
      kind: "isosurface",
      field: "q",
      isovalues: [0.1, 0.2],
      normals: "smooth",
      topology: "trilinear",
    },
    colorBy: "magnitude(velocity)",
    paint: { ...paint, range: [0, 1], scale: "log" },
    clip: { origin: [0, 0, 0], normal: [1, 0, 0] },
  },
  {
    id: "b",
    title: "Middle",
    isVisible: false,
    shape: { kind: "cut", by: { kind: "plane", plane: { origin: [1, 2, 3], normal: [0, 0, 1] } } },
    colorBy: undefined,
    paint: { ...paint, range: "surface" },
    clip: undefined,
  },
  {
    id: "c",
    title: undefined,
    isVisible: true,
    shape: {
      kind: "cut",
      by: { kind: "expression", text: "magnitude(coords)", value: 2, topology: "trilinear" },
    },
    colorBy: undefined,
    paint,
    clip: undefined,
  },
  {
    id: "d",
    title: undefined,
    isVisible: true,
    shape: { kind: "cut", by: { kind: "sphere", center: [0, 0, 0], radius: 1 } },
    colorBy: undefined,
    paint,
    clip: undefined,
  },
  {
    id: "e",
    title: undefined,
    isVisible: true,
    shape: { kind: "slice", axis: 2, position: 0.25 },
    colorBy: "p",
    paint,
    clip: undefined,
  },
  {
    id: "f",
    title: undefined,
    isVisible: true,
    shape: { kind: "threshold", field: "p", range: [-1, 1] },
    colorBy: "p",
    paint,
    clip: undefined,
  },
  {
    id: "h",
    title: undefined,
    isVisible: true,
    shape: { kind: "image" },
    colorBy: "spin",
    paint,
    clip: undefined,
  },
  {
    id: "g",
    title: undefined,
    isVisible: true,
    shape: { kind: "points", size: 3 },
    colorBy: "density",
    paint,
    clip: undefined,
  },
];

const lattice = {
  kind: "lattice",
  model: "ising",
  size: [8, 6],
  seed: 5,
  start: "random",
  parameters: { temperature: 2 },
  sweeps: 40,
  changes: [
    { kind: "parameters", sweep: 3, parameters: { temperature: 2.5 } },
    { kind: "stroke", sweep: 40, stroke: { position: [1, 2.5], radius: 3, value: -1 } },
  ],
  plane: { axes: [0, 1], at: [0, 0] },
} as const;

const view: SavedView = {
  source: { kind: "sample", sample: "tangle", size: 96 },
  text: "q = 1\n# β",
  programs: [{ text: "q = 1", made: ["q"], kept: ["q"] }],
  layers,
  selected: "b",
  camera: { azimuth: -1, elevation: 0.4, distance: 2.5, target: [0, 0.1, 0], center: [0, 0] },
};

/** The view's JSON after a change of one place. */
function changed(change: (view: Record<string, never>) => void): string {
  const plain = JSON.parse(writeView(view));
  change(plain);
  return JSON.stringify(plain);
}

function problemOf(json: string): string {
  try {
    readView(json);
  } catch (error) {
    return (error as { problem: string }).problem;
  }
  return "none";
}

test("every kind of layer comes back as it was saved", () => {
  expect(readView(writeView(view))).toEqual(view);
  expect(readView(writeView({ ...view, camera: undefined, text: undefined }, 2)).camera).toBeUndefined();
});

test("a lattice comes back with what was changed by hand", () => {
  expect(readView(writeView({ ...view, source: lattice })).source).toEqual(lattice);
  const strange = { ...lattice, parameters: { temperature: "hot" } } as unknown as typeof lattice;
  expect(problemOf(writeView({ ...view, source: strange }))).toBe(
    'source.parameters.temperature must be a number, but is "hot".',
  );
});

// biome-ignore lint/suspicious/noExplicitAny: these are damaged on purpose
type Damaged = any;

test.each<[(view: Damaged) => void, string]>([
  [(v) => (v.format = "other"), "This file is not a Crinkle view."],
  [
    (v) => (v.layers[0].shape.isovalues[1] = "high"),
    'layers[0].shape.isovalues[1] must be a number, but is "high".',
  ],
  [
    (v) => (v.layers[0].shape.isovalues = []),
    "layers[0].shape.isovalues must be a list of 1 to 32 entries, but is [].",
  ],
  [
    (v) => (v.layers[0].shape.isovalues = Array(33).fill(1)),
    "layers[0].shape.isovalues must be a list of 1 to 32 entries, but is [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1….",
  ],
  [
    (v) => (v.layers[0].id = "constructor"),
    'layers[0].id must be a name of 1 to 20 characters that is not built into objects, but is "constructor".',
  ],
  [
    (v) => (v.layers[0].id = `layer-${"9".repeat(16)}`),
    'layers[0].id must be a name of 1 to 20 characters that is not built into objects, but is "layer-9999999999999999".',
  ],
  [
    (v) => delete v.layers[1].shape.by.plane.origin,
    "layers[1].shape.by.plane.origin must be a list, but is missing.",
  ],
  [
    (v) => (v.layers[1].shape.by.plane.normal = [0, 0, 0]),
    "layers[1].shape.by.plane.normal must be a direction other than 0, 0, 0, but is [0,0,0].",
  ],
  [
    (v) => (v.layers[2].shape.kind = "blob"),
    'layers[2].shape.kind must be one of "isosurface", "cut", "slice", "threshold", "points", "image", but is "blob".',
  ],
  [
    (v) => (v.layers[5].shape.range = [2, 1]),
    "layers[5].shape.range must be two numbers in ascending order, but is [2,1].",
  ],
  [
    (v) => (v.layers[0].paint.opacity = 0),
    "layers[0].paint.opacity must be a number above 0, at most 1, but is 0.",
  ],
  [
    (v) => (v.source.sample = "cow"),
    'source.sample must be one of "taylor-green", "tangle", "hydrogen", but is "cow".',
  ],
  [(v) => (v.camera.distance = null), "camera.distance must be a number, but is null."],
  [(v) => (v.layers[3].id = "a"), "layers[3].id is “a”, which another layer has too."],
  [
    (v) => (v.version = 7),
    "The view was saved by a newer Crinkle: its version is 7, and this Crinkle reads 1.",
  ],
  [(v) => (v.programs = {}), "programs must be a list, but is {}."],
])("what is damaged is named with its place", (change, problem) => {
  expect(problemOf(changed(change))).toBe(problem);
});

test("layers of a field without finite values come back, their ranges mended: JSON has no NaN", () => {
  const [surface, , , , , threshold] = layers;
  const nothing = [Number.NaN, Number.NaN] as const;
  const isosurface = { ...surface.shape, isovalues: [Number.NaN] } as LayerShape;
  const saved = [
    { ...surface, shape: isosurface, paint: { ...paint, range: nothing } },
    { ...threshold, shape: { ...threshold.shape, range: nothing } as LayerShape },
  ];
  expect(readView(writeView({ ...view, layers: saved })).layers).toEqual([
    { ...surface, shape: isosurface, paint },
    { ...threshold, shape: { ...threshold.shape, range: [0, 1] } },
  ]);
});

test("a value nested too deeply to show is reported all the same", () => {
  const deep = "[".repeat(200_000) + "]".repeat(200_000);
  expect(problemOf(`{"format":"crinkle-view","version":${deep}}`)).toMatch(
    /^version must be a number, but is /,
  );
});

test("a text that is not JSON, or not an object, is reported", () => {
  expect(problemOf("{")).toMatch(/^The view is not valid JSON: /);
  expect(problemOf("[1]")).toBe("The view must be an object, but is [1].");
});

test("a link holds a view in its fragment, and a truncated one is reported", async () => {
  const link = await linkOf("https://example.org/crinkle/?a=1#room=x", writeView(view));
  expect(link).toMatch(/^https:\/\/example\.org\/crinkle\/\?a=1#view=[\w-]+$/);
  expect(link.length).toBeLessThan(1200);
  const { hash } = new URL(link);
  expect(readView(await textOf(hash))).toEqual(view);
  const refusal = { problem: expect.stringContaining("incomplete") };
  await expect(textOf(hash.slice(0, -9))).rejects.toMatchObject(refusal);
  await expect(textOf("#view=%%%")).rejects.toMatchObject(refusal);
  const bomb = await linkOf("https://example.org/", " ".repeat(3 << 20));
  await expect(textOf(new URL(bomb).hash)).rejects.toMatchObject(refusal);
});
