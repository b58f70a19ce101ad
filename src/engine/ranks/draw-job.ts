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
import type { MadePart } from "./cut-surface.ts";
import { type DrawRequest, parseDrawRequest, surfaceKey } from "./draw-request.ts";
import { chooseDrawing, type DrawingChoice, movingScale } from "./drawing-choice.ts";
import { takeTurn } from "./job-turn.ts";
import { ownScalars } from "./mesh-parts.ts";
import { drawPacked, packDrawing } from "./packed-drawing.ts";
import type { PictureView } from "./part-painter.ts";
import type { RankEngine } from "./rank-engine.ts";
import { gatherReports, gatherWork, gridWork } from "./rank-reports.ts";
import type { RankedSurface } from "./ranked-surface.ts";
import { rankedValues } from "./ranked-values.ts";
import { recordedRun } from "./recorded-run.ts";
import type { Stopwatch } from "./stopwatch.ts";
import { aboutOf, gatherSurface, makeSurface, type OwnSurface, partKey, readBack } from "./surface-job.ts";
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
 * or by the triangles. Ranks that have kept their parts draw them at once, without a turn, and so they do with another surface of
 * the same scalars, as drags of what a page itself shows do.
 */
export const drawJob: Job<DrawRequest, DrawnByRanks | undefined, RankEngine> = {
  name: "draw",
  parse: parseDrawRequest,
  async run(call, request) {
    const { asks } = request;
    if (asks !== "surface" && !(asks === "step" && asksForRange(request))) {
      const isReady = asks === "picture" ? isDrawn : isDirect;
      const drawn = await withKept(call, request, isReady, (part) =>
        asks === "picture" ? drawAgain(call, part, request) : drawStep(call, part, request),
      );
      if (drawn) return drawn.answer;
    }
    return takeTurn(call, title, (job) => {
      const show = (surface: OwnSurface, part: SurfacePart) => showSurface(surface, part, request);
      return makeSurface(recordedRun(call, job, title), request.surface, show);
    });
  },
};

type IsReady = (part: SurfacePart, request: DrawRequest) => boolean;

const isDrawn: IsReady = ({ painter }, { surface }) => painter?.part?.key === surfaceKey(surface);
const isDirect: IsReady = ({ painter }) => painter?.isDirect ?? false;

/** What `use` answers of the part that this rank has kept, where all ranks are ready; else undefined. */
async function withKept(
  { communicator, engine }: JobCall<RankEngine>,
  request: DrawRequest,
  isReady: IsReady,
  use: (part: SurfacePart) => Promise<DrawnByRanks | undefined>,
): Promise<{ readonly answer: DrawnByRanks | undefined } | undefined> {
  const key = partKey(request.surface, communicator);
  const kept = await engine.kept.take(key);
  let isKept = false;
  try {
    const isOwn = kept !== undefined && isReady(kept, request);
    const [allAre] = await communicator.allreduce(Uint32Array.of(isOwn ? 1 : 0), min);
    const answer = allAre && kept ? await use(kept) : undefined;
    isKept = kept !== undefined;
    if (kept) await engine.kept.put(key, kept);
    return allAre ? { answer } : undefined;
  } finally {
    if (!isKept) await kept?.release();
  }
}

async function drawAgain(
  call: JobCall<RankEngine>,
  part: SurfacePart,
  request: DrawRequest,
): Promise<DrawnByRanks | undefined> {
  const drawing = await drawOwn(call, part, request);
  const picture = await composite(call, drawing, request);
  return picture && { picture };
}

/**
 * Draws another surface of the same scalars while it is counted, and says on rank 0 who is to draw it: where it is the host, the host
 * asks once more.
 */
async function drawStep(
  call: JobCall<RankEngine>,
  part: SurfacePart,
  request: DrawRequest,
): Promise<DrawnByRanks | undefined> {
  const { painter, data } = part;
  if (!painter) throw new TypeError("A rank that cannot draw was asked for a picture.");
  const run = { ...recordedRun(call, call.context, title), data };
  const { watch } = run;
  const { drawing, counts } = await watch.time(
    "compute",
    async () => {
      const made = await part.make(request.surface, run);
      await painter.set({ key: surfaceKey(request.surface), range: undefined }, made);
      const drawn = buffersOf(made);
      const [drawing, counts] = await Promise.all([drawOwn(call, part, request), made.counts()]);
      // Where the buffers were too small, others have taken their place, and the picture may lack triangles.
      const now = buffersOf(made);
      if (now.length === drawn.length && now.every((buffer, k) => buffer === drawn[k]))
        return { drawing, counts };
      await painter.set({ key: surfaceKey(request.surface), range: undefined }, made);
      return { drawing: await drawOwn(call, part, request), counts };
    },
    title,
  );
  const picture = await composite(run, drawing, request, watch);
  const ranks = await gatherWork(run, { ...gridWork(run), ...counts });
  if (!ranks || !picture) return undefined;
  const hasScalars = part.color !== undefined;
  const bytes = ranks.map((counts) => bytesOf(counts, hasScalars));
  const choice = choiceOf(request, sumFrom(request, bytes), []);
  const vertices = ranks.reduce((sum, each) => sum + each.vertices, 0);
  return { made: { ...aboutOf(part, request.surface), ranks, vertices, choice }, picture };
}

/** Rank 0 resolves to what the host shows. */
async function showSurface(
  surface: OwnSurface,
  part: SurfacePart,
  request: DrawRequest,
): Promise<DrawnByRanks | undefined> {
  const { run, made, about } = surface;
  const { communicator, watch } = run;
  const counts = await watch.time("compute", () => made.counts(), title);
  const own = Float64Array.of(
    bytesOf(counts, part.color !== undefined),
    counts.vertices,
    part.painter ? 1 : 0,
  );
  const all = await communicator.allgather(own);
  const gatheredBytes = sumFrom(
    request,
    all.map(([bytes]) => bytes),
  );
  const without = all.flatMap(([, , canDraw], rank) => (canDraw ? [] : [rank]));
  const choice = choiceOf(request, gatheredBytes, without);
  const { painter } = part;
  if (!choice.isByRanks || !painter) {
    const whole = await gatherSurface(await readBack(surface), "manual");
    return whole && { made: { ...whole, vertices: whole.mesh.positions.length / 3, choice } };
  }
  const range = await surfaceRange(surface, request);
  const key = surfaceKey(request.surface);
  const drawing = await watch.time(
    "compute",
    async () => {
      await painter.set({ key, range }, made);
      return drawOwn(run, part, request);
    },
    title,
  );
  const picture = await composite(run, drawing, request, watch);
  const vertices = all.reduce((sum, each) => sum + each[1], 0);
  const reports = await gatherReports(run, { ...gridWork(run), triangles: counts.triangles });
  return reports && picture && { made: { ...about, ranks: reports.ranks, vertices, range, choice }, picture };
}

const buffersOf = ({ drawables }: MadePart) => (drawables ?? []).map(({ vertices }) => vertices);

/** Draws this rank's part. */
async function drawOwn(
  { communicator }: Pick<JobCall<RankEngine>, "communicator">,
  { painter, data, color }: SurfacePart,
  { paint, surface, view: { camera, viewport }, isMoving, tints }: DrawRequest,
): Promise<OffscreenDrawing> {
  if (!painter) throw new TypeError("A rank that cannot draw was asked for a picture.");
  const { shape, clip } = surface;
  const range = color && colorRange(paint, color.statistics, painter.part?.range);
  const settings = surfacePaint(
    { paint, shape, clip: clip ?? undefined },
    range,
    painter.scalarOffset,
    gridCenter(data.grid),
  );
  const pixelRatio = viewport.pixelRatio * (isMoving ? movingScale : 1);
  const view = { camera, viewport: { ...viewport, pixelRatio } };
  return painter.draw(view, tints ? tinted(settings, communicator.rank) : settings);
}

/** The ranks' drawings as one, on rank 0. */
async function composite(
  { communicator }: Pick<JobCall<RankEngine>, "communicator">,
  drawing: OffscreenDrawing,
  { isForwarded }: DrawRequest,
  watch?: Pick<Stopwatch, "pack">,
): Promise<RankedPicture | undefined> {
  const packing = <T>(work: () => T): T => (watch ? watch.pack(work) : work());
  const isRoot = communicator.rank === 0;
  const own = isRoot ? new Uint8Array(0) : packing(() => packDrawing(drawing));
  const others = await communicator.gather(own);
  if (!others) return undefined;
  packing(() => {
    for (const packed of others.slice(1)) drawPacked(drawing, packed);
  });
  const { width, height } = drawing;
  if (!isForwarded) {
    const bytes = others.reduce((sum, { length }) => sum + length, 0);
    return { bytes, width, height, drawing };
  }
  const packed = packing(() => packDrawing(drawing));
  return { bytes: packed.length, width, height, packed };
}

/** What travels to the host of what the ranks have: rank 0's own part is there already, unless it goes on. */
const sumFrom = ({ isForwarded }: DrawRequest, perRank: readonly number[]): number =>
  perRank.slice(isForwarded ? 0 : 1).reduce((sum, each) => sum + each, 0);

const choiceOf = (
  { method, view, paint, isMoving }: DrawRequest,
  gatheredBytes: number,
  without: readonly number[],
): DrawingChoice =>
  chooseDrawing({
    method,
    gatheredBytes,
    view: pixelsOf(view.viewport),
    isMoving,
    isTranslucent: paint.opacity < 1,
    without,
  });

const tinted = (settings: PaintSettings, rank: number): PaintSettings => ({
  ...settings,
  table: undefined,
  solid: rankColor(rank),
});

/** Of a part on its way to the host: positions, normals, perhaps scalars, and three indices a triangle. */
const bytesOf = ({ triangles, vertices }: PartCounts, hasScalars: boolean): number =>
  vertices * (hasScalars ? 28 : 24) + triangles * 12;

const asksForRange = ({ paint, surface }: DrawRequest): boolean =>
  paint.range === "surface" && surface.colorBy !== null;

/** The range of the colours on the whole surface, on all ranks, where it is asked for. */
async function surfaceRange(
  own: OwnSurface,
  request: DrawRequest,
): Promise<readonly [number, number] | undefined> {
  if (!asksForRange(request)) return undefined;
  const { run, mesh } = await readBack(own);
  const { communicator, data } = run;
  const dtype = "f32" as const;
  const scalars = ownScalars(mesh, data.grid, data.cells);
  const field = { name: "color", centering: "node", components: 1, dtype, data: scalars } as const;
  const box = wholeBox([scalars.length, 1, 1]);
  return trimmedRangeOf(rankedValues(communicator, data.grid, { field, box }), rangeTail);
}
