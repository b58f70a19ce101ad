import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { Bounds } from "../../core/grid.ts";
import { measuringArea, meshBounds } from "../../core/mesh-measures.ts";
import { reverseFacets as reversed } from "../../core/reverse-facets.ts";
import { withPauses } from "../../core/steps.ts";
import { statisticsOf } from "../host-statistics.ts";
import { vertexColors } from "../vertex-colors.ts";
import { takeTurn } from "./job-turn.ts";
import { parseIndex, sourceOf, writePieces } from "./pieces.ts";
import type { RankEngine } from "./rank-engine.ts";
import { gatherReports, gridWork } from "./rank-reports.ts";
import type { RankedRun } from "./ranked-evaluation.ts";
import type { RankedSurface } from "./ranked-surface.ts";
import { recordedRun } from "./recorded-run.ts";
import { makeSurface, type OwnMesh, readBack, type SurfaceJobRequest, surfaceJob } from "./surface-job.ts";

export interface SurfacePiecesRequest extends SurfaceJobRequest {
  /** The path of the index (.pvtp) of pieces that the ranks write. */
  readonly index: string;
  /** The name of the scalars in the files. */
  readonly scalarName: string | null;
  /** Facets and normals the other way. */
  readonly reverseFacets: boolean;
}

/** A surface whose parts stay on the ranks that made them. */
export interface RankedPieces extends Omit<RankedSurface, "mesh"> {
  readonly triangles: number;
  /** Those on a border between ranks count for both. */
  readonly vertices: number;
  readonly area: number;
  readonly bounds: Bounds | null;
}

/** A surface of which each rank writes what it makes; vertices on a border between ranks are in the pieces of both. */
export const surfacePiecesJob: Job<SurfacePiecesRequest, RankedPieces | undefined, RankEngine> = {
  name: "surface in pieces",

  parse(value) {
    const { index, scalarName, reverseFacets } = (value ?? {}) as Readonly<Record<string, Value>>;
    const { path } = parseIndex(index, ["pvtp"]);
    const name = typeof scalarName === "string" ? scalarName : null;
    const request = surfaceJob.parse(value);
    // The parts of the distributed form refer to each other's vertices.
    if (request.form !== "manual") throw badMessage("pieces of a distributed surface");
    return { ...request, index: path, scalarName: name, reverseFacets: reverseFacets === true };
  },

  run(call, request) {
    const title = "Write a surface on ranks";
    return takeTurn(call, title, (job) =>
      makeSurface(recordedRun(call, job, title), request, async (own) => {
        const surface = await readBack(own);
        await writePart(surface, request);
        return sizeOfAll(surface);
      }),
    );
  },
};

/** The whole's size on rank 0. */
async function sizeOfAll({ run, mesh, about }: OwnMesh): Promise<RankedPieces | undefined> {
  const size = {
    triangles: mesh.indices.length / 3,
    vertices: mesh.positions.length / 3,
    area: await withPauses(measuringArea(mesh), run.job, "The surface"),
    bounds: meshBounds(mesh) ?? null,
  };
  const reports = await gatherReports(run, { ...gridWork(run), ...size });
  const all = reports?.ranks;
  const sum = (what: "triangles" | "vertices" | "area") =>
    (all ?? []).reduce((to, each) => to + each[what], 0);
  return (
    reports &&
    all && {
      ...about,
      triangles: sum("triangles"),
      vertices: sum("vertices"),
      area: sum("area"),
      bounds: all.reduce<Bounds | null>((to, { bounds }) => around(to, bounds), null),
      ranks: all.map(({ vertices, area, bounds, ...report }) => report),
      trace: reports.trace,
    }
  );
}

async function writePart(
  { run, mesh }: OwnMesh,
  { index, scalarName, colorBy, reverseFacets }: SurfacePiecesRequest,
): Promise<void> {
  const { data, job } = run;
  // A part without triangles has no scalars; all pieces have the same arrays.
  const scalars = colorBy === null ? undefined : (mesh.scalars ?? new Float32Array(0));
  const named = scalars && (scalarName ?? "scalar");
  const color = scalars && vertexColors(scalars, await rangeOf(run, scalars));
  const { writeVtp } = await import("../../data/write/vtp.ts");
  const { writeMeshIndex } = await import("../../data/write/vtk-pieces.ts");
  const facing = reverseFacets ? reversed(mesh) : mesh;
  const piece = await writeVtp({ ...facing, scalars }, job, { scalarName: named, color });
  const sources = data.shares.map((_, rank) => sourceOf(index, rank));
  await writePieces(run, index, piece, () => writeMeshIndex(named, sources));
}

/** Of the scalars of all ranks' parts. */
async function rangeOf({ communicator }: RankedRun, scalars: Float32Array) {
  const { min, max } = await statisticsOf(scalars, 1);
  const all = await communicator.allgather(Float64Array.of(min, max));
  const ranges = all.filter(([low]) => !Number.isNaN(low));
  return {
    min: Math.min(...ranges.map(([low]) => low)),
    max: Math.max(...ranges.map(([, high]) => high)),
  };
}

/** The box around two boxes. */
const around = (a: Bounds | null, b: Bounds | null): Bounds | null =>
  a && b
    ? (a.map((x, k) => (k % 2 === 0 ? Math.min(x, b[k]) : Math.max(x, b[k]))) as unknown as Bounds)
    : (a ?? b);
