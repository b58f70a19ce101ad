import type { FieldFormat, MeshExportOptions, MeshFormat } from "../../engine/api.ts";
import { barTitles } from "../../engine/layers/bar-titles.ts";
import { titleOf } from "../../engine/layers/titles.ts";
import type { Context } from "./context.ts";
import type { Jobs } from "./jobs.ts";
import { findLayer, selectedLayer } from "./layers/state.ts";

export type { FieldFormat, MeshFormat };

/** Saves a file for the user; the page downloads it. */
export type SaveFile = (name: string, blob: Blob) => void;

export interface ExportActions {
  /** PNG of the view at `scale` times its pixels, 1 to 4. */
  savePicture(scale: number): Promise<void>;
  /** Exports the triangles of a layer, or of all visible layers. */
  exportMesh(format: MeshFormat, layer?: string, options?: MeshExportOptions): Promise<void>;
  exportField(name: string, format: FieldFormat): Promise<void>;
}

export function createExportActions(context: Context, jobs: Jobs, saveFile: SaveFile): ExportActions {
  const { engine, store, announce, fail, succeed } = context;

  async function save(
    job: string,
    make: () => Promise<{ name: string; blob: Blob }>,
    remark = "",
  ): Promise<void> {
    try {
      const { name, blob } = await jobs.track(job, make);
      saveFile(name, blob);
      announce(`Saved ${name}${remark}`);
      succeed("export");
    } catch (error) {
      fail("export", error);
    }
  }

  /** "carotid-q", from the data set and a layer: by default the selected one if it is shown, else the topmost that is. */
  function stem(id?: string): string {
    const { data, layers } = store.getState();
    const shown = [...layers.list, selectedLayer(layers)].filter((layer) => layer?.isVisible);
    const layer = id === undefined ? shown.at(-1) : findLayer(layers, id);
    const parts = [data.dataSet?.name.replace(/\.\w+$/, "") ?? "crinkle", layer ? titleOf(layer) : ""];
    return parts
      .map((part) => part.replaceAll(/[^\p{L}\p{N}]+/gu, "-").replaceAll(/^-+|-+$/g, ""))
      .filter(Boolean)
      .join("-");
  }

  const isHidden = (id: string | undefined): boolean =>
    id !== undefined && findLayer(store.getState().layers, id)?.isVisible === false;

  return {
    savePicture: (scale) =>
      save("Save the picture", async () => {
        const { scalarBars, layers } = store.getState();
        const titles = barTitles(scalarBars, layers.list);
        return { name: `${stem()}.png`, blob: await engine.savePicture(scale, titles) };
      }),
    exportMesh: (format, layer, options) =>
      save(
        "Export the mesh",
        async () => ({
          name: `${stem(layer)}.${format}`,
          blob: await engine.exportMesh(format, layer, options),
        }),
        isHidden(layer) ? ", of a layer that is hidden" : "",
      ),
    exportField: (name, format) => save("Export the field", () => engine.exportField(name, format)),
  };
}
