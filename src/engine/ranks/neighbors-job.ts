import { neighborDensity } from "../../algorithms/kd-tree/density.ts";
import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { RankTrace } from "../../core/rank-trace.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { takeTurn } from "./job-turn.ts";
import { findNeighbors } from "./kd-tree/find-neighbors.ts";
import type { NeighborLists } from "./kd-tree/neighbor-lists.ts";
import { withRankPrimitives } from "./kd-tree/rank-primitives.ts";
import { buildRankedTree } from "./kd-tree/ranked-tree.ts";
import { withoutThemselves } from "./kd-tree/without-themselves.ts";
import type { RankEngine } from "./rank-engine.ts";
import type { RankWork } from "./rank-report.ts";
import { gatherReports } from "./rank-reports.ts";
import { openRankedPoints, type RankedPoints } from "./ranked-points.ts";
import type { RecordedCommunicator } from "./recorded-communicator.ts";
import { recordedRun } from "./recorded-run.ts";

export interface NeighborsRequest {
  readonly [name: string]: Value;
  readonly source: DataSource;
  /** So many neighbours at most; all within the radius where it is null. */
  readonly k: number | null;
  /** Neighbours at any distance where it is null. */
  readonly radius: number | null;
}

export interface RankedNeighbors {
  readonly points: number;
  readonly dimensions: 2 | 3;
  /** Neighbours of point i are those from starts[i] to starts[i + 1], the nearest first. */
  readonly starts: Uint32Array;
  readonly ids: Uint32Array;
  readonly distances: Float64Array;
  /** Of each point the number of its neighbours for the volume, or the area, of the ball that reaches to the last one, or of the radius. */
  readonly densities: Float32Array;
  readonly origin: RankedPoints["origin"];
  /** What each rank did, with the points in its subtrees. */
  readonly ranks: readonly (RankWork & { readonly points: number })[];
  readonly trace: RankTrace;
  readonly notes: readonly string[];
}

/** The most neighbours that each point may be asked for. */
const maxNeighbors = 1024;

/** Asks for them. Throws BadArgument. */
export function neighborsRequest(
  source: DataSource,
  { k, radius }: { readonly k?: number; readonly radius?: number },
): NeighborsRequest {
  const isCount = k === undefined || (Number.isInteger(k) && k >= 1 && k <= maxNeighbors);
  const isDistance = radius === undefined || (Number.isFinite(radius) && radius >= 0);
  if (isCount && isDistance && (k ?? radius) !== undefined) {
    return { source, k: k ?? null, radius: radius ?? null };
  }
  throw badArgument(
    `${k === undefined ? "All" : k} neighbours ${radius === undefined ? "at any distance" : `within ${radius}`} were asked for.`,
    `Ask for 1 to ${maxNeighbors} of them, for those within a radius of 0 or more, or for both.`,
  );
}

/** The points nearest to each point of a set, found by all ranks in a tree of which each has a part. */
export const neighborsJob: Job<NeighborsRequest, RankedNeighbors | undefined, RankEngine> = {
  name: "neighbors",

  parse(value) {
    const { source, k, radius } = (value ?? {}) as Readonly<Record<string, Value>>;
    const isCount = typeof k === "number" && Number.isInteger(k) && k >= 1 && k <= maxNeighbors;
    if (k !== null && !isCount) throw badMessage("an invalid number of neighbours");
    if (radius !== null && !(typeof radius === "number" && radius >= 0))
      throw badMessage("an invalid radius");
    if (k === null && radius === null) throw badMessage("neither a number of neighbours nor a radius");
    return { source: parseDataSource(source), k, radius };
  },

  run(call, { source, k, radius }) {
    const title = "Find neighbours on ranks";
    return takeTurn(call, title, async (job) => {
      const run = recordedRun(call, job, title);
      const { communicator, engine, watch } = run;
      const points = await openRankedPoints(communicator, engine, source, job, watch);
      const { count, dimensions, coordinates, first, origin, notes } = points;
      const device = await engine.device();
      const tree = await withRankPrimitives(device, communicator, coordinates[0].length, (primitives) =>
        buildRankedTree(primitives, coordinates),
      );
      // Each point finds itself, too.
      const wanted = { k: k === null ? undefined : k + 1, radius: radius ?? Infinity };
      const found = await findNeighbors(communicator, tree, interleaved(coordinates), wanted, job);
      const lists = withoutThemselves(found, first, k ?? Infinity);
      const whole = await gatherLists(communicator, lists);
      const reports = await gatherReports(run, {
        points: tree.subtrees.reduce((sum, each) => sum + each.tree.ids.length, 0),
      });
      if (!whole || !reports) return undefined;
      const { starts, ids, squares } = whole;
      return {
        points: count,
        dimensions,
        starts,
        ids,
        distances: squares.map(Math.sqrt),
        densities: densitiesOf(whole, dimensions, k ?? Infinity, radius),
        origin,
        ...reports,
        notes,
      };
    });
  },
};

function interleaved(coordinates: readonly Float32Array[]): Float32Array {
  const dimensions = coordinates.length;
  const places = new Float32Array(dimensions * coordinates[0].length);
  for (const [axis, along] of coordinates.entries())
    for (let i = 0; i < along.length; i++) places[dimensions * i + axis] = along[i];
  return places;
}

/** All ranks' lists on rank 0. */
async function gatherLists(
  communicator: RecordedCommunicator,
  { starts, ids, squares }: NeighborLists,
): Promise<NeighborLists | undefined> {
  const allEnds = await communicator.gather(starts.subarray(1));
  const allIds = await communicator.gather(ids);
  const allSquares = await communicator.gather(squares);
  if (!allEnds || !allIds || !allSquares) return undefined;
  return communicator.packing(() => joinedLists(allEnds, allIds, allSquares));
}

function joinedLists(
  allEnds: readonly Uint32Array[],
  allIds: readonly Uint32Array[],
  allSquares: readonly Float64Array[],
): NeighborLists {
  const lengthOf = (parts: readonly ArrayLike<number>[]) =>
    parts.reduce((sum, { length }) => sum + length, 0);
  const whole = {
    starts: new Uint32Array(1 + lengthOf(allEnds)),
    ids: new Uint32Array(lengthOf(allIds)),
    squares: new Float64Array(lengthOf(allIds)),
  };
  let [list, at] = [1, 0];
  for (const [rank, ends] of allEnds.entries()) {
    for (const end of ends) whole.starts[list++] = at + end;
    whole.ids.set(allIds[rank], at);
    whole.squares.set(allSquares[rank], at);
    at += allIds[rank].length;
  }
  return whole;
}

function densitiesOf(
  { starts, squares }: NeighborLists,
  dimensions: number,
  k: number,
  radius: number | null,
): Float32Array {
  const hood = { k, radius: radius ?? undefined };
  return Float32Array.from({ length: starts.length - 1 }, (_, i) =>
    neighborDensity(dimensions, starts[i + 1] - starts[i], squares[starts[i + 1] - 1], hood),
  );
}
