import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import type { JobContext } from "../../core/job.ts";
import type { ComputeSummary } from "../api.ts";
import { askedTeam } from "../ranks/asked-team.ts";
import { keepResults, resultsOnRanks } from "../ranks/compute-on-ranks.ts";
import { dataElsewhere } from "../ranks/data-elsewhere.ts";
import type { DataSource } from "../ranks/data-source.ts";
import { describeJob } from "../ranks/describe-job.ts";
import { describedText } from "../ranks/described-text.ts";
import { drawJob } from "../ranks/draw-job.ts";
import { probeJob } from "../ranks/probe-job.ts";
import type { RankEngine } from "../ranks/rank-engine.ts";
import type { RankReport } from "../ranks/rank-report.ts";
import { statisticsJob } from "../ranks/statistics-job.ts";
import type { RankTeam } from "../ranks/team.ts";
import type { Session } from "../session.ts";

/** Runs a job on all ranks; resolves to rank 0's result. Rejects with what its parts throw. */
export type RunOnRanks = <P extends Value, R>(
  job: Job<P, R | undefined, RankEngine>,
  request: P,
  context: JobContext,
) => Promise<R>;

/** What each rank did in one of a view's jobs. */
export type ViewReports = readonly (RankReport & { readonly triangles?: number })[];

/** The ranks that have a session's values, and compute and draw its view. */
export interface ViewRanks {
  readonly team: RankTeam;
  /** Of the jobs so far. */
  readonly reports: readonly ViewReports[];
  /** Keeps the results of a text in the session, as `Session.compute` does. */
  compute(text: string, job: JobContext): Promise<ComputeSummary>;
}

/** Shows ranks' data in a session, which has no values of it. Throws what ranks throw that describe the data. */
export async function openOnRanks(
  session: Session,
  source: DataSource,
  run: RunOnRanks,
  job: JobContext,
): Promise<ViewRanks> {
  const describe = (wanted: DataSource, context: JobContext) => run(describeJob, { source: wanted }, context);
  await session.setData(await dataElsewhere(session, { describe }, source, job));
  const reports: ViewReports[] = [];
  const described = (text: string) => describedText(session, source, null, text);
  const drawing = { isUsed: true, tints: false, method: "ranks", blocks: null } as const;
  const team = askedTeam({ described }, drawing, async () => ({
    async draw(request) {
      const drawn = await run(drawJob, request, job);
      if (drawn.made) reports.push(drawn.made.ranks);
      return drawn;
    },
    probe: (request) => run(probeJob, request, job),
  }));
  return {
    team,
    reports,
    async compute(text, context) {
      const found = await resultsOnRanks(session, text, described(text), async ({ results, ...asked }) => {
        const made = await run(statisticsJob, { ...asked, wanted: results }, context);
        reports.push(made.ranks);
        return made;
      });
      return keepResults(session, found, { strategy: "auto" });
    },
  };
}
