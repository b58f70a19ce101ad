import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { isEmptyBox } from "../../core/box-values.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { Field } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import { subgrid } from "../../core/subgrid.ts";
import { valuesAround } from "./block-values.ts";
import { divisionFor } from "./division.ts";
import { gatherField } from "./gather-field.ts";
import { takeTurn } from "./job-turn.ts";
import { parseIndex, sourceOf, writePieces } from "./pieces.ts";
import type { RankEngine } from "./rank-engine.ts";
import { gatherReports, gridWork } from "./rank-reports.ts";
import { openRankedData } from "./ranked-data.ts";
import type { RankedRun } from "./ranked-evaluation.ts";
import { rankedStatement } from "./ranked-statement.ts";
import type { OwnPart } from "./ranked-values.ts";
import { recordedRun } from "./recorded-run.ts";
import { type RankedStatistics, type StatisticsRequest, statisticsJob } from "./statistics-job.ts";

export interface FieldJobRequest extends StatisticsRequest {
  /** The path of the index (.pvti or .pvtr) of pieces that the ranks write; null to gather the field. */
  readonly index: string | null;
}

export interface RankedField extends RankedStatistics {
  /** The field on the whole grid; undefined where it has been written in pieces. */
  readonly whole: { readonly grid: Grid; readonly field: Field } | undefined;
}

const indexFormats = ["pvti", "pvtr"] as const;

/** The values of an expression, computed by all ranks and gathered on rank 0, or written in pieces by each of them. */
export const fieldJob: Job<FieldJobRequest, RankedField | undefined, RankEngine> = {
  name: "field",

  parse(value) {
    const { index } = (value ?? {}) as Readonly<Record<string, Value>>;
    if (index !== null) parseIndex(index, indexFormats);
    return { ...statisticsJob.parse(value), index: index as string | null };
  },

  run(call, { source, text, wanted, blocks, index }) {
    const title = "Compute a field on ranks";
    return takeTurn(call, title, async (job) => {
      const { communicator, engine, watch } = recordedRun(call, job, title);
      const division = divisionFor(blocks, [text], 0);
      const data = await openRankedData(communicator, engine, source, job, watch, division);
      const run = { communicator, engine, data, job, watch };
      const { name, result, part, notes } = await rankedStatement(run, text, wanted);
      if (!part) throw notAField(name);
      const field = index === null ? await gatherField(run, name, part) : undefined;
      if (index !== null) await writeField(run, name, part, index);
      const reports = await gatherReports(run, gridWork(run));
      const whole = field && { grid: data.grid, field };
      return reports && { name, result, whole, origin: data.origin, ...reports, notes };
    });
  },
};

/** Each rank's cells, and the nodes at their corners, those on its borders included. */
async function writeField(run: RankedRun, name: string, { field }: OwnPart, index: string): Promise<void> {
  const { data, job } = run;
  const { grid, cells, shares } = data;
  const { extension } = parseIndex(index, indexFormats);
  const { writeVti, writeVtr } = await import("../../data/write/vtk-xml.ts");
  const { writeGridIndex } = await import("../../data/write/vtk-pieces.ts");
  const write = extension === "pvti" ? writeVti : writeVtr;
  const named = { ...field, name };
  const part = () => subgrid(grid, valuesAround(grid, cells, 0));
  const piece = isEmptyBox(cells)
    ? undefined
    : await write({ name, grid: part(), fields: [named], notes: [] }, job);
  await writePieces(run, index, piece, () =>
    writeGridIndex(
      extension,
      grid,
      named,
      shares.flatMap((share, rank) =>
        isEmptyBox(share) ? [] : [{ source: sourceOf(index, rank), nodes: valuesAround(grid, share, 0) }],
      ),
    ),
  );
}

const notAField = (name: string) =>
  new CrinkleError({
    tag: "BadArgument",
    problem: `“${name}” is no field that a file could hold: it has no value for each node or cell.`,
    remedy: "Leave the file out: its numbers are printed.",
  });
