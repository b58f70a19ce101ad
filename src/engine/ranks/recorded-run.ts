import type { JobCall } from "../../cluster/jobs/service.ts";
import type { JobContext } from "../../core/job.ts";
import type { RankEngine } from "./rank-engine.ts";
import { RecordedCommunicator } from "./recorded-communicator.ts";
import { Stopwatch } from "./stopwatch.ts";

/** What a rank's part of a job works with from its turn on: whatever it does is recorded. */
export interface RecordedRun {
  readonly communicator: RecordedCommunicator;
  readonly engine: RankEngine;
  readonly job: JobContext;
  readonly watch: Stopwatch;
}

/** `title` names what the part does between its calls. */
export function recordedRun(
  { communicator, engine }: JobCall<RankEngine>,
  job: JobContext,
  title: string,
): RecordedRun {
  const watch = new Stopwatch(title);
  return { communicator: new RecordedCommunicator(communicator, watch), engine, job, watch };
}
