import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { Centering } from "../../core/grid.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { Statistics } from "../../core/statistics.ts";
import { compileOnDemand } from "../../lang/expression/compile-on-demand.ts";
import { chooseStatement } from "../evaluate.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { takeTurn } from "./job-turn.ts";
import type { RankEngine } from "./rank-engine.ts";
import { openRankedData, type RankedData } from "./ranked-data.ts";
import { evaluateOnRanks } from "./ranked-evaluation.ts";
import { rankedStatistics } from "./ranked-values.ts";
import { type RankTimes, Stopwatch } from "./stopwatch.ts";

export interface StatisticsRequest {
  readonly [name: string]: Value;
  readonly source: DataSource;
  /** Statements; those of derived fields that the last ones read come first. */
  readonly text: string;
  /** The statement to report; the last one where it is null. */
  readonly wanted: string | null;
}

/** What one rank did for a result. */
export interface RankReport {
  readonly rank: number;
  /** "NVIDIA H200", or "CPU". */
  readonly device: string;
  /** Its layers of cells along z, from the first to the one behind the last. */
  readonly layers: readonly [first: number, end: number];
  readonly ms: RankTimes;
}

export interface RankedStatistics {
  readonly name: string;
  /** Of the magnitude if there are several components. */
  readonly result:
    | {
        readonly kind: "field";
        readonly components: number;
        readonly centering: Centering;
        readonly statistics: Statistics;
      }
    | { readonly kind: "quantity"; readonly quantity: Quantity };
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
      const network = await compileOnDemand(text, data.fields);
      const { output, name } = chooseStatement(network, wanted ?? undefined);
      const run = { communicator, engine, data, job, watch };
      const { fields, quantities } = await evaluateOnRanks(run, network, [output]);
      const part = fields.get(output);
      const statistics =
        part && (await watch.time("communicate", () => rankedStatistics(communicator, part)));
      const { summary } = await engine.device();
      const { layers } = data;
      const report = {
        device: summary.description,
        layers: [layers.first, layers.end],
        ms: { ...watch.times },
      };
      const reports = await communicator.gather<Value>(report);
      if (!reports) return undefined;
      const result: RankedStatistics["result"] =
        part && statistics
          ? {
              kind: "field",
              components: part.field.components,
              centering: part.field.centering,
              statistics,
            }
          : { kind: "quantity", quantity: quantities.get(output) as Quantity };
      const ranks = reports.map((each, rank): RankReport => ({ ...(each as unknown as RankReport), rank }));
      return { name, result, origin: data.origin, ranks, notes: network.notes };
    });
  },
};
