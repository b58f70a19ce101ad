import { titleOf } from "../../engine/layers/titles.ts";
import type { SavedFile } from "./exports.ts";
import { findLayer, selectedLayer } from "./layers/state.ts";
import type { AppState } from "./state.ts";

/**
 * A file with what it is called: "carotid-q.stl", from the data set and a layer, by default the selected one if it is shown,
 * else the topmost that is; and what is to be said of it besides.
 */
export async function namedFile(
  { data, layers }: Pick<AppState, "data" | "layers">,
  extension: string,
  blob: Promise<Blob>,
  id?: string,
): Promise<SavedFile> {
  const shown = [...layers.list, selectedLayer(layers)].filter((layer) => layer?.isVisible);
  const layer = id === undefined ? shown.at(-1) : findLayer(layers, id);
  const parts = [data.dataSet?.name.replace(/\.\w+$/, "") ?? "crinkle", layer ? titleOf(layer) : ""];
  const stem = parts
    .map((part) => part.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-+|-+$/g, ""))
    .filter(Boolean)
    .join("-");
  const remark = id !== undefined && layer?.isVisible === false ? ", of a layer that is hidden" : "";
  return { name: `${stem}.${extension}`, remark, blob: await blob };
}
