import type { IconName } from "../controls/icons.tsx";
import type { LayerKind } from "../store/layers/titles.ts";

export const layerIcons: Readonly<Record<LayerKind, IconName>> = {
  isosurface: "isosurface",
  plane: "plane",
  sphere: "sphere",
  expression: "formula",
  slice: "slice",
  threshold: "threshold",
  points: "points",
};
