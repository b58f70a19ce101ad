import { min } from "../../cluster/communicator/operators/elements.ts";
import { type Box, mapAxes } from "../../core/box.ts";
import { emptyBox, isEmptyBox, valuesIn } from "../../core/box-values.ts";
import type { Field } from "../../core/field.ts";
import type { SurfaceShape } from "../../core/layers.ts";
import { subgrid } from "../../core/subgrid.ts";
import type { EngineDevice } from "../device.ts";
import { KeptSurface } from "../kept-surface.ts";
import { Session } from "../session.ts";
import { surfaceMargin, valuesAround } from "./block-values.ts";
import { CutSurface, type MadePart, type OpenBlock, partAsMade } from "./cut-surface.ts";
import { DeviceMeter } from "./device-meter.ts";
import type { KeptPart } from "./kept-parts.ts";
import { PartPainter } from "./part-painter.ts";
import type { RankedData } from "./ranked-data.ts";
import type { RankedRun } from "./ranked-evaluation.ts";
import { type RankedScalar, scalarOnRanks } from "./ranked-scalar.ts";
import { subBlocks } from "./sub-blocks.ts";
import type { SurfaceJobRequest } from "./surface-job.ts";

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
  make(wanted: WantedSurface, run: Pick<RankedRun, "communicator" | "job" | "watch">): Promise<MadePart>;
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

/** Each rank makes what lies in its block, alone: in the blocks that its device binds. */
async function manualPart(
  run: RankedRun,
  field: RankedScalar | undefined,
  color: RankedScalar | undefined,
): Promise<SurfacePart> {
  const { data, engine } = run;
  const device = await engine.device();
  const { gpu } = device;
  const { grid } = data;
  const cells = hasSurface(data) ? data.cells : emptyBox;
  const maxNodes = gpu ? Math.floor(gpu.pool.largestBinding / 4) : Number.POSITIVE_INFINITY;
  const blocks = subBlocks(grid, cells, surfaceMargin, maxNodes);
  // A rank without cells has nothing to draw, and needs no GPU for it.
  const painter = gpu || blocks.length === 0 ? new PartPainter(gpu, grid) : undefined;
  const surface = new CutSurface(data, blocks, (cells) => openBlock(device, run, cells, field, color));
  surface.onBuffers = () => painter?.refresh();
  const meter = new DeviceMeter(gpu);
  return {
    data,
    field,
    color,
    painter,
    get keepMs() {
      return painter?.part && drawnKeepMs;
    },
    get isUsable() {
      return !gpu?.isLost;
    },
    async make({ shape, clip }, { job, watch }) {
      painter?.clear();
      const request = { shape: ofField(shape), colorBy: color && "color", clip: clip ?? undefined };
      const measured = <T>(work: () => Promise<T>) => meter.measure(watch.device, work);
      const made = await measured(() => surface.make(request, job));
      return {
        get drawables() {
          return made.drawables;
        },
        counts: () => measured(() => made.counts()),
        readMesh: () => measured(() => made.readMesh()),
      };
    },
    async release() {
      painter?.dispose();
      await surface.dispose();
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
  const { distributedSurface, localPrimitives, primitivesGpu } = await import("./distributed-surface.ts");
  const meter = new DeviceMeter(gpu);
  const open = () => localPrimitives(primitivesGpu(gpu, data));
  const { local, dispose } = await watch.time("compute", open, "prepare");
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
      const mesh = await meter.measure(run.watch.device, () =>
        distributedSurface({ ...run, data }, local, wanted),
      );
      return partAsMade({ ...mesh, borders: new Float64Array(0) });
    },
    release: async () => dispose(),
  };
}

/** A flat grid has nothing between its nodes. */
const hasSurface = ({ grid, cells }: RankedData): boolean => !isEmptyBox(cells) && grid.dims[2] > 1;

/** Surfaces of a box of the rank's cells, from what the rank has of their scalars. */
async function openBlock(
  device: EngineDevice,
  { data, engine, job }: RankedRun,
  cells: Box,
  field: RankedScalar | undefined,
  color: RankedScalar | undefined,
): Promise<OpenBlock> {
  const { grid, name } = data;
  const whole = valuesAround(grid, data.cells, surfaceMargin);
  const nodes = valuesAround(grid, cells, surfaceMargin);
  const within = ({ field }: RankedScalar, name: string): Field => ({
    ...field,
    name,
    data: valuesIn(field.data, whole, nodes, 1),
  });
  const fields = [...(field ? [within(field, "field")] : []), ...(color ? [within(color, "color")] : [])];
  const session = new Session(device, () => engine.workers);
  const dataSet = { name, grid: subgrid(grid, nodes), fields, notes: [] };
  await session.setData(await session.prepare(dataSet, job));
  const surface = new KeptSurface(session, cellsIn(cells, nodes));
  return {
    surface,
    async close() {
      surface.dispose();
      await session.close();
    },
  };
}

/** A box of cells among those between nodes that lie around it. */
function cellsIn(cells: Box, { first }: Box): Box {
  const relative = (place: Box["first"]) => mapAxes((axis) => place[axis] - first[axis]);
  return { first: relative(cells.first), end: relative(cells.end) };
}

/** The shape of the field by its name in a rank's session. */
function ofField(shape: SurfaceShape): SurfaceShape {
  if (shape.kind === "isosurface" || shape.kind === "threshold") return { ...shape, field: "field" };
  if (shape.kind !== "cut" || shape.by.kind !== "expression") return shape;
  return { ...shape, by: { ...shape.by, text: "field" } };
}
