import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { RankTrace } from "../../core/rank-trace.ts";
import { parseBlocks, type WantedBlocks } from "./blocks.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { divisionFor } from "./division.ts";
import { takeTurn } from "./job-turn.ts";
import type { RankEngine } from "./rank-engine.ts";
import { gatherReports, gridWork, type RankReport } from "./rank-reports.ts";
import { openRankedData, type RankedData } from "./ranked-data.ts";
import { type RankedResult, rankedStatement } from "./ranked-statement.ts";
import { recordedRun } from "./recorded-run.ts";

export interface StatisticsRequest {
  readonly [name: string]: Value;
  readonly source: DataSource;
  /** Statements; those of derived fields that the last ones read come first. */
  readonly text: string;
  /** The statement to report; the last one where it is null. */
  readonly wanted: string | null;
  readonly blocks: WantedBlocks;
}

export interface RankedStatistics {
  readonly name: string;
  readonly result: RankedResult;
  readonly origin: RankedData["origin"];
  readonly ranks: readonly RankReport[];
  readonly trace: RankTrace;
  readonly notes: readonly string[];
}

const maxTextLength = 2 ** 20;

/** The statistics of an expression's value, or the number that it is, computed by all ranks. */
export const statisticsJob: Job<StatisticsRequest, RankedStatistics | undefined, RankEngine> = {
  name: "statistics",

  parse(value) {
    const { source, text, wanted, blocks } = (value ?? {}) as Readonly<Record<string, Value>>;
    if (typeof text !== "string" || text.length > maxTextLength) throw badMessage("statistics of no text");
    if (wanted !== null && typeof wanted !== "string") throw badMessage("statistics of no statement");
    return { source: parseDataSource(source), text, wanted, blocks: parseBlocks(blocks) };
  },

  run(call, { source, text, wanted, blocks }) {
    const title = "Compute on ranks";
    return takeTurn(call, title, async (job) => {
      const { communicator, engine, watch } = recordedRun(call, job, title);
      const division = divisionFor(blocks, [text], 0);
      const data = await openRankedData(communicator, engine, source, job, watch, division);
      const run = { communicator, engine, data, job, watch };
      const { name, result, notes } = await rankedStatement(run, text, wanted);
      const reports = await gatherReports(run, gridWork(run));
      return reports && { name, result, origin: data.origin, ...reports, notes };
    });
  },
};
