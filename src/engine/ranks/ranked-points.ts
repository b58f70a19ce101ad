import type { Communicator, Value } from "../../cluster/communicator/communicator.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { JobContext } from "../../core/job.ts";
import { isPointSet, type PointSet, pointBounds } from "../../core/point-set.ts";
import type { DataSource } from "./data-source.ts";
import { onlyReader } from "./only-reader.ts";
import type { RankEngine } from "./rank-engine.ts";
import { different, type RankedData, unreadable } from "./ranked-data.ts";
import type { Stopwatch } from "./stopwatch.ts";

/** Points over ranks, each of which has a run of their indices. */
export interface RankedPoints {
  readonly name: string;
  readonly dimensions: 2 | 3;
  /** Of all ranks. */
  readonly count: number;
  readonly origin: RankedData["origin"];
  /** The index of this rank's first point. */
  readonly first: number;
  /** Of this rank's points along each axis, relative to the middle of the bounds of all. */
  readonly coordinates: readonly Float32Array<ArrayBuffer>[];
  /** Of the reader; none on ranks that have not read. */
  readonly notes: readonly string[];
}

/**
 * Opens points on all ranks, as `openRankedData` opens fields. Throws BadArgument where the data are a grid, no rank can read
 * them, or ranks read different data by the same name.
 */
export async function openRankedPoints(
  communicator: Communicator,
  engine: RankEngine,
  source: DataSource,
  job: JobContext,
  watch: Stopwatch,
): Promise<RankedPoints> {
  const own = await watch.time("read", async () => requirePoints(await engine.read(source, job)));
  const known = await communicator.allgather<Value>(own ? descriptionOf(own) : null);
  const from = known.findIndex((description) => description !== null);
  if (from < 0) throw unreadable(source);
  const description = describedIn(known[from]);
  const { count, dimensions, middle } = description;
  job.warn?.(onlyReader(known, description.name));
  const starts = Array.from({ length: communicator.size + 1 }, (_, rank) =>
    Math.floor((count * rank) / communicator.size),
  );
  const first = starts[communicator.rank];
  const partOf = ({ positions }: PointSet, rank: number) =>
    positions.subarray(3 * starts[rank], 3 * starts[rank + 1]);
  const placed = (positions: Float64Array, origin: RankedPoints["origin"]): RankedPoints => ({
    ...description,
    origin,
    first,
    coordinates: Array.from({ length: dimensions }, (_, axis) => along(positions, axis, middle[axis])),
    notes: own?.notes ?? [],
  });
  if (own && known.every((each) => each !== null)) {
    const differs = known.findIndex((each) => JSON.stringify(each) !== JSON.stringify(known[0]));
    if (differs >= 0) throw different(source, differs);
    return placed(partOf(own, communicator.rank), "read by each rank");
  }
  const parts =
    own && communicator.rank === from ? starts.slice(1).map((_, rank) => partOf(own, rank)) : undefined;
  const sent = await communicator.scatter<Float64Array>(parts, from);
  return placed(sent, "sent by the host");
}

function along(positions: Float64Array, axis: number, middle: number): Float32Array<ArrayBuffer> {
  const coordinates = new Float32Array(positions.length / 3);
  for (let i = 0; i < coordinates.length; i++) coordinates[i] = positions[3 * i + axis] - middle;
  return coordinates;
}

function requirePoints(data: Awaited<ReturnType<RankEngine["read"]>>): PointSet | undefined {
  if (!data || isPointSet(data)) return data;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `“${data.name}” is a grid, not a set of points.`,
    remedy: "Give a file of points, such as .csv, .ply or .vtp.",
  });
}

interface Description {
  readonly name: string;
  readonly count: number;
  readonly dimensions: 2 | 3;
  readonly middle: readonly number[];
}

function descriptionOf(points: PointSet): Value {
  const { name, dimensions, positions } = points;
  const bounds = pointBounds(points);
  const middle = [0, 1, 2].map((axis) => 0.5 * bounds[2 * axis] + 0.5 * bounds[2 * axis + 1]);
  return { name, count: positions.length / 3, dimensions, middle };
}

/** Throws BadMessage for what no rank of this program says. */
function describedIn(value: Value): Description {
  const { name, count, dimensions, middle } = value as Readonly<Record<string, Value>>;
  const isKnown =
    typeof name === "string" &&
    typeof count === "number" &&
    (dimensions === 2 || dimensions === 3) &&
    Array.isArray(middle) &&
    middle.length === 3 &&
    middle.every((x) => typeof x === "number");
  if (!isKnown) throw badMessage("invalid points");
  return { name, count, dimensions, middle: middle as readonly number[] };
}
