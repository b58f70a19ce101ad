import type { JobContext } from "../../core/job.ts";
import type { PointSet } from "../../core/point-set.ts";
import { ByteCursor } from "../bytes/cursor.ts";
import { Yielder } from "../bytes/yielder.ts";
import { badFile } from "../failure.ts";
import { PointSetBuilder } from "../points.ts";
import type { Source } from "../source.ts";
import { GrowingRows } from "./columns.ts";
import { RowParser } from "./rows.ts";
import { describeTable } from "./table.ts";

const headBytes = 1 << 18;
const longestRow = 1 << 20;

/**
 * Reads points from text: one a line, its numbers separated by commas, semicolons, tabs or spaces, with or without a
 * line of names. Missing values are NaN; points without finite coordinates are left out with a note.
 */
export async function readCsv(source: Source, job: JobContext): Promise<PointSet> {
  const cursor = new ByteCursor(source, new Yielder(job, `Reading ${source.name}`));
  await cursor.ensure(headBytes);
  const table = describeTable(
    source.name,
    cursor.window.subarray(0, headBytes),
    cursor.window.length <= headBytes && cursor.windowIsLast,
  );
  const { names, others } = table;
  const builder = new PointSetBuilder(source.name);
  for (const note of table.notes) builder.note(note);

  const row = new Float64Array(3 + others.length);
  const positions = new GrowingRows(3, "the points");
  const columns = others.map((column) => new GrowingRows(1, `the column “${names[column]}”`));
  const parser = new RowParser(cursor, table, row);
  cursor.at = table.from;
  cursor.line = table.line;
  let leftOut = 0;
  for (;;) {
    while (parser.next()) {
      if (!(Number.isFinite(row[0]) && Number.isFinite(row[1]) && Number.isFinite(row[2]))) leftOut++;
      else {
        positions.push(row, 0);
        for (let c = 0; c < columns.length; c++) columns[c].push(row, 3 + c);
      }
    }
    if (cursor.atEnd) break;
    const left = cursor.window.length - cursor.at;
    if (left > longestRow)
      throw badFile(source.name, `line ${cursor.line}`, "this row has over a million characters.");
    await cursor.ensure(left + 1);
  }
  builder.leaveOut(leftOut);
  others.forEach((column, i) => {
    builder.add(names[column], 1, columns[i].join());
  });
  return builder.build(positions.join());
}
