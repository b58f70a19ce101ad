import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { Field } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import { divisionFor } from "./division.ts";
import { fieldIndexFormats, writeFieldPieces } from "./field-pieces.ts";
import { gatherField } from "./gather-field.ts";
import { takeTurn } from "./job-turn.ts";
import { parseIndex } from "./pieces.ts";
import type { RankEngine } from "./rank-engine.ts";
import { gatherReports, gridWork } from "./rank-reports.ts";
import { openRankedData } from "./ranked-data.ts";
import type { RankedRun } from "./ranked-evaluation.ts";
import { rankedResults } from "./ranked-results.ts";
import type { OwnPart } from "./ranked-values.ts";
import { recordedRun } from "./recorded-run.ts";
import { type RankedStatistics, type StatisticsRequest, statisticsJob } from "./statistics-job.ts";

export interface FieldJobRequest extends StatisticsRequest {
  /** The path of the index (.pvti or .pvtr) of pieces that the ranks write; null to gather the fields. */
  readonly index: string | null;
  /** The file that they are for holds one field. */
  readonly holdsOne: boolean;
}

export interface RankedFields extends RankedStatistics {
  /** The results that are fields, on the whole grid; undefined where they have been written in pieces. */
  readonly whole: { readonly grid: Grid; readonly fields: readonly Field[] } | undefined;
}

/** The values of a text's results, computed by all ranks and gathered on rank 0, or written in pieces by each of them. */
export const fieldJob: Job<FieldJobRequest, RankedFields | undefined, RankEngine> = {
  name: "field",

  parse(value) {
    const { index, holdsOne } = (value ?? {}) as Readonly<Record<string, Value>>;
    if (index !== null) parseIndex(index, fieldIndexFormats);
    if (typeof holdsOne !== "boolean") throw badMessage("fields for no file");
    return { ...statisticsJob.parse(value), index: index as string | null, holdsOne };
  },

  run(call, { source, text, wanted, blocks, index, holdsOne }) {
    const title = "Compute fields on ranks";
    return takeTurn(call, title, async (job) => {
      const { communicator, engine, watch } = recordedRun(call, job, title);
      const division = divisionFor(blocks, [text], 0);
      const data = await openRankedData(communicator, engine, source, job, watch, division);
      const run = { communicator, engine, data, job, watch };
      const { results, parts, notes } = await rankedResults(run, text, wanted, (fields, numbers) => {
        if (fields.length === 0) throw noFields(numbers);
        if (holdsOne && fields.length > 1) throw severalFields(fields);
      });
      const whole = index === null ? { grid: data.grid, fields: await gathered(run, parts) } : undefined;
      if (index !== null) {
        const fields = parts.map(({ field }) => field);
        await writeFieldPieces(run, index, data, fields);
      }
      const reports = await gatherReports(run, gridWork(run));
      return reports && { results, whole, origin: data.origin, ...reports, notes };
    });
  },
};

/** All fields on rank 0, none on the others. */
async function gathered(run: RankedRun, parts: readonly OwnPart[]): Promise<readonly Field[]> {
  const fields: Field[] = [];
  for (const part of parts) {
    const field = await gatherField(run, part);
    if (field) fields.push(field);
  }
  return fields;
}

const quoted = (names: readonly string[]) => names.map((name) => `“${name}”`).join(", ");

const noFields = (names: readonly string[]) =>
  new CrinkleError({
    tag: "BadArgument",
    problem:
      names.length === 1
        ? `${quoted(names)} is no field that a file could hold: it has no value for each node or cell.`
        : `${quoted(names)} are no fields that a file could hold: they have no value for each node or cell.`,
    remedy: "Leave the file out: the numbers are printed.",
  });

const severalFields = (names: readonly string[]) =>
  new CrinkleError({
    tag: "BadArgument",
    problem: `The fields ${quoted(names)} cannot be written to one .npy file, which holds a single field.`,
    remedy: "Name one of them (--field), or write a file of VTK's, such as .vti.",
  });
