import type { LayerKind } from "../../engine/layers/titles.ts";
import type { IconName } from "../controls/icons.tsx";

export const layerIcons: Readonly<Record<LayerKind, IconName>> = {
  isosurface: "isosurface",
  plane: "plane",
  sphere: "sphere",
  expression: "formula",
  slice: "slice",
  threshold: "threshold",
  points: "points",
  image: "plane",
};
