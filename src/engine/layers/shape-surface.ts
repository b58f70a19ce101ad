import type { Box } from "../../core/box.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { JobContext } from "../../core/job.ts";
import type { LayerShape, SurfaceShape } from "../../core/layers.ts";
import type { SoupNormals } from "../../core/marching-cubes/soup.ts";
import type { Topology } from "../../core/marching-cubes/topology.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { ScalarSource } from "../../gpu/fields/compact-field.ts";
import type { GpuField } from "../../gpu/fields/gpu-field.ts";
import type { SurfaceExtractor } from "../../gpu/surfaces/extractor.ts";
import { IsosurfaceExtractor } from "../../gpu/surfaces/isosurface/extractor.ts";
import type { SurfaceEvents } from "../../gpu/surfaces/surface.ts";
import type { SurfaceBase } from "../../gpu/surfaces/surface-source.ts";
import type { FieldValue } from "../derived.ts";
import { type NodeScalar, type StoredValue, shapeScalar } from "../node-scalar.ts";
import type { Session } from "../session.ts";

/** The field or the implicit function of a shape. */
export type ShapeField = NodeScalar<FieldValue | StoredValue>;

/** The kind of extractor that makes a shape. */
export type SurfaceKind = "isosurface" | "trilinear" | "cut" | "slice" | "threshold";

/** An extractor of one kind, in terms of shapes of that kind. */
export interface ShapeSurface {
  readonly extractor: Pick<
    SurfaceExtractor<SurfaceBase, unknown>,
    | "drawable"
    | "setClip"
    | "fieldsChanged"
    | "suspend"
    | "resume"
    | "counts"
    | "readMesh"
    | "readUnjoined"
    | "copyScalars"
    | "dispose"
  >;
  /** `field` is the shape's, if it has one. Throws what `SurfaceExtractor.setSource` throws. */
  setSource(
    session: Session,
    gpu: GpuContext,
    field: ShapeField | undefined,
    color: NodeScalar | undefined,
  ): Promise<void>;
  /** Extracts nothing if there is no valid isovalue. */
  extract(shape: LayerShape, timestamps: GPUComputePassTimestampWrites | undefined): void;
}

/** A cut by an expression is an isosurface of it. */
export function surfaceKind(shape: SurfaceShape): SurfaceKind {
  const topology = topologyOf(shape);
  if (topology === undefined) return shape.kind;
  return topology === "trilinear" ? "trilinear" : "isosurface";
}

/** The topology of isosurfaces and of cuts by an expression; undefined for other shapes. */
export function topologyOf(shape: LayerShape): Topology | undefined {
  const contour = shape.kind === "cut" ? shape.by : shape;
  if (contour.kind !== "isosurface" && contour.kind !== "expression") return undefined;
  return contour.topology ?? "table";
}

/** The expression of a shape's field. */
export function shapeField(shape: LayerShape): string | undefined {
  if (shape.kind === "isosurface" || shape.kind === "threshold") return shape.field;
  return shape.kind === "cut" && shape.by.kind === "expression" ? shape.by.text : undefined;
}

/** The shape's field at the nodes; undefined if it has none. Throws what `nodeScalar` throws. */
export async function evaluateShape(
  session: Session,
  shape: LayerShape,
  job: JobContext,
): Promise<ShapeField | undefined> {
  const text = shapeField(shape);
  return text === undefined ? undefined : shapeScalar(session, text, job);
}

/** What is made other than a whole surface with shared vertices. */
export type SurfaceOptions =
  | {
      /** Three vertices for each triangle of an isosurface, with such normals. */
      readonly soup?: SoupNormals;
      readonly cells?: undefined;
    }
  | {
      readonly soup?: undefined;
      /** The part of the surface in a box of the grid's cells. */
      readonly cells?: Box;
    };

/** Throws OutOfMemory, DeviceLost. */
export function createShapeSurface(
  gpu: GpuContext,
  kind: SurfaceKind,
  events: SurfaceEvents,
  options: SurfaceOptions = {},
): Promise<ShapeSurface> {
  return makers[kind](gpu, events, options);
}

type MakeSurface = (gpu: GpuContext, events: SurfaceEvents, options: SurfaceOptions) => Promise<ShapeSurface>;

const makers: Readonly<Record<SurfaceKind, MakeSurface>> = {
  isosurface: (gpu, events, options) => isosurface(gpu, events, "table", options),
  trilinear: (gpu, events, options) => isosurface(gpu, events, "trilinear", options),
  cut,
  slice,
  threshold,
};

async function isosurface(
  gpu: GpuContext,
  events: SurfaceEvents,
  topology: Topology,
  options: SurfaceOptions,
): Promise<ShapeSurface> {
  const extractor = await isosurfaceExtractor(gpu, events, topology, options);
  return {
    extractor,
    setSource: (session, gpu, field, color) =>
      extractor.setSource({ ...base(session, gpu, color), field: sourceOf(field as ShapeField) }),
    extract(shape, timestamps) {
      const isovalues = isovaluesOf(shape).filter(Number.isFinite);
      if (isovalues.length > 0) extractor.extract(isovalues, timestamps);
    },
  };
}

async function isosurfaceExtractor(
  gpu: GpuContext,
  events: SurfaceEvents,
  topology: Topology,
  { soup, cells }: SurfaceOptions,
): Promise<IsosurfaceExtractor> {
  if (!soup) return IsosurfaceExtractor.create(gpu, events, topology, cells);
  const { createSoupExtractor } = await import("../../gpu/surfaces/isosurface/soup/extractor.ts");
  return createSoupExtractor(gpu, soup, events, topology);
}

/** Extractor of isosurfaces, and of cuts by an expression. */
export function isovaluesOf(shape: LayerShape): readonly number[] {
  if (shape.kind === "isosurface") return shape.isovalues;
  return shape.kind === "cut" && shape.by.kind === "expression" ? [shape.by.value] : [];
}

/** Planes are unlit: their colours equal those of the scalar bar from every direction. */
export function shadingOf(shape: LayerShape): "smooth" | "flat" | "unlit" {
  const isPlane = shape.kind === "slice" || (shape.kind === "cut" && shape.by.kind === "plane");
  if (isPlane) return "unlit";
  return isFlat(shape) ? "flat" : "smooth";
}

/** Whether the shading is flat. */
export function isFlat(shape: LayerShape): boolean {
  return shape.kind === "isosurface" && shape.normals === "flat";
}

async function cut(gpu: GpuContext, events: SurfaceEvents, { cells }: SurfaceOptions): Promise<ShapeSurface> {
  const { createCutExtractor } = await import("../../gpu/surfaces/cut/cut.ts");
  const extractor = await createCutExtractor(gpu, events, cells);
  return {
    extractor,
    setSource: (session, gpu, _, color) => extractor.setSource(base(session, gpu, color)),
    extract(shape, timestamps) {
      if (shape.kind === "cut" && shape.by.kind !== "expression") extractor.extract(shape.by, timestamps);
    },
  };
}

async function slice(
  gpu: GpuContext,
  events: SurfaceEvents,
  { cells }: SurfaceOptions,
): Promise<ShapeSurface> {
  const { createSliceExtractor } = await import("../../gpu/surfaces/slice/slice.ts");
  const extractor = await createSliceExtractor(gpu, events, cells);
  return {
    extractor,
    setSource: (session, gpu, _, color) =>
      extractor.setSource({ ...base(session, gpu, color), grid: session.data.dataSet.grid }),
    extract(shape, timestamps) {
      if (shape.kind === "slice") extractor.extract(shape, timestamps);
    },
  };
}

async function threshold(
  gpu: GpuContext,
  events: SurfaceEvents,
  { cells }: SurfaceOptions,
): Promise<ShapeSurface> {
  const { createThresholdExtractor } = await import("../../gpu/surfaces/threshold/threshold.ts");
  const extractor = await createThresholdExtractor(gpu, events, cells);
  return {
    extractor,
    setSource: (session, gpu, field, color) =>
      extractor.setSource({ ...base(session, gpu, color), field: sourceOf(field as ShapeField) }),
    extract(shape, timestamps) {
      if (shape.kind === "threshold") extractor.extract(shape.range, timestamps);
    },
  };
}

function base(session: Session, gpu: GpuContext, color: NodeScalar | undefined): SurfaceBase {
  return { tables: session.data.tables(gpu, "node"), color: color && onGpu(color) };
}

function sourceOf({ value, text }: ShapeField): ScalarSource {
  return value.kind === "stored" ? value.field : onGpu({ value, text });
}

function onGpu({ value, text }: Pick<NodeScalar, "value" | "text">): GpuField {
  if (value.kind === "gpu") return value.field;
  throw new CrinkleError({ tag: "NoWebGPU", problem: `“${text}” is not on the GPU.` });
}
