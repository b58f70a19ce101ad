import type { FieldFormat, MeshExportOptions, MeshFormat, NamedBlob } from "../../engine/api.ts";
import { barTitles } from "../../engine/layers/bar-titles.ts";
import type { Context } from "./context.ts";
import type { Jobs } from "./jobs.ts";
import { loadCode } from "./load-code.ts";
import type { AppState } from "./state.ts";

export type { FieldFormat, MeshFormat };

/** Saves a file for the user; the page downloads it. */
export type SaveFile = (name: string, blob: Blob) => void;

export interface SavedFile extends NamedBlob {
  /** What is said besides that it was saved. */
  readonly remark?: string;
}

export interface ExportActions {
  /** PNG of the view at `scale` times its pixels, 1 to 4. */
  savePicture(scale: number): Promise<void>;
  /** Exports the triangles of a layer, or of all visible layers. */
  exportMesh(format: MeshFormat, layer?: string, options?: MeshExportOptions): Promise<void>;
  exportField(name: string, format: FieldFormat): Promise<void>;
}

export function createExportActions(context: Context, jobs: Jobs, saveFile: SaveFile): ExportActions {
  const { engine, store, announce, fail, succeed } = context;

  async function save(job: string, make: () => Promise<SavedFile>): Promise<void> {
    try {
      const { name, blob, remark = "" } = await jobs.track(job, make);
      saveFile(name, blob);
      announce(`Saved ${name}${remark}`);
      succeed("export");
    } catch (error) {
      fail("export", error);
    }
  }

  /** A file of a layer, or of all, named after what they are when it is asked for. */
  async function named(extension: string, make: (state: AppState) => Promise<Blob>, layer?: string) {
    const state = store.getState();
    const { namedFile } = await loadCode(() => import("./named-file.ts"));
    return namedFile(state, extension, make(state), layer);
  }

  return {
    savePicture: (scale) =>
      save("Save the picture", () =>
        named("png", ({ scalarBars, layers }) =>
          engine.savePicture(scale, barTitles(scalarBars, layers.list)),
        ),
      ),
    exportMesh: (format, layer, options) =>
      save("Export the mesh", () => named(format, () => engine.exportMesh(format, layer, options), layer)),
    exportField: (name, format) => save("Export the field", () => engine.exportField(name, format)),
  };
}
