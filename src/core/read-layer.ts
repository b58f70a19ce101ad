import {
  type Implicit,
  type Layer,
  type LayerPaint,
  type LayerShape,
  maxIsovalues,
  type Plane,
  type SurfaceShape,
} from "./layers.ts";
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
import { scaleKinds } from "./scale.ts";

const positive = that(number, "a number above 0", (value) => value > 0);
const range = that(pair, "two numbers in ascending order", ([low, high]) => low <= high);
const direction = that(triple, "a direction other than 0, 0, 0", (normal) => normal.some((n) => n !== 0));

/** JSON writes NaN, the isovalue of a field without finite values, as null. */
const numberOrNaN: Reader<number> = (value, place) => (value === null ? Number.NaN : number(value, place));
const isWithoutNumbers = (value: unknown) => Array.isArray(value) && value.includes(null);
/** The range of a threshold; for a field without finite values, the one that a page begins with. */
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

/** A plane through a point, across a direction. */
export const readPlane: Reader<Plane> = record<Plane>({ origin: triple, normal: direction });

const topology = oneOf("table", "trilinear");

const implicit: Reader<Implicit> = variant<Implicit>({
  plane: record({ kind: oneOf("plane"), plane: readPlane }),
  sphere: record({ kind: oneOf("sphere"), center: triple, radius: positive }),
  expression: record({ kind: oneOf("expression"), text, value: number, topology: optional(topology) }),
});

const surfaces = {
  isosurface: record<Extract<LayerShape, { kind: "isosurface" }>>({
    kind: oneOf("isosurface"),
    field: text,
    isovalues: list(numberOrNaN, { min: 1, max: maxIsovalues }),
    normals: oneOf("smooth", "flat"),
    topology,
  }),
  cut: record<Extract<LayerShape, { kind: "cut" }>>({ kind: oneOf("cut"), by: implicit }),
  slice: record({ kind: oneOf("slice"), axis: oneOf(0, 1, 2), position: number }),
  threshold: record({ kind: oneOf("threshold"), field: text, range: keptRange }),
};

/** A shape that is a surface. */
export const readSurfaceShape: Reader<SurfaceShape> = variant<SurfaceShape>(surfaces);

const shape: Reader<LayerShape> = variant<LayerShape>({
  ...surfaces,
  points: record({ kind: oneOf("points"), size: positive }),
  image: record({ kind: oneOf("image") }),
});

export const readPaint: Reader<LayerPaint> = record<LayerPaint>({
  solid: text,
  map: text,
  reversed: boolean,
  range: colorRange,
  scale: optional(oneOf(...scaleKinds)),
  nanColor: text,
  opacity: that(number, "a number above 0, at most 1", (value) => value > 0 && value <= 1),
});

/** Errors (`BadFile`) name the entry and its value. */
export const readLayer: Reader<Layer> = record<Layer>({
  id,
  title: optional(text),
  isVisible: boolean,
  shape,
  colorBy: optional(text),
  paint: readPaint,
  clip: optional(readPlane),
});
