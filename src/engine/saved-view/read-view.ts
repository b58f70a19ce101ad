import { dtypes } from "../../core/dtype.ts";
import { CrinkleError } from "../../core/errors.ts";
import {
  type Implicit,
  type Layer,
  type LayerPaint,
  type LayerShape,
  maxIsovalues,
  type Plane,
} from "../../core/layers.ts";
import type { CameraState } from "../../core/view.ts";
import type { RawDescription } from "../api.ts";
import type { Program } from "./programs.ts";
import {
  boolean,
  list,
  number,
  oneOf,
  optional,
  pair,
  type Reader,
  record,
  text,
  that,
  triple,
  variant,
} from "./reading.ts";
import { format, type SavedView, type ViewSource, version } from "./view.ts";

const positive = that(number, "a number above 0", (value) => value > 0);
const count = that(number, "a whole number of at least 0", (n) => Number.isInteger(n) && n >= 0);
const range = that(pair, "two numbers in ascending order", ([low, high]) => low <= high);
const direction = that(triple, "a direction other than 0, 0, 0", (normal) => normal.some((n) => n !== 0));

/** JSON writes NaN, the isovalue of a field without finite values, as null. */
const numberOrNaN: Reader<number> = (value, place) => (value === null ? Number.NaN : number(value, place));
const isWithoutNumbers = (value: unknown) => Array.isArray(value) && value.includes(null);
/** The range of a threshold; for a field without finite values, the initial one. */
const keptRange: Reader<readonly [number, number]> = (value, place) =>
  isWithoutNumbers(value) ? [0, 1] : range(value, place);
const colorRange: Reader<LayerPaint["range"]> = (value, place) =>
  value === "surface" ? value : isWithoutNumbers(value) ? undefined : optional(range)(value, place);

/** Short enough for its number to be exact, so that the next id can be counted on from it. */
const id = that(
  text,
  "a name of 1 to 20 characters that is not built into objects",
  (name) => name.length > 0 && name.length <= 20 && !(name in {}),
);

const plane: Reader<Plane> = record<Plane>({ origin: triple, normal: direction });

const topology = oneOf("table", "trilinear");

const implicit: Reader<Implicit> = variant<Implicit>({
  plane: record({ kind: oneOf("plane"), plane }),
  sphere: record({ kind: oneOf("sphere"), center: triple, radius: positive }),
  expression: record({ kind: oneOf("expression"), text, value: number, topology: optional(topology) }),
});

const shape: Reader<LayerShape> = variant<LayerShape>({
  isosurface: record({
    kind: oneOf("isosurface"),
    field: text,
    isovalues: list(numberOrNaN, { min: 1, max: maxIsovalues }),
    normals: oneOf("smooth", "flat"),
    topology,
  }),
  cut: record({ kind: oneOf("cut"), by: implicit }),
  slice: record({ kind: oneOf("slice"), axis: oneOf(0, 1, 2), position: number }),
  threshold: record({ kind: oneOf("threshold"), field: text, range: keptRange }),
  points: record({ kind: oneOf("points"), size: positive }),
});

const paint: Reader<LayerPaint> = record<LayerPaint>({
  solid: text,
  map: text,
  reversed: boolean,
  range: colorRange,
  nanColor: text,
  opacity: that(number, "a number above 0, at most 1", (value) => value > 0 && value <= 1),
});

const layer: Reader<Layer> = record<Layer>({
  id,
  title: optional(text),
  isVisible: boolean,
  shape,
  colorBy: optional(text),
  paint,
  clip: optional(plane),
});

const raw: Reader<RawDescription> = record<RawDescription>({
  dims: triple,
  dtype: oneOf(...dtypes),
  byteOrder: oneOf("little", "big"),
  components: count,
  spacing: triple,
  origin: triple,
  headerBytes: count,
});

const source: Reader<ViewSource> = variant<ViewSource>({
  sample: record({
    kind: oneOf("sample"),
    sample: oneOf("taylor-green", "tangle", "hydrogen"),
    size: optional(count),
  }),
  url: record({ kind: oneOf("url"), url: text }),
  file: record({
    kind: oneOf("file"),
    name: that(text, "a file's name", (name) => name !== ""),
    raw: optional(raw),
  }),
});

const camera: Reader<CameraState> = record<CameraState>({
  azimuth: number,
  elevation: number,
  distance: positive,
  target: triple,
  center: pair,
});

const view: Reader<SavedView> = record<SavedView>({
  source,
  text: optional(text),
  programs: list(record<Program>({ text, made: list(text), kept: list(text) })),
  layers: list(layer, { max: 100 }),
  selected: optional(text),
  camera: optional(camera),
});

const viewFormat: Reader<string> = (value) => {
  if (value === format) return value;
  throw new CrinkleError({
    tag: "BadFile",
    problem: "This file is not a Crinkle view.",
    remedy: `Open one that was saved by the View menu: its format is "${format}".`,
  });
};

/** Reads the text of a saved view. Errors (`BadFile`) name the entry and its value. */
export function readView(json: string): SavedView {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new CrinkleError({
      tag: "BadFile",
      problem: `The view is not valid JSON: ${(cause as Error).message}.`,
      remedy: "Save it again in the page that wrote it.",
      cause,
    });
  }
  const head = record({ format: viewFormat, version: positive })(value, "");
  if (head.version > version) {
    throw new CrinkleError({
      tag: "UnsupportedFormat",
      problem: `The view was saved by a newer Crinkle: its version is ${head.version}, and this Crinkle reads ${version}.`,
      remedy: "Open it there, or update this Crinkle: reload the page, or install the latest package.",
    });
  }
  const read = view(value, "");
  const ids = read.layers.map(({ id }) => id);
  const twice = ids.findIndex((id, i) => ids.indexOf(id) !== i);
  if (twice < 0) return read;
  throw new CrinkleError({
    tag: "BadFile",
    problem: `layers[${twice}].id is “${ids[twice]}”, which another layer has too.`,
    remedy: "Give it another id.",
  });
}
