import { min } from "../../cluster/communicator/operators/elements.ts";
import { type Box, mapAxes } from "../../core/box.ts";
import { isEmptyBox } from "../../core/box-values.ts";
import type { SurfaceShape } from "../../core/layers.ts";
import { emptyMesh } from "../../core/mesh.ts";
import { subgrid } from "../../core/subgrid.ts";
import type { EngineDevice } from "../device.ts";
import { KeptSurface, type MadeSurface, meshAsMade } from "../kept-surface.ts";
import { Session } from "../session.ts";
import { valuesAround } from "./block-values.ts";
import type { KeptPart } from "./kept-parts.ts";
import { PartPainter } from "./part-painter.ts";
import type { RankedData } from "./ranked-data.ts";
import type { RankedRun } from "./ranked-evaluation.ts";
import { type RankedScalar, scalarOnRanks } from "./ranked-scalar.ts";
import type { SurfaceJobRequest } from "./surface-job.ts";

/** Layers around a rank's block: gradients at the nodes of its border read one, and faces of a threshold lie beside one of cells. */
export const surfaceMargin = 1;

/** A page shows the picture of what a rank draws for as long as nobody turns it. */
const drawnKeepMs = 600_000;

/** What a rank makes its part of surfaces from: the scalars of a shape and of its colours, on the device. */
export interface SurfacePart extends KeptPart {
  readonly data: RankedData;
  readonly field: RankedScalar | undefined;
  readonly color: RankedScalar | undefined;
  /** Draws this rank's part; undefined where it cannot. */
  readonly painter: PartPainter | undefined;
  /**
   * This rank's part of a shape's surface: the triangles of its own cells. It is there until the next one is made. All ranks call it
   * together, over the communicator of the job that asks.
   */
  make(wanted: WantedSurface, run: Pick<RankedRun, "communicator" | "job">): Promise<MadeSurface>;
}

export type WantedSurface = Pick<SurfaceJobRequest, "shape" | "clip">;

/**
 * What the ranks have kept of an earlier job like this, where all of them have it; else it is made by `open` and `make`. The
 * caller keeps or releases it.
 */
export async function surfacePart(
  run: Omit<RankedRun, "data">,
  key: string,
  request: SurfaceJobRequest,
  open: () => Promise<RankedData>,
): Promise<SurfacePart> {
  const { communicator, engine } = run;
  const kept = await engine.kept.take(key);
  const [isEverywhere] = await communicator.allreduce(Uint32Array.of(kept ? 1 : 0), min);
  if (kept && isEverywhere) return kept;
  await kept?.release();
  return makePart({ ...run, data: await open() }, request);
}

async function makePart(
  run: RankedRun,
  { form, text, wanted, colorBy }: SurfaceJobRequest,
): Promise<SurfacePart> {
  const around = form === "manual" ? surfaceMargin : undefined;
  const field = text === null ? undefined : await scalarOnRanks(run, text, wanted, around);
  const color = colorBy === null ? undefined : await scalarOnRanks(run, colorBy, null, around);
  return form === "manual" ? manualPart(run, field, color) : distributedPart(run, field, color);
}

/** Each rank makes what lies in its block, alone. */
async function manualPart(
  run: RankedRun,
  field: RankedScalar | undefined,
  color: RankedScalar | undefined,
): Promise<SurfacePart> {
  const { data, engine, watch } = run;
  const device = await engine.device();
  const session = await watch.time("compute", () => sessionOf(device, run, field, color), "prepare");
  const { grid } = data;
  // A rank without cells has nothing to draw, and needs no GPU for it.
  const painter = device.gpu || !session ? new PartPainter(device.gpu, grid) : undefined;
  const surface = session && new KeptSurface(session, cellsIn(data));
  if (surface) surface.onBuffers = (drawable) => painter?.replace(drawable);
  return {
    data,
    field,
    color,
    painter,
    get keepMs() {
      return painter?.part && drawnKeepMs;
    },
    get isUsable() {
      return !device.gpu?.isLost;
    },
    async make({ shape, clip }, { job }) {
      painter?.clear();
      if (!surface) return meshAsMade(emptyMesh);
      const request = { shape: ofField(shape), colorBy: color && "color", clip: clip ?? undefined };
      return surface.make(request, job);
    },
    async release() {
      painter?.dispose();
      surface?.dispose();
      session?.close();
    },
  };
}

/** All ranks make the whole together, by primitives over their parts. */
async function distributedPart(
  { data, engine, watch }: RankedRun,
  field: RankedScalar | undefined,
  color: RankedScalar | undefined,
): Promise<SurfacePart> {
  const { gpu } = await engine.device();
  const { distributedSurface, localPrimitives } = await import("./distributed-surface.ts");
  const { local, dispose } = await watch.time("compute", () => localPrimitives(gpu), "prepare");
  return {
    data,
    field,
    color,
    painter: undefined,
    get isUsable() {
      return !gpu?.isLost;
    },
    async make({ shape, clip }, run) {
      const wanted = { shape, clip: clip ?? undefined, field, color };
      return meshAsMade(await distributedSurface({ ...run, data }, local, wanted));
    },
    release: async () => dispose(),
  };
}

/** Undefined where the rank has no cells. */
async function sessionOf(
  device: EngineDevice,
  { data, engine, job }: RankedRun,
  field: RankedScalar | undefined,
  color: RankedScalar | undefined,
): Promise<Session | undefined> {
  const { grid, cells } = data;
  if (isEmptyBox(cells) || grid.dims[2] < 2) return undefined;
  const fields = [
    ...(field ? [{ ...field.field, name: "field" }] : []),
    ...(color ? [{ ...color.field, name: "color" }] : []),
  ];
  const session = new Session(device, engine.workers);
  const part = subgrid(grid, valuesAround(grid, cells, surfaceMargin));
  await session.setData(await session.prepare({ name: data.name, grid: part, fields, notes: [] }, job));
  return session;
}

/** The rank's own cells among those of the grid in its session, which has more around them. */
function cellsIn({ grid, cells }: RankedData): Box {
  const { first } = valuesAround(grid, cells, surfaceMargin);
  const relative = (place: Box["first"]) => mapAxes((axis) => place[axis] - first[axis]);
  return { first: relative(cells.first), end: relative(cells.end) };
}

/** The shape of the field by its name in a rank's session. */
function ofField(shape: SurfaceShape): SurfaceShape {
  if (shape.kind === "isosurface" || shape.kind === "threshold") return { ...shape, field: "field" };
  if (shape.kind !== "cut" || shape.by.kind !== "expression") return shape;
  return { ...shape, by: { ...shape.by, text: "field" } };
}
