import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { Field } from "../../core/field.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { gatherField } from "./gather-field.ts";
import { takeTurn } from "./job-turn.ts";
import { type NamedFields, namedParts, parseNamed } from "./named-parts.ts";
import type { RankEngine } from "./rank-engine.ts";
import { openRankedData } from "./ranked-data.ts";
import { recordedRun } from "./recorded-run.ts";

/** One field is named. */
export interface GatherRequest extends NamedFields {
  readonly [name: string]: Value;
  readonly source: DataSource;
}

/** The values of a derived field, or of one of the data as it is stored, gathered on rank 0. */
export const gatherJob: Job<GatherRequest, Field | undefined, RankEngine> = {
  name: "gather",

  parse(value) {
    const { source } = (value ?? {}) as Readonly<Record<string, Value>>;
    const named = parseNamed(value);
    if (named.names.length !== 1) throw badMessage("gathering of no single field");
    return { source: parseDataSource(source), ...named };
  },

  run(call, request) {
    const title = "Gather a field from ranks";
    return takeTurn(call, title, async (job) => {
      const { communicator, engine, watch } = recordedRun(call, job, title);
      const data = await openRankedData(communicator, engine, request.source, job, watch);
      const run = { communicator, engine, data, job, watch };
      const [part] = await namedParts(run, data, request);
      return gatherField(run, part);
    });
  },
};
