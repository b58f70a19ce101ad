import type { Communicator, Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { TypedArray } from "../../core/dtype.ts";
import { CrinkleError, describeError } from "../../core/errors.ts";
import type { Plane, SurfaceShape } from "../../core/layers.ts";
import { readPlane, readSurfaceShape } from "../../core/read-layer.ts";
import { oneOf, type Reader } from "../../core/reading.ts";
import { type Steps, withPauses } from "../../core/steps.ts";
import type { WantedBlocks } from "../../core/wanted-blocks.ts";
import { shapeField, topologyOf } from "../layers/shape-surface.ts";
import { surfaceMargin } from "./block-values.ts";
import { parseBlocks } from "./blocks.ts";
import type { MadePart } from "./cut-surface.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { type Division, divisionFor } from "./division.ts";
import { takeTurn } from "./job-turn.ts";
import { joinDistributed, joinParts, type MeshPart } from "./mesh-parts.ts";
import type { RankEngine } from "./rank-engine.ts";
import { gatherReports, gridWork } from "./rank-reports.ts";
import { openRankedData } from "./ranked-data.ts";
import type { RankedRun } from "./ranked-evaluation.ts";
import type { RankedSurface } from "./ranked-surface.ts";
import { type RecordedRun, recordedRun } from "./recorded-run.ts";
import { type SurfacePart, surfacePart } from "./surface-part.ts";

export interface SurfaceJobRequest {
  readonly [name: string]: Value;
  readonly source: DataSource;
  /** The shape, whose scalar is that of `text`, whatever its name in the shape. */
  readonly shape: SurfaceShape & Value;
  /** Statements, of which the last one or the wanted one is the shape's scalar; null for a shape without. */
  readonly text: string | null;
  readonly wanted: string | null;
  /** An expression of a scalar for each vertex. */
  readonly colorBy: string | null;
  /** Only the plane's positive side is kept. */
  readonly clip: (Plane & Value) | null;
  readonly form: SurfaceForm;
  /** Layers along z in the distributed form. */
  readonly blocks: WantedBlocks;
}

/**
 * How ranks make a surface: each alone in its block, with ghost layers around it ("manual"), or all together by one
 * algorithm over vectors that have a part on each rank ("distributed"). Both give the same surface.
 */
export type SurfaceForm = "manual" | "distributed";

const maxTextLength = 2 ** 20;

export interface SurfaceRequestOptions {
  /** The statements of the shape's scalar, where it has one. */
  readonly text?: string;
  readonly wanted?: string;
  readonly colorBy?: string;
  readonly clip?: Plane;
  /** "manual" where it is left out. */
  readonly form?: SurfaceForm;
  /** Chosen where they are left out. */
  readonly blocks?: Exclude<WantedBlocks, null>;
}

/** What the ranks are asked for a shape. Throws BadArgument where it has no such form. */
export function surfaceRequest(
  source: DataSource,
  shape: SurfaceShape,
  { text, wanted, colorBy, clip, form = "manual", blocks }: SurfaceRequestOptions,
): SurfaceJobRequest {
  checkForm(shape, form, blocks ?? null);
  return {
    source,
    shape: JSON.parse(JSON.stringify(shape)) as SurfaceJobRequest["shape"],
    text: text ?? null,
    wanted: wanted ?? null,
    colorBy: colorBy ?? null,
    clip: clip ? { origin: clip.origin, normal: clip.normal } : null,
    form,
    blocks: blocks ?? null,
  };
}

function checkForm(shape: SurfaceShape, form: SurfaceForm, blocks: WantedBlocks): void {
  if (form === "manual") return;
  if (blocks !== "layers" && blocks?.slice(0, 2).some((count) => count !== 1)) {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `The distributed form cannot use the blocks ${blocks.join("x")}.`,
      remedy: "Its vectors are cut into layers along z: leave the blocks out, or ask for the manual form.",
    });
  }
  if (topologyOf(shape) !== "trilinear") return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: "The distributed form does not have the trilinear interpolant's topology.",
    remedy: "Ask for the table's topology, or for the manual form.",
  });
}

/**
 * A surface, of which each rank makes a part on its own device; rank 0 puts them together. Ranks keep the
 * scalars for a while, so that another surface of the same ones, such as the next isovalue of a drag, takes no evaluation.
 */
export const surfaceJob: Job<SurfaceJobRequest, RankedSurface | undefined, RankEngine> = {
  name: "surface",

  parse(value) {
    const request = (value ?? {}) as Readonly<Record<string, Value>>;
    const { source, text, wanted, colorBy } = request;
    const isText = (part: Value): part is string => typeof part === "string" && part.length <= maxTextLength;
    if (text !== null && !isText(text)) throw badMessage("a surface of no text");
    if (wanted !== null && !isText(wanted)) throw badMessage("a surface of no statement");
    if (colorBy !== null && !isText(colorBy)) throw badMessage("a colour by no text");
    const shape = valid(readSurfaceShape, request.shape, "shape");
    const clip = request.clip === null ? null : valid(readPlane, request.clip, "clip");
    const form = valid(oneOf("manual", "distributed"), request.form, "form");
    const blocks = parseBlocks(request.blocks);
    checkForm(shape, form, blocks);
    if ((shapeField(shape) !== undefined) !== (text !== null))
      throw badMessage("a shape and a text that differ");
    return { source: parseDataSource(source), shape, text, wanted, colorBy, clip, form, blocks };
  },

  run(call, request) {
    const title = "Make a surface on ranks";
    return takeTurn(call, title, (job) =>
      makeSurface(recordedRun(call, job, title), request, async (surface) =>
        gatherSurface(await readBack(surface), request.form),
      ),
    );
  },
};

/** This rank's part of a surface. */
export interface OwnSurface {
  readonly run: RankedRun;
  readonly made: MadePart;
  /** What all ranks know of the whole. */
  readonly about: Pick<RankedSurface, "name" | "field" | "color" | "origin" | "notes">;
}

/** The same in host memory. */
export interface OwnMesh extends Omit<OwnSurface, "made"> {
  readonly mesh: MeshPart;
}

/** This rank's part from wherever it was made. */
export async function readBack({ run, made, about }: OwnSurface): Promise<OwnMesh> {
  return { run, mesh: await run.watch.time("compute", () => made.readMesh(), "read back"), about };
}

/** Makes each rank's part, passes it to `use`, and keeps what it was made from. */
export async function makeSurface<R>(
  run: RecordedRun,
  request: SurfaceJobRequest,
  use: (surface: OwnSurface, part: SurfacePart) => Promise<R>,
): Promise<R> {
  const { communicator, engine, job, watch } = run;
  const key = partKey(request, communicator);
  const part = await surfacePart(run, key, request, () =>
    openRankedData(communicator, engine, request.source, job, watch, divisionOf(request, communicator.size)),
  );
  let isKept = false;
  try {
    const { data } = part;
    const made = await watch.time("compute", () => part.make(request, run), request.shape.kind);
    const about = aboutOf(part, request);
    const result = await use({ run: { ...run, data }, made, about }, part);
    isKept = true;
    await engine.kept.put(key, part);
    return result;
  } finally {
    if (!isKept) await part.release();
  }
}

/** What all ranks know of the whole surface that their parts are of. */
export const aboutOf = (
  { data, field, color }: SurfacePart,
  { shape }: Pick<SurfaceJobRequest, "shape">,
): OwnSurface["about"] => ({
  name: field?.name ?? shape.kind,
  field: field?.statistics,
  color: color?.statistics,
  origin: data.origin,
  notes: [...new Set([...(field?.notes ?? []), ...(color?.notes ?? [])])],
});

/** The vectors of the distributed form are the ranks' values in their order, x fastest: only layers along z are runs of these. */
const divisionOf = ({ form, text, colorBy, blocks }: SurfaceJobRequest, ranks: number): Division =>
  form === "distributed" ? { blocks: [1, 1, ranks] } : divisionFor(blocks, [text, colorBy], surfaceMargin);

/** What a rank keeps its part of a surface under; it does not depend on the shape's numbers, nor on a clip. */
export function partKey(
  { source, text, wanted, colorBy, form, blocks }: SurfaceJobRequest,
  { rank, size }: Pick<Communicator, "rank" | "size">,
): string {
  return JSON.stringify([source, text, wanted, colorBy, form, blocks, rank, size]);
}

/** What a reader takes of a value, as a value that can be sent on. Throws BadMessage where the reader refuses it. */
export function valid<T>(read: Reader<T>, value: Value, place: string): T & Value {
  try {
    return sendable(read(value, place)) as T & Value;
  } catch (error) {
    throw badMessage(describeError(error));
  }
}

/** The same without entries that are undefined. */
function sendable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sendable);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(entries.map(([name, entry]) => [name, sendable(entry)]));
}

/** The whole on rank 0. */
export async function gatherSurface(
  { run, mesh, about }: OwnMesh,
  form: SurfaceForm,
): Promise<RankedSurface | undefined> {
  const { communicator, data, job, watch } = run;
  const { grid, shares } = data;
  const paused = <R>(steps: Steps<R>) => withPauses(steps, job, "The surface");
  const parts = await gatherMeshes(communicator, mesh);
  const joined = async (parts: readonly MeshPart[]) =>
    form === "manual" ? paused(joinParts(parts, grid, shares)) : joinDistributed(parts);
  const whole = parts && (await watch.time("pack", () => joined(parts)));
  const reports = await gatherReports(run, { ...gridWork(run), triangles: mesh.indices.length / 3 });
  return whole && reports && { ...about, mesh: whole, ...reports };
}

/** All ranks' parts on rank 0. */
async function gatherMeshes(
  communicator: Communicator,
  { positions, normals, scalars, indices, borders }: MeshPart,
): Promise<readonly MeshPart[] | undefined> {
  const gathered = [];
  for (const array of [positions, normals, scalars ?? new Float32Array(0), indices, borders]) {
    gathered.push(await communicator.gather<TypedArray>(array));
  }
  const [allPositions, allNormals, allScalars, allIndices, allBorders] = gathered;
  return allPositions?.map((positions, rank): MeshPart => {
    const colors = allScalars?.[rank] as Float32Array;
    return {
      positions: positions as Float32Array,
      normals: allNormals?.[rank] as Float32Array,
      scalars: colors.length > 0 ? colors : undefined,
      indices: allIndices?.[rank] as Uint32Array,
      borders: allBorders?.[rank] as Float64Array,
    };
  });
}
