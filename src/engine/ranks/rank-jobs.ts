import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { describeJob } from "./describe-job.ts";
import { drawJob } from "./draw-job.ts";
import { fieldJob } from "./field-job.ts";
import { gatherJob } from "./gather-job.ts";
import { groupJob } from "./group-job.ts";
import { latticeJob } from "./lattice-job.ts";
import { neighborsJob } from "./neighbors-job.ts";
import { probeJob } from "./probe-job.ts";
import type { RankEngine } from "./rank-engine.ts";
import { statisticsJob } from "./statistics-job.ts";
import { surfaceJob } from "./surface-job.ts";
import { surfacePiecesJob } from "./surface-pieces-job.ts";
import { transformJob } from "./transform-job.ts";
import { varyJob } from "./vary-job.ts";

/** The jobs of the engine that every rank can run. */
export const rankJobs: readonly Job<Value, unknown, RankEngine>[] = [
  statisticsJob,
  fieldJob,
  surfaceJob,
  drawJob,
  surfacePiecesJob,
  neighborsJob,
  describeJob,
  probeJob,
  gatherJob,
  transformJob,
  latticeJob,
  varyJob,
  groupJob(),
];
