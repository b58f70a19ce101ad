import { trimmedRangeOf } from "../../algorithms/statistics/trimmed-range.ts";
import { min } from "../../cluster/communicator/operators/elements.ts";
import type { Job, JobCall } from "../../cluster/jobs/service.ts";
import { wholeBox } from "../../core/box.ts";
import { gridCenter } from "../../core/grid.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { pixelsOf } from "../../core/projection.ts";
import type { OffscreenDrawing, PaintSettings } from "../../viewer/viewer.ts";
import type { PartCounts } from "../kept-surface.ts";
import { colorRange } from "../layers/paint.ts";
import { rankColor } from "../layers/rank-color.ts";
import { surfacePaint } from "../layers/surface-paint.ts";
import { rangeTail } from "../layers/surface-range.ts";
import { type DrawRequest, parseDrawRequest, surfaceKey } from "./draw-request.ts";
import { chooseDrawing, type DrawingChoice, movingScale } from "./drawing-choice.ts";
import { takeTurn } from "./job-turn.ts";
import { ownScalars } from "./mesh-parts.ts";
import { drawPacked, packDrawing } from "./packed-drawing.ts";
import type { PictureView } from "./part-painter.ts";
import type { RankEngine } from "./rank-engine.ts";
import { gatherReports, gridWork } from "./rank-reports.ts";
import { rankedValues } from "./ranked-values.ts";
import { recordedRun } from "./recorded-run.ts";
import {
  gatherSurface,
  makeSurface,
  type OwnSurface,
  partKey,
  type RankedSurface,
  readBack,
} from "./surface-job.ts";
import type { SurfacePart } from "./surface-part.ts";

/** The ranks' parts as one picture. */
export interface RankedPicture {
  /** What was sent of it. */
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  /** As it was drawn, or packed where it goes on. */
  readonly drawing?: OffscreenDrawing;
  readonly packed?: Uint8Array;
}

/** A surface that ranks have made for a layer. */
export interface MadeForLayer extends Pick<RankedSurface, "field" | "color" | "notes" | "ranks"> {
  readonly choice: DrawingChoice;
  /** Clipped; undefined where the ranks draw it. */
  readonly mesh?: TriangleMesh;
  /** Those on a border between ranks count for both where they draw it. */
  readonly vertices: number;
  /** That of the colours, where it was asked for on the surface and the ranks draw it. */
  readonly range?: readonly [number, number];
}

/** What the ranks have made anew, if anything, and what they have drawn, if they draw. */
export interface DrawnByRanks {
  readonly made?: MadeForLayer;
  readonly picture?: RankedPicture;
  /** What the host asked for. */
  readonly view?: PictureView;
}

const title = "Draw on ranks";

/**
 * Shows the host a surface, of which each rank makes and keeps a part: by pictures of the parts, which rank 0 composites by depth,
 * or by the triangles. Ranks that have kept their parts draw them at once, without a turn, as drags of what a page itself
 * shows do.
 */
export const drawJob: Job<DrawRequest, DrawnByRanks | undefined, RankEngine> = {
  name: "draw",
  parse: parseDrawRequest,
  async run(call, request) {
    const { communicator, engine } = call;
    const key = partKey(request.surface, communicator);
    const kept = request.isSameSurface ? await engine.kept.take(key) : undefined;
    let isKept = false;
    try {
      const isReady = kept?.painter?.part?.key === surfaceKey(request.surface);
      const [allAre] = await communicator.allreduce(Uint32Array.of(isReady ? 1 : 0), min);
      const drawn = allAre && kept ? await drawPart(call, kept, request) : undefined;
      isKept = kept !== undefined;
      if (kept) await engine.kept.put(key, kept);
      if (allAre) return drawn && { picture: drawn };
    } finally {
      if (!isKept) await kept?.release();
    }
    return takeTurn(call, title, (job) => {
      const show = (surface: OwnSurface, part: SurfacePart) => showSurface(surface, part, request);
      return makeSurface(recordedRun(call, job, title), request.surface, show);
    });
  },
};

/** Rank 0 resolves to what the host shows. */
async function showSurface(
  surface: OwnSurface,
  part: SurfacePart,
  request: DrawRequest,
): Promise<DrawnByRanks | undefined> {
  const { run, made, about } = surface;
  const { communicator, watch } = run;
  const counts = await watch.time("compute", () => made.counts(), title);
  const hasScalars = part.color !== undefined;
  const own = Float64Array.of(bytesOf(counts, hasScalars), counts.vertices, part.painter ? 1 : 0);
  const all = await communicator.allgather(own);
  const sum = (what: number, from = 0) => all.slice(from).reduce((to, each) => to + each[what], 0);
  const choice = chooseDrawing({
    method: request.method,
    gatheredBytes: sum(0, request.isForwarded ? 0 : 1),
    view: pixelsOf(request.view.viewport),
    isTranslucent: request.paint.opacity < 1,
    without: all.flatMap(([, , canDraw], rank) => (canDraw ? [] : [rank])),
  });
  const { painter } = part;
  if (!choice.isByRanks || !painter) {
    const whole = await gatherSurface(await readBack(surface), "manual");
    return whole && { made: { ...whole, vertices: whole.mesh.positions.length / 3, choice } };
  }
  const range = await surfaceRange(surface, request);
  const key = surfaceKey(request.surface);
  const picture = await watch.time(
    "compute",
    async () => {
      await painter.set({ key, range }, made);
      return drawPart(run, part, request);
    },
    title,
  );
  const reports = await gatherReports(run, { ...gridWork(run), triangles: counts.triangles });
  return (
    reports &&
    picture && { made: { ...about, ranks: reports.ranks, vertices: sum(1), range, choice }, picture }
  );
}

/** Draws each rank's part, and composites them on rank 0. */
async function drawPart(
  { communicator }: Pick<JobCall<RankEngine>, "communicator">,
  { painter, data, color }: SurfacePart,
  { paint, surface, view: { camera, viewport }, isMoving, tints, isForwarded }: DrawRequest,
): Promise<RankedPicture | undefined> {
  if (!painter) throw new TypeError("A rank that cannot draw was asked for a picture.");
  const { shape, clip } = surface;
  const range = color && colorRange(paint, color.statistics, painter.part?.range);
  const center = gridCenter(data.grid);
  const settings = surfacePaint(
    { paint, shape, clip: clip ?? undefined },
    range,
    painter.scalarOffset,
    center,
  );
  const pixelRatio = viewport.pixelRatio * (isMoving ? movingScale : 1);
  const view = { camera, viewport: { ...viewport, pixelRatio } };
  const drawing = await painter.draw(view, tints ? tinted(settings, communicator.rank) : settings);
  const isRoot = communicator.rank === 0;
  const others = await communicator.gather(isRoot ? new Uint8Array(0) : packDrawing(drawing));
  if (!others) return undefined;
  for (const packed of others.slice(1)) drawPacked(drawing, packed);
  const { width, height } = drawing;
  if (!isForwarded) {
    const bytes = others.reduce((sum, { length }) => sum + length, 0);
    return { bytes, width, height, drawing };
  }
  const packed = packDrawing(drawing);
  return { bytes: packed.length, width, height, packed };
}

const tinted = (settings: PaintSettings, rank: number): PaintSettings => ({
  ...settings,
  table: undefined,
  solid: rankColor(rank),
});

/** Of a part on its way to the host: positions, normals, perhaps scalars, and three indices a triangle. */
const bytesOf = ({ triangles, vertices }: PartCounts, hasScalars: boolean): number =>
  vertices * (hasScalars ? 28 : 24) + triangles * 12;

/** The range of the colours on the whole surface, on all ranks, where it is asked for. */
async function surfaceRange(
  own: OwnSurface,
  { paint, surface }: DrawRequest,
): Promise<readonly [number, number] | undefined> {
  if (paint.range !== "surface" || surface.colorBy === null) return undefined;
  const { run, mesh } = await readBack(own);
  const { communicator, data } = run;
  const dtype = "f32" as const;
  const scalars = ownScalars(mesh, data.grid, data.cells);
  const field = { name: "color", centering: "node", components: 1, dtype, data: scalars } as const;
  const box = wholeBox([scalars.length, 1, 1]);
  return trimmedRangeOf(rankedValues(communicator, data.grid, { field, box }), rangeTail);
}
