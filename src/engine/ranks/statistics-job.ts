import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { takeTurn } from "./job-turn.ts";
import type { RankEngine } from "./rank-engine.ts";
import { gatherReports, type RankReport } from "./rank-reports.ts";
import { openRankedData, type RankedData } from "./ranked-data.ts";
import { type RankedResult, rankedStatement } from "./ranked-statement.ts";
import { Stopwatch } from "./stopwatch.ts";

export interface StatisticsRequest {
  readonly [name: string]: Value;
  readonly source: DataSource;
  /** Statements; those of derived fields that the last ones read come first. */
  readonly text: string;
  /** The statement to report; the last one where it is null. */
  readonly wanted: string | null;
}

export interface RankedStatistics {
  readonly name: string;
  readonly result: RankedResult;
  readonly origin: RankedData["origin"];
  readonly ranks: readonly RankReport[];
  readonly notes: readonly string[];
}

const maxTextLength = 2 ** 20;

/** The statistics of an expression's value, or the number that it is, computed by all ranks. */
export const statisticsJob: Job<StatisticsRequest, RankedStatistics | undefined, RankEngine> = {
  name: "statistics",

  parse(value) {
    const { source, text, wanted } = (value ?? {}) as Readonly<Record<string, Value>>;
    if (typeof text !== "string" || text.length > maxTextLength) throw badMessage("statistics of no text");
    if (wanted !== null && typeof wanted !== "string") throw badMessage("statistics of no statement");
    return { source: parseDataSource(source), text, wanted };
  },

  run(call, { source, text, wanted }) {
    const { communicator, engine } = call;
    return takeTurn(call, "Compute on ranks", async (job) => {
      const watch = new Stopwatch();
      const data = await openRankedData(communicator, engine, source, job, watch);
      const run = { communicator, engine, data, job, watch };
      const { name, result, notes } = await rankedStatement(run, text, wanted);
      const ranks = await gatherReports(run, {});
      return ranks && { name, result, origin: data.origin, ranks, notes };
    });
  },
};
