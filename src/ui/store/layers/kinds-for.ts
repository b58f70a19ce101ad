import type { DataSetSummary } from "../../../engine/api.ts";
import type { LayerKind } from "../../../engine/layers/titles.ts";
import { isFlat } from "../defaults.ts";

const ofPoints: readonly LayerKind[] = ["points"];
const ofImage: readonly LayerKind[] = ["image"];
const ofGrid: readonly LayerKind[] = ["isosurface", "plane", "sphere", "expression", "slice", "threshold"];

/** The kinds of layers that a data set can have. */
export function kindsFor(dataSet: Pick<DataSetSummary, "points" | "grid"> | undefined): readonly LayerKind[] {
  if (dataSet?.points) return ofPoints;
  return dataSet?.grid && isFlat(dataSet.grid) ? ofImage : ofGrid;
}
