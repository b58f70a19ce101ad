/** Data whose values ranks alone have, those of a group beside the room or the room's own: what the page does with them asks these. */
import { arrayOf } from "../../core/dtype.ts";
import type { DataSet } from "../../core/field.ts";
import type { JobContext } from "../../core/job.ts";
import { LoadedData } from "../loaded-data.ts";
import type { Session } from "../session.ts";
import type { DataSource } from "./data-source.ts";
import type { PageRanks } from "./page-ranks.ts";

/** What ranks have, as data of the session: the grid, the fields without their values, and their statistics. */
export async function dataElsewhere(
  session: Session,
  ranks: Pick<PageRanks, "describe">,
  source: DataSource,
  job: JobContext,
): Promise<LoadedData> {
  const { name, grid, fields, statistics } = await ranks.describe(source, job);
  const dataSet: DataSet = {
    name,
    grid,
    fields: fields.map((field) => ({ ...field, data: new (arrayOf(field.dtype))(0) })),
    notes: [],
  };
  const known = new Map(fields.map((field, k) => [field.name, statistics[k]]));
  return new LoadedData(dataSet, session.device.gpu, known);
}
