import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { RankTrace } from "../../core/rank-trace.ts";
import type { WantedBlocks } from "../../core/wanted-blocks.ts";
import { parseBlocks } from "./blocks.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { divisionFor } from "./division.ts";
import { takeTurn } from "./job-turn.ts";
import type { RankEngine } from "./rank-engine.ts";
import type { RankReport } from "./rank-report.ts";
import { gatherReports, gridWork } from "./rank-reports.ts";
import { openRankedData, type RankedData } from "./ranked-data.ts";
import { type RankedResult, rankedResults } from "./ranked-results.ts";
import { recordedRun } from "./recorded-run.ts";

export interface StatisticsRequest {
  readonly [name: string]: Value;
  readonly source: DataSource;
  /** Statements; those of derived fields that the last ones read come first. */
  readonly text: string;
  /** The statements to report; the text's results, on which no later statement builds, where it is null. */
  readonly wanted: readonly string[] | null;
  readonly blocks: WantedBlocks;
}

export interface RankedStatistics {
  /** In the order of the text, or of what was wanted. */
  readonly results: readonly RankedResult[];
  readonly origin: RankedData["origin"];
  readonly ranks: readonly RankReport[];
  readonly trace: RankTrace;
  readonly notes: readonly string[];
}

const maxTextLength = 2 ** 20;

/** The statistics of a text's results, or the numbers that they are, computed by all ranks. */
export const statisticsJob: Job<StatisticsRequest, RankedStatistics | undefined, RankEngine> = {
  name: "statistics",

  parse(value) {
    const { source, text, wanted, blocks } = (value ?? {}) as Readonly<Record<string, Value>>;
    if (typeof text !== "string" || text.length > maxTextLength) throw badMessage("statistics of no text");
    return {
      source: parseDataSource(source),
      text,
      wanted: parseWanted(wanted),
      blocks: parseBlocks(blocks),
    };
  },

  run(call, { source, text, wanted, blocks }) {
    const title = "Compute on ranks";
    return takeTurn(call, title, async (job) => {
      const { communicator, engine, watch } = recordedRun(call, job, title);
      const division = divisionFor(blocks, [text], 0);
      const data = await openRankedData(communicator, engine, source, job, watch, division);
      const run = { communicator, engine, data, job, watch };
      const { results, notes } = await rankedResults(run, text, wanted);
      const reports = await gatherReports(run, gridWork(run));
      return reports && { results, origin: data.origin, ...reports, notes };
    });
  },
};

/** Throws BadMessage. */
function parseWanted(value: Value | undefined): readonly string[] | null {
  if (value === null) return null;
  if (!Array.isArray(value) || !value.every((name): name is string => typeof name === "string"))
    throw badMessage("statistics of no statements");
  return value;
}
