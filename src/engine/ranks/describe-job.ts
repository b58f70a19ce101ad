import type { Summary } from "../../algorithms/statistics/statistics.ts";
import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import type { Statistics } from "../../core/statistics.ts";
import { valuesBetween } from "./block-values.ts";
import type { DataDescription } from "./data-description.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { takeTurn } from "./job-turn.ts";
import type { RankEngine } from "./rank-engine.ts";
import { openRankedData } from "./ranked-data.ts";
import { withoutMargin } from "./ranked-evaluation.ts";
import { joinedStatistics, partSummary } from "./ranked-values.ts";
import { Stopwatch } from "./stopwatch.ts";

export interface DescribeRequest {
  readonly [name: string]: Value;
  readonly source: DataSource;
}

/** All that is known of data without their values. */
export interface DescribedData extends DataDescription {
  /** Of each field, in the order of `fields`; of the magnitude where a field has several components. */
  readonly statistics: readonly Statistics[];
}

/** The grid and the fields of data, with the statistics of each, which all ranks take. */
export const describeJob: Job<DescribeRequest, DescribedData | undefined, RankEngine> = {
  name: "describe",

  parse(value) {
    const { source } = (value ?? {}) as Readonly<Record<string, Value>>;
    return { source: parseDataSource(source) };
  },

  run(call, { source }) {
    const { communicator, engine } = call;
    const title = "Describe data on ranks";
    return takeTurn(call, title, async (job) => {
      const data = await openRankedData(communicator, engine, source, job, new Stopwatch(title));
      const { name, grid, fields } = data;
      // One field at a time is in a rank's memory.
      const summaries: Summary[] = [];
      for (const each of fields) {
        const { nodes, dataSet } = await data.block([each.name], 0);
        const part = { field: dataSet.fields[0], box: valuesBetween(nodes, each.centering) };
        summaries.push(await partSummary(withoutMargin(data, part)));
        job.progress(summaries.length / fields.length, `Taking statistics of ${each.name}`);
      }
      const statistics = await joinedStatistics(communicator, summaries);
      return communicator.rank === 0 ? { name, grid, fields, statistics } : undefined;
    });
  },
};
