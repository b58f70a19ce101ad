import type { Communicator, Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { TypedArray } from "../../core/dtype.ts";
import { describeError } from "../../core/errors.ts";
import type { SurfaceShape } from "../../core/layers.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { readSurfaceShape } from "../../core/read-layer.ts";
import type { Statistics } from "../../core/statistics.ts";
import { shapeField } from "../layers/shape-surface.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { takeTurn } from "./job-turn.ts";
import { joinParts } from "./mesh-parts.ts";
import type { RankEngine } from "./rank-engine.ts";
import { openRankedData, type RankedData } from "./ranked-data.ts";
import type { RankedRun } from "./ranked-evaluation.ts";
import type { RankReport } from "./statistics-job.ts";
import { Stopwatch } from "./stopwatch.ts";
import { type SurfacePart, surfacePart } from "./surface-part.ts";

export interface SurfaceJobRequest {
  readonly [name: string]: Value;
  readonly source: DataSource;
  /** The shape of the scalar that `text` tells, whatever name it has in the shape. */
  readonly shape: SurfaceShape & Value;
  /** Statements, of which the last one or the wanted one is the shape's scalar; null for a shape without. */
  readonly text: string | null;
  readonly wanted: string | null;
  /** An expression of a scalar for each vertex. */
  readonly colorBy: string | null;
}

export interface RankedSurface {
  readonly name: string;
  /** The whole: each rank's triangles in the order of the ranks; vertices that ranks have in common are one. */
  readonly mesh: TriangleMesh;
  /** Of the shape's scalar on the nodes, where it has one, and of what colours the surface. */
  readonly field: Statistics | undefined;
  readonly color: Statistics | undefined;
  readonly origin: RankedData["origin"];
  readonly ranks: readonly (RankReport & { readonly triangles: number })[];
  readonly notes: readonly string[];
}

const maxTextLength = 2 ** 20;

/** What the ranks are asked for a shape; `text` has the statements of its scalar, where it has one. */
export function surfaceRequest(
  source: DataSource,
  shape: SurfaceShape,
  { text, wanted, colorBy }: { readonly text?: string; readonly wanted?: string; readonly colorBy?: string },
): SurfaceJobRequest {
  const given = JSON.parse(JSON.stringify(shape)) as SurfaceJobRequest["shape"];
  return { source, shape: given, text: text ?? null, wanted: wanted ?? null, colorBy: colorBy ?? null };
}

/**
 * A surface, of which each rank makes the part in its layers on its own device; rank 0 puts them together. Ranks keep the
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
    const shape = shapeIn(request.shape);
    if ((shapeField(shape) !== undefined) !== (text !== null))
      throw badMessage("a shape and a text that differ");
    return { source: parseDataSource(source), shape, text, wanted, colorBy };
  },

  run(call, request) {
    const { communicator, engine } = call;
    const { source, text, wanted, colorBy } = request;
    return takeTurn(call, "Make a surface on ranks", async (job) => {
      const watch = new Stopwatch();
      const run = { communicator, engine, job, watch };
      const key = JSON.stringify([source, text, wanted, colorBy, communicator.rank, communicator.size]);
      const part = await surfacePart(run, key, request, () =>
        openRankedData(communicator, engine, source, job, watch),
      );
      let isKept = false;
      try {
        const mesh = await watch.time("compute", () => part.mesh(request.shape, job));
        const surface = await gatherSurface(call, part, mesh, request.shape.kind, watch);
        await engine.kept.put(key, part);
        isKept = true;
        return surface;
      } finally {
        if (!isKept) await part.release();
      }
    });
  },
};

function shapeIn(value: Value): SurfaceJobRequest["shape"] {
  try {
    return readSurfaceShape(value, "shape") as SurfaceJobRequest["shape"];
  } catch (error) {
    throw badMessage(describeError(error));
  }
}

/** The whole on rank 0. */
async function gatherSurface(
  { communicator, engine }: Pick<RankedRun, "communicator" | "engine">,
  { data, field, color }: SurfacePart,
  mesh: TriangleMesh,
  kind: string,
  watch: Stopwatch,
): Promise<RankedSurface | undefined> {
  const { layers, grid, shares, origin } = data;
  const { summary } = await engine.device();
  const parts = await watch.time("communicate", () => gatherMeshes(communicator, mesh));
  const report = {
    device: summary.description,
    layers: [layers.first, layers.end],
    ms: { ...watch.times },
    triangles: mesh.indices.length / 3,
  };
  const reports = await communicator.gather<Value>(report);
  if (!reports || !parts) return undefined;
  return {
    name: field?.name ?? kind,
    mesh: joinParts(parts, grid, shares),
    field: field?.statistics,
    color: color?.statistics,
    origin,
    ranks: reports.map((each, rank) => ({ ...(each as unknown as RankedSurface["ranks"][number]), rank })),
    notes: [...new Set([...(field?.notes ?? []), ...(color?.notes ?? [])])],
  };
}

/** All ranks' parts on rank 0. */
async function gatherMeshes(
  communicator: Communicator,
  { positions, normals, scalars, indices }: TriangleMesh,
): Promise<readonly TriangleMesh[] | undefined> {
  const gathered = [];
  for (const array of [positions, normals, scalars ?? new Float32Array(0), indices]) {
    gathered.push(await communicator.gather<TypedArray>(array));
  }
  const [allPositions, allNormals, allScalars, allIndices] = gathered;
  return allPositions?.map((positions, rank): TriangleMesh => {
    const colors = allScalars?.[rank] as Float32Array;
    return {
      positions: positions as Float32Array,
      normals: allNormals?.[rank] as Float32Array,
      scalars: colors.length > 0 ? colors : undefined,
      indices: allIndices?.[rank] as Uint32Array,
    };
  });
}
