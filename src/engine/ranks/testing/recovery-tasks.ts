import type { Value } from "../../../cluster/communicator/communicator.ts";
import type { Job } from "../../../cluster/jobs/service.ts";
import type { JobEvents } from "../../../cluster/session.ts";
import type { DataSet } from "../../../core/field.ts";
import { noJob } from "../../../core/job.ts";
import { emptyMesh } from "../../../core/mesh.ts";
import type { PointSet } from "../../../core/point-set.ts";
import { trianglesOf } from "../../../core/testing/triangles-of.ts";
import { fieldJob } from "../field-job.ts";
import { type LatticeRequest, latticeJob } from "../lattice-job.ts";
import { neighborsJob, neighborsRequest } from "../neighbors-job.ts";
import type { RankEngine } from "../rank-engine.ts";
import type { RankedResult } from "../ranked-results.ts";
import { statisticsJob } from "../statistics-job.ts";
import { surfaceJob } from "../surface-job.ts";
import { engineWith, onRanks, testSource } from "./on-ranks.ts";
import { requestOf, type Wanted } from "./ranked-surfaces.ts";
import { SimulatedRoom } from "./simulated-room.ts";

/** A job on some data, and what of its result is the same on any number of ranks. */
export interface Task {
  readonly name: string;
  readonly data: DataSet | PointSet;
  /** What one rank answers, without a room. */
  alone(): Promise<Answer>;
  run(room: SimulatedRoom, node: number, events?: JobEvents): Promise<Answer>;
}

/** Equal on any number of ranks, and means, which are as far as sums in another order are. */
export interface Answer {
  readonly exact: unknown;
  readonly means: readonly number[];
  /** The ranks that have made it. */
  readonly ranks: number;
}

function task<P extends Value, R extends { readonly ranks: readonly unknown[] }>(
  name: string,
  data: Task["data"],
  job: Job<P, R | undefined, RankEngine>,
  request: P,
  answer: (result: R) => Omit<Answer, "ranks">,
): Task {
  const answerOf = (result: R | undefined): Answer => {
    if (!result) throw new Error("The host has no result.");
    return { ...answer(result), ranks: result.ranks.length };
  };
  return {
    name,
    data,
    async alone() {
      const engine = engineWith(data, 0);
      const [result] = await onRanks(1, (communicator) =>
        job.run({ communicator, engine, context: noJob }, request),
      );
      await engine.kept.clear();
      return answerOf(result);
    },
    run: async (room, node, events) => answerOf(await room.run(node, job, request, events)),
  };
}

export const statisticsTask = (data: DataSet, text: string): Task =>
  task(
    "statistics",
    data,
    statisticsJob,
    { source: testSource, text, wanted: null, blocks: null },
    ({ results }) => answerOf(results),
  );

/** It reads no data: `data` are what the ranks have at hand. */
export const latticeTask = (data: DataSet, request: LatticeRequest): Task =>
  task("lattice", data, latticeJob, request, ({ measures, series, fields }) => ({
    exact: [measures, series, fields],
    means: [],
  }));

export const fieldTask = (data: DataSet, text: string): Task =>
  task(
    "field",
    data,
    fieldJob,
    { source: testSource, text, wanted: null, blocks: null, index: null, holdsOne: false },
    ({ results, whole }) => {
      const { exact, means } = answerOf(results);
      return { exact: [exact, whole?.fields.map(({ data }) => data)], means };
    },
  );

export const surfaceTask = (data: DataSet, wanted: Wanted): Task =>
  task(
    `${wanted.form ?? "manual"} ${wanted.shape.kind}`,
    data,
    surfaceJob,
    requestOf(wanted),
    ({ mesh }) => ({ exact: trianglesOf(mesh ?? emptyMesh), means: [] }),
  );

export const neighborsTask = (
  data: PointSet,
  wanted: { readonly k?: number; readonly radius?: number },
): Task =>
  task("neighbours", data, neighborsJob, neighborsRequest(testSource, wanted), (found) => {
    const { points, starts, ids, distances, densities } = found;
    return { exact: { points, starts, ids, distances, densities }, means: [] };
  });

function answerOf(results: readonly RankedResult[]): Omit<Answer, "ranks"> {
  const means: number[] = [];
  const exact = results.map(({ name, value }) => {
    if (value.kind !== "field") return { name, value };
    const { mean, ...statistics } = value.statistics;
    means.push(mean);
    return { name, value: { ...value, statistics } };
  });
  return { exact, means };
}

/** A room for a task, with the task's data on all nodes, or on the host alone. */
export const roomFor = (
  { data }: Pick<Task, "data">,
  size: number,
  seed: number,
  readers: "all" | "host" = "all",
): Promise<SimulatedRoom> =>
  SimulatedRoom.open(size, { seed, engineOf: (node) => engineWith(data, node, readers) });
