import { dtypes } from "../../core/dtype.ts";
import { CrinkleError } from "../../core/errors.ts";
import { readLayer } from "../../core/read-layer.ts";
import {
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
} from "../../core/reading.ts";
import type { CameraState } from "../../core/view.ts";
import type { LatticeChange, LatticeRequest, Numbers, RawDescription } from "../api.ts";
import { maxChanges } from "../lattice/history.ts";
import type { Program } from "./programs.ts";
import { format, type SavedView, type ViewSource, version } from "./view.ts";

const positive = that(number, "a number above 0", (value) => value > 0);
const count = that(number, "a whole number of at least 0", (n) => Number.isInteger(n) && n >= 0);

const raw: Reader<RawDescription> = record<RawDescription>({
  dims: triple,
  dtype: oneOf(...dtypes),
  byteOrder: oneOf("little", "big"),
  components: count,
  spacing: triple,
  origin: triple,
  headerBytes: count,
});

/** Numbers by any names. */
const numbers: Reader<Numbers> = (value, place) => {
  record({})(value, place);
  return Object.fromEntries(
    Object.entries(value as object).map(([name, entry]) => [name, number(entry, `${place}.${name}`)]),
  );
};
const places = list(number, { max: 10 });

const change: Reader<LatticeChange> = variant<LatticeChange>({
  parameters: record({ kind: oneOf("parameters"), sweep: count, parameters: numbers }),
  stroke: record({
    kind: oneOf("stroke"),
    sweep: count,
    stroke: record({ position: places, radius: number, value: number }),
  }),
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
  group: record({ kind: oneOf("group"), id: text, name: text }),
  room: record({ kind: oneOf("room"), name: text, raw: optional(raw) }),
  lattice: record<LatticeRequest>({
    kind: oneOf("lattice"),
    model: text,
    size: places,
    seed: optional(count),
    start: optional(text),
    parameters: optional(numbers),
    sweeps: optional(count),
    changes: optional(list(change, { max: maxChanges })),
    plane: optional(record({ axes: places, at: places })),
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
  layers: list(readLayer, { max: 100 }),
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
