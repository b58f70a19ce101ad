import type { Communicator, Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { TypedArray } from "../../core/dtype.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { Field } from "../../core/field.ts";
import { emptyMesh, type TriangleMesh } from "../../core/mesh.ts";
import type { Statistics } from "../../core/statistics.ts";
import { compileOnDemand } from "../../lang/expression/compile-on-demand.ts";
import { blockGrid } from "../../lang/expression/plan/blocks.ts";
import { quoteName } from "../../lang/expression/syntax/quoting.ts";
import { describeType } from "../../lang/expression/types.ts";
import { chooseStatement } from "../evaluate.ts";
import { Session } from "../session.ts";
import { surfaceMesh } from "../surface-mesh.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { takeTurn } from "./job-turn.ts";
import { joinParts, ownTriangles } from "./mesh-parts.ts";
import type { RankEngine } from "./rank-engine.ts";
import { openRankedData, planeElements, type RankedData } from "./ranked-data.ts";
import { evaluateOnRanks, ownPlanes, planesAround, type RankedRun } from "./ranked-evaluation.ts";
import { type OwnPart, rankedStatistics } from "./ranked-values.ts";
import type { RankReport } from "./statistics-job.ts";
import { Stopwatch } from "./stopwatch.ts";

export interface SurfaceJobRequest {
  readonly [name: string]: Value;
  readonly source: DataSource;
  /** Statements; the last one, or the one that is wanted, is the scalar that is contoured. */
  readonly text: string;
  readonly wanted: string | null;
  readonly isovalue: number;
  readonly topology: "table" | "trilinear";
  /** An expression of a scalar for each vertex. */
  readonly colorBy: string | null;
}

export interface RankedSurface {
  readonly name: string;
  /** The whole: each rank's triangles in the order of the ranks; vertices that ranks have in common are one. */
  readonly mesh: TriangleMesh;
  /** Of the field on the nodes, and of what colours the surface. */
  readonly field: Statistics;
  readonly color: Statistics | undefined;
  readonly origin: RankedData["origin"];
  readonly ranks: readonly (RankReport & { readonly triangles: number })[];
  readonly notes: readonly string[];
}

const maxTextLength = 2 ** 20;

/** Planes of nodes beyond a rank's layers: gradients at the nodes of its border read one, and cells beyond decide ties. */
const margin = 2;

/** An isosurface, of which each rank makes its layers' part on its own device; rank 0 puts them together. */
export const surfaceJob: Job<SurfaceJobRequest, RankedSurface | undefined, RankEngine> = {
  name: "isosurface",

  parse(value) {
    const request = (value ?? {}) as Readonly<Record<string, Value>>;
    const { source, text, wanted, isovalue, topology, colorBy } = request;
    const isText = (part: Value): part is string => typeof part === "string" && part.length <= maxTextLength;
    if (!isText(text)) throw badMessage("an isosurface of no text");
    if (wanted !== null && !isText(wanted)) throw badMessage("an isosurface of no statement");
    if (colorBy !== null && !isText(colorBy)) throw badMessage("a colour by no text");
    if (typeof isovalue !== "number") throw badMessage("an isosurface at no value");
    if (topology !== "table" && topology !== "trilinear") throw badMessage("an unknown topology");
    return { source: parseDataSource(source), text, wanted, isovalue, topology, colorBy };
  },

  run(call, request) {
    const { communicator, engine } = call;
    return takeTurn(call, "Make a surface on ranks", async (job) => {
      const watch = new Stopwatch();
      const data = await openRankedData(communicator, engine, request.source, job, watch);
      const run = { communicator, engine, data, job, watch };
      const { name, field, statistics, notes } = await scalarOnRanks(run, request.text, request.wanted);
      const color = request.colorBy === null ? undefined : await scalarOnRanks(run, request.colorBy, null);
      const part = await watch.time("compute", () => partOf(run, request, field, color?.field));
      const { layers } = data;
      const { summary } = await engine.device();
      const parts = await watch.time("communicate", () => gatherMeshes(communicator, part));
      const report = {
        device: summary.description,
        layers: [layers.first, layers.end],
        ms: { ...watch.times },
        triangles: part.indices.length / 3,
      };
      const reports = await communicator.gather<Value>(report);
      if (!reports || !parts) return undefined;
      return {
        name,
        mesh: joinParts(parts, data.grid, data.shares),
        field: statistics,
        color: color?.statistics,
        origin: data.origin,
        ranks: reports.map((each, rank) => ({
          ...(each as unknown as RankedSurface["ranks"][number]),
          rank,
        })),
        notes: [...new Set([...notes, ...(color?.notes ?? [])])],
      };
    });
  },
};

/** A scalar on the nodes, on this rank's planes and the margin: means of the cells around where it lies in cells. */
async function scalarOnRanks(run: RankedRun, text: string, wanted: string | null) {
  const { data } = run;
  let network = await compileOnDemand(text, data.fields);
  const { output, name } = chooseStatement(network, wanted ?? undefined);
  const node = network.nodes[network.outputs.findLast((each) => each.name === output)?.node ?? 0];
  const { value, placement } = node.type;
  if (placement === "constant" || (value !== "scalar" && value !== "bool")) {
    throw new CrinkleError({
      tag: "TypeError",
      problem: `“${name}” is ${placement === "constant" ? "the same everywhere" : describeType(value)}.`,
      remedy: "A surface needs a scalar field, such as magnitude(velocity).",
    });
  }
  let read = output;
  if (placement === "cell") {
    read = "on the nodes";
    network = await compileOnDemand(
      `${text}\n${quoteName(read)} = recenter(${quoteName(output)})`,
      data.fields,
    );
  }
  const { fields } = await evaluateOnRanks(run, network, [read], margin);
  const part = fields.get(read) as OwnPart;
  const statistics = await run.watch.time("communicate", () =>
    rankedStatistics(run.communicator, withoutMargin(data, part)),
  );
  return { name, field: part.field, statistics, notes: network.notes };
}

/** A scalar on the nodes without what other ranks have of it, too. */
function withoutMargin({ grid, layers }: RankedData, { field, first }: OwnPart): OwnPart {
  const plane = planeElements(grid, "node");
  const [from, end] = ownPlanes(grid, layers, "node");
  const data = field.data.subarray(Math.max(0, from * plane - first), Math.max(0, end * plane - first));
  return { field: { ...field, data: data as Field["data"] }, first: from * plane };
}

/** The surface in this rank's layers. */
async function partOf(
  { engine, data, job }: RankedRun,
  { isovalue, topology }: SurfaceJobRequest,
  field: Field,
  color: Field | undefined,
): Promise<TriangleMesh> {
  const { grid, layers } = data;
  if (layers.first === layers.end || grid.dims[2] < 2) return emptyMesh;
  const [from, end] = planesAround(grid, layers, margin);
  const fields = [{ ...field, name: "field" }, ...(color ? [{ ...color, name: "color" }] : [])];
  const session = new Session(await engine.device(), engine.workers);
  try {
    const part = blockGrid(grid, { ...layers, from, to: end - 1 });
    await session.setDataSet({ name: data.name, grid: part, fields, notes: [] });
    const shape = {
      kind: "isosurface",
      field: "field",
      isovalues: [isovalue],
      normals: "smooth",
      topology,
    } as const;
    const { mesh } = await surfaceMesh(session, { shape, colorBy: color && "color" }, job);
    return ownTriangles(mesh, grid, layers);
  } finally {
    await session.close();
  }
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
