import { isEmptyBox } from "../../core/box-values.ts";
import type { Field } from "../../core/field.ts";
import { subgrid } from "../../core/subgrid.ts";
import { valuesAround } from "./block-values.ts";
import { parseIndex, sourceOf, writePieces } from "./pieces.ts";
import type { RankedData } from "./ranked-data.ts";
import type { RecordedRun } from "./recorded-run.ts";

export const fieldIndexFormats = ["pvti", "pvtr"] as const;

/**
 * Each rank writes its cells of a grid that is divided among them, and the nodes at their corners, those on its borders included; `fields` are
 * its parts. Throws as `writePieces`.
 */
export async function writeFieldPieces(
  run: RecordedRun,
  index: string,
  { grid, shares }: Pick<RankedData, "grid" | "shares">,
  fields: readonly Field[],
): Promise<void> {
  const { communicator, job } = run;
  const { extension } = parseIndex(index, fieldIndexFormats);
  const { writeVti, writeVtr } = await import("../../data/write/vtk-xml.ts");
  const { writeGridIndex } = await import("../../data/write/vtk-pieces.ts");
  const write = extension === "pvti" ? writeVti : writeVtr;
  const name = fields.map((each) => each.name).join(", ");
  const cells = shares[communicator.rank];
  const part = () => subgrid(grid, valuesAround(grid, cells, 0));
  const piece = isEmptyBox(cells) ? undefined : await write({ name, grid: part(), fields, notes: [] }, job);
  await writePieces(run, index, piece, () =>
    writeGridIndex(
      extension,
      grid,
      fields,
      shares.flatMap((share, rank) =>
        isEmptyBox(share) ? [] : [{ source: sourceOf(index, rank), nodes: valuesAround(grid, share, 0) }],
      ),
    ),
  );
}
