import { selectedLayer } from "../store/layers/state.ts";
import type { AppState } from "../store/state.ts";

/** The selected isosurface in short; undefined if none is selected. */
export function shownSurface({ layers }: AppState) {
  const layer = selectedLayer(layers);
  if (layer?.shape.kind !== "isosurface") return undefined;
  const { field, isovalues } = layer.shape;
  return { field, isovalue: isovalues[0], colorBy: layer.colorBy };
}
