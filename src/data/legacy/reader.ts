import { formatCount } from "../../core/format.ts";
import { type Centering, nodeCount, valueCount } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import type { PointSet } from "../../core/point-set.ts";
import { DataSetBuilder } from "../assemble.ts";
import { ByteCursor } from "../bytes/cursor.ts";
import { Yielder } from "../bytes/yielder.ts";
import { badFile, printable, tooShort, unsupported } from "../failure.ts";
import { refuseGrid } from "../refusal.ts";
import type { Source } from "../source.ts";
import type { StoredData } from "../stored.ts";
import { readLine, readToken } from "../text/lines.ts";
import { type ArrayTarget, LegacyAttributes, skipMetadata, unknownKeyword } from "./attributes.ts";
import { type LegacyDataSetKind, LegacyGeometry } from "./geometry.ts";
import { readLegacyPoints } from "./points.ts";

/**
 * Opens a legacy VTK file (versions 1 to 5): structured points and rectilinear grids, or the points of polygonal data;
 * ASCII or big-endian binary.
 * Binary arrays are read when they are asked for, from the file straight into the memory of their fields.
 */
export async function readLegacyVtk(source: Source, job: JobContext): Promise<StoredData | PointSet> {
  const cursor = new ByteCursor(source, new Yielder(job, `Reading ${source.name}`));
  const ascii = await readHead(cursor);
  const attributes = new LegacyAttributes(cursor, ascii);
  const kind = await readDataSetLine(cursor, attributes);
  if (kind === "POLYDATA") return readLegacyPoints(cursor, attributes, ascii);
  const geometry = new LegacyGeometry(kind, ascii);
  let builder: DataSetBuilder | undefined;
  let target: ArrayTarget | undefined;
  let centering: Centering | undefined;
  for (;;) {
    const token = await readToken(cursor);
    if (token === undefined) break;
    const keyword = token.toUpperCase();
    if (keyword === "METADATA") await skipMetadata(cursor);
    else if (keyword === "POINT_DATA" || keyword === "CELL_DATA") {
      builder ??= new DataSetBuilder(source.name, geometry.grid(cursor));
      target ??= onGrid(builder);
      centering = keyword === "POINT_DATA" ? "node" : "cell";
      await attributes.expectCount(keyword, centering, target);
    } else if (target && centering) {
      if (!(await attributes.accept(keyword, centering, target))) throw unknownKeyword(cursor, token);
    } else if (keyword === "FIELD") await attributes.readFieldArrays(undefined, undefined);
    else if (!(await geometry.accept(keyword, cursor))) throw unknownKeyword(cursor, token);
  }
  builder ??= new DataSetBuilder(source.name, geometry.grid(cursor));
  return builder.build();
}

/** Reads version, title and encoding; returns whether numbers are ASCII. */
async function readHead(cursor: ByteCursor): Promise<boolean> {
  await readLine(cursor);
  await readLine(cursor);
  const place = cursor.place();
  const encoding = (await readToken(cursor))?.toUpperCase();
  if (encoding === undefined) throw tooShort(cursor, "its third line should say ASCII or BINARY");
  if (encoding !== "ASCII" && encoding !== "BINARY") {
    throw badFile(
      cursor.source.name,
      place,
      `“${printable(encoding.slice(0, 40))}” stands where ASCII or BINARY is expected.`,
    );
  }
  return encoding === "ASCII";
}

async function readDataSetLine(
  cursor: ByteCursor,
  attributes: LegacyAttributes,
): Promise<LegacyDataSetKind | "POLYDATA"> {
  for (;;) {
    const token = await readToken(cursor);
    const keyword = token?.toUpperCase();
    if (keyword === "FIELD") await attributes.readFieldArrays(undefined, undefined);
    else if (keyword === "METADATA") await skipMetadata(cursor);
    else if (keyword === "DATASET") break;
    else if (token === undefined) throw tooShort(cursor, "it has no DATASET line");
    else
      throw badFile(
        cursor.source.name,
        cursor.place(),
        `“${printable(token.slice(0, 40))}” stands where DATASET is expected.`,
      );
  }
  const kind = (await readToken(cursor))?.toUpperCase() ?? "nothing";
  if (kind === "STRUCTURED_POINTS" || kind === "RECTILINEAR_GRID" || kind === "POLYDATA") return kind;
  throw (
    refuseGrid(cursor.source.name, kind) ??
    unsupported(
      `“${cursor.source.name}”, ${cursor.place()}: “${printable(kind.slice(0, 40))}” is not a kind of data set that Crinkle knows.`,
      "It reads STRUCTURED_POINTS, RECTILINEAR_GRID and POLYDATA.",
    )
  );
}

function onGrid(builder: DataSetBuilder): ArrayTarget {
  const { grid } = builder;
  return {
    count: (centering) => valueCount(grid, centering),
    describe: (centering) =>
      `the grid of ${grid.dims.join(" × ")} = ${formatCount(nodeCount(grid))} points has ` +
      `${formatCount(valueCount(grid, centering))}${centering === "cell" ? " cells" : ""}`,
    add: (...array) => builder.add(...array),
    note: (sentence) => builder.note(sentence),
  };
}
