import type { JobOnDemand } from "../../cluster/jobs/service.ts";
import type { RankEngine } from "./rank-engine.ts";

/** The jobs of the engine that every rank can run. */
export const rankJobs: readonly JobOnDemand<RankEngine>[] = [
  { name: "statistics", load: async () => (await import("./statistics-job.ts")).statisticsJob },
  { name: "field", load: async () => (await import("./field-job.ts")).fieldJob },
  { name: "surface", load: async () => (await import("./surface-job.ts")).surfaceJob },
  { name: "draw", load: async () => (await import("./draw-job.ts")).drawJob },
  { name: "surface in pieces", load: async () => (await import("./surface-pieces-job.ts")).surfacePiecesJob },
  { name: "neighbors", load: async () => (await import("./neighbors-job.ts")).neighborsJob },
  { name: "describe", load: async () => (await import("./describe-job.ts")).describeJob },
  { name: "probe", load: async () => (await import("./probe-job.ts")).probeJob },
  { name: "gather", load: async () => (await import("./gather-job.ts")).gatherJob },
  { name: "transform", load: async () => (await import("./transform-job.ts")).transformJob },
  {
    name: "transform an array",
    load: async () => (await import("./transform-array-job.ts")).transformArrayJob,
  },
  { name: "lattice", load: async () => (await import("./lattice-job.ts")).latticeJob },
  { name: "vary", load: async () => (await import("./vary-job.ts")).varyJob },
  { name: "group", load: async () => (await import("./group-job.ts")).groupJob() },
];
