import type { LayerBar } from "../../../engine/api.ts";
import { findLayer, type LayersState } from "./state.ts";
import { titleOf } from "./titles.ts";

/** Titles of scalar bars by layer. If two bars show the same field, each begins with its layer's title. */
export function barTitles(bars: readonly LayerBar[], layers: LayersState): Record<string, string> {
  return Object.fromEntries(
    bars.map(({ id, bar: { title } }) => {
      const isShared = bars.some((other) => other.id !== id && other.bar.title === title);
      const layer = isShared ? findLayer(layers, id) : undefined;
      return [id, layer ? `${titleOf(layer)}: ${title}` : title];
    }),
  );
}
