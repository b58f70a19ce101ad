import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { emptyBox, isEmptyBox } from "../../core/box-values.ts";
import { arrayOf, type TypedArray } from "../../core/dtype.ts";
import type { Field } from "../../core/field.ts";
import { type Grid, valueDims } from "../../core/grid.ts";
import type { IndexMap } from "../../core/hypercube/index-map.ts";
import { mapOf } from "../../core/hypercube/operations.ts";
import { parseTransform } from "../../core/hypercube/parse-transform.ts";
import { gridOfResult } from "../../core/hypercube/result-grid.ts";
import type { WantedBlocks } from "../../core/wanted-blocks.ts";
import { rearrangedOnRanks } from "../../distributed/rearranged.ts";
import { fieldsToTransform } from "../fields-to-transform.ts";
import { ownValues, valuesAround, valuesBetween } from "./block-values.ts";
import { cellsOfBlocks, chooseBlocks, parseBlocks } from "./blocks.ts";
import { type DataSource, parseDataSource } from "./data-source.ts";
import { fieldIndexFormats, writeFieldPieces } from "./field-pieces.ts";
import { gatherRearranged } from "./gather-rearranged.ts";
import { takeTurn } from "./job-turn.ts";
import { parseIndex } from "./pieces.ts";
import type { RankEngine } from "./rank-engine.ts";
import { gatherReports, gridWork } from "./rank-reports.ts";
import { openRankedData, type RankedData } from "./ranked-data.ts";
import { storedPart } from "./ranked-evaluation.ts";
import { type RecordedRun, recordedRun } from "./recorded-run.ts";
import type { RankedStatistics } from "./statistics-job.ts";

export interface TransformRequest {
  readonly [name: string]: Value;
  readonly source: DataSource;
  /** A layout transform, as `parseTransform` reads it. */
  readonly text: string;
  /** The field that is wanted; all where it is null. */
  readonly field: string | null;
  readonly blocks: WantedBlocks;
  /** The path of the index (.pvti or .pvtr) of pieces that the ranks write; null to gather the result. */
  readonly index: string | null;
  /** The file that it is for holds one array. */
  readonly holdsOne: boolean;
}

/** What ranks have made of fields by a transform. */
export interface RankedTransform extends Pick<RankedStatistics, "origin" | "ranks" | "trace"> {
  /** The source's grid. */
  readonly grid: Grid;
  readonly map: IndexMap;
  /** The fields as they were, with what has become of their values: none where ranks have written these. */
  readonly fields: readonly Field[];
}

const maxTextLength = 2 ** 16;

/** Rearranges the values of fields by a layout transform: ranks send each other what changes ranks alone. */
export const transformJob: Job<TransformRequest, RankedTransform | undefined, RankEngine> = {
  name: "transform",

  parse(value) {
    const { source, text, field, blocks, index, holdsOne } = (value ?? {}) as Readonly<Record<string, Value>>;
    if (typeof text !== "string" || text.length > maxTextLength)
      throw badMessage("a transform without a text");
    if (field !== null && typeof field !== "string") throw badMessage("a transform of no field");
    if (typeof holdsOne !== "boolean") throw badMessage("a transform for no file");
    if (index !== null) parseIndex(index, fieldIndexFormats);
    return {
      source: parseDataSource(source),
      text,
      field,
      blocks: parseBlocks(blocks),
      index: index as string | null,
      holdsOne,
    };
  },

  run(call, { source, text, field: wanted, blocks, index, holdsOne }) {
    const title = "Transform on ranks";
    return takeTurn(call, title, async (job) => {
      const { communicator, engine, watch } = recordedRun(call, job, title);
      const data = await openRankedData(communicator, engine, source, job, watch, { blocks });
      const run = { communicator, engine, data, job, watch };
      const { grid } = data;
      const described = fieldsToTransform(data.fields, wanted, holdsOne);
      const [{ centering }] = described;
      const map = mapOf(valueDims(grid, centering), parseTransform(text));
      const result = index === null ? undefined : dividedResult(run, gridOfResult(grid, centering, map));
      const fields: Field[] = [];
      for (const { name, components, dtype } of described) {
        const own = await storedPart(run, name, undefined);
        const values: TypedArray = own.field.data.length > 0 ? own.field.data : new (arrayOf(dtype))(0);
        const sources = data.shares.map((cells) => ownValues(grid, cells, centering));
        const made = result
          ? await rearrangedOnRanks(
              communicator,
              map,
              {
                sources,
                targets: result.shares.map((cells) => valuesOfShare(result.grid, cells, centering)),
              },
              values,
              components,
            )
          : await gatherRearranged(run, map, sources, values, components);
        fields.push({ name, centering, components, dtype, data: made as Field["data"] });
      }
      if (result && index !== null) await writeFieldPieces(run, index, result, fields);
      const reports = await gatherReports(run, gridWork(run));
      return reports && { grid, map, fields, origin: data.origin, ...reports };
    });
  },
};

/** The result's grid with the cells that each rank has of it. */
export function dividedResult(
  { communicator }: RecordedRun,
  grid: Grid,
): Pick<RankedData, "grid" | "shares"> {
  return { grid, shares: cellsOfBlocks(grid, chooseBlocks(grid, communicator.size, 0)) };
}

export const valuesOfShare = (grid: Grid, cells: RankedData["cells"], centering: Field["centering"]) =>
  isEmptyBox(cells) ? emptyBox : valuesBetween(valuesAround(grid, cells, 0), centering);
