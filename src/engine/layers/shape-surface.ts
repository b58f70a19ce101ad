import { CrinkleError } from "../../core/errors.ts";
import type { JobContext } from "../../core/job.ts";
import type { LayerShape } from "../../core/layers.ts";
import { IsosurfaceExtractor } from "../../gpu/algorithms/isosurface/extractor.ts";
import type { SurfaceExtractor } from "../../gpu/algorithms/surface/extractor.ts";
import { createSliceExtractor } from "../../gpu/algorithms/surface/slice/slice.ts";
import type { SurfaceEvents } from "../../gpu/algorithms/surface/surface.ts";
import type { SurfaceBase } from "../../gpu/algorithms/surface/surface-source.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { GpuField } from "../../gpu/fields/gpu-field.ts";
import { type NodeScalar, nodeScalar } from "../node-scalar.ts";
import type { Session } from "../session.ts";

type SurfaceShape = Exclude<LayerShape, { kind: "points" }>;
type ShapeOf<Kind extends SurfaceShape["kind"]> = Extract<LayerShape, { kind: Kind }>;

/** An extractor of one kind of shape, told in terms of shapes. */
export interface ShapeSurface {
  readonly kind: SurfaceShape["kind"];
  readonly extractor: Pick<
    SurfaceExtractor<SurfaceBase, unknown>,
    "drawable" | "suspend" | "resume" | "counts" | "readMesh" | "readScalarRange" | "dispose"
  >;
  /** Throws what `SurfaceExtractor.setSource` throws. */
  setSource(
    session: Session,
    gpu: GpuContext,
    field: NodeScalar | undefined,
    color: NodeScalar | undefined,
  ): Promise<void>;
  /** Of a shape of this kind. Nothing is extracted where there is nothing to ask for. */
  extract(shape: LayerShape, timestamps: GPUComputePassTimestampWrites | undefined): void;
}

/** The expression that a shape is of. */
export function shapeField(shape: LayerShape): string | undefined {
  if (shape.kind === "isosurface" || shape.kind === "threshold") return shape.field;
  return shape.kind === "cut" && shape.by.kind === "expression" ? shape.by.text : undefined;
}

/** The shape's field at the nodes; undefined where it has none. Throws what `nodeScalar` throws. */
export async function evaluateShape(
  session: Session,
  shape: LayerShape,
  job: JobContext,
): Promise<NodeScalar | undefined> {
  const text = shapeField(shape);
  return text === undefined ? undefined : nodeScalar(session, text, job);
}

/** Throws OutOfMemory, DeviceLost. */
export async function createShapeSurface(
  gpu: GpuContext,
  shape: SurfaceShape,
  events: SurfaceEvents,
): Promise<ShapeSurface> {
  switch (shape.kind) {
    case "isosurface":
      return isosurface(gpu, events);
    case "slice":
      return slice(gpu, events);
    default:
      throw new CrinkleError({
        tag: "BadArgument",
        problem: `There are no layers of the kind “${shape.kind}”.`,
      });
  }
}

async function isosurface(gpu: GpuContext, events: SurfaceEvents): Promise<ShapeSurface> {
  const extractor = await IsosurfaceExtractor.create(gpu, events);
  return {
    kind: "isosurface",
    extractor,
    setSource: (session, gpu, field, color) =>
      extractor.setSource({
        tables: session.data.tables(gpu, "node"),
        field: onGpu(field as NodeScalar),
        color: color && onGpu(color),
      }),
    extract(shape, timestamps) {
      const isovalues = (shape as ShapeOf<"isosurface">).isovalues.filter(Number.isFinite);
      if (isovalues.length > 0) extractor.extract(isovalues, timestamps);
    },
  };
}

async function slice(gpu: GpuContext, events: SurfaceEvents): Promise<ShapeSurface> {
  const extractor = await createSliceExtractor(gpu, events);
  return {
    kind: "slice",
    extractor,
    setSource: (session, gpu, _, color) =>
      extractor.setSource({
        tables: session.data.tables(gpu, "node"),
        grid: session.data.dataSet.grid,
        color: color && onGpu(color),
      }),
    extract(shape, timestamps) {
      const { axis, position } = shape as ShapeOf<"slice">;
      extractor.extract({ axis, position }, timestamps);
    },
  };
}

function onGpu({ value, text }: NodeScalar): GpuField {
  if (value.kind === "gpu") return value.field;
  throw new CrinkleError({ tag: "NoWebGPU", problem: `“${text}” is not on the GPU.` });
}
