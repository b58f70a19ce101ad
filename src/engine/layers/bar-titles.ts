import type { Layer } from "../../core/layers.ts";
import type { LayerBar } from "../api.ts";
import { titleOf } from "./titles.ts";

/** Titles of scalar bars by layer. If two bars show the same field, each begins with its layer's title. */
export function barTitles(bars: readonly LayerBar[], layers: readonly Layer[]): Record<string, string> {
  return Object.fromEntries(
    bars.map(({ id, bar: { title } }) => {
      const isShared = bars.some((other) => other.id !== id && other.bar.title === title);
      const layer = isShared ? layers.find((layer) => layer.id === id) : undefined;
      return [id, layer ? `${titleOf(layer)}: ${title}` : title];
    }),
  );
}
