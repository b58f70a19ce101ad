import { type SavedView, writeView } from "../../engine/saved-view/view.ts";
import type { Context } from "./context.ts";
import type { DataActions } from "./data.ts";
import type { SaveFile } from "./exports.ts";
import { loadCode } from "./load-code.ts";
import type { AppState } from "./state.ts";
import { comesByItself, requestOf } from "./view-source.ts";

export interface ViewsActions {
  /** Saves everything that determines the picture as a file. */
  save(): Promise<void>;
  /** A link that opens the picture; undefined if the data come from a file, which no link can contain. */
  link(): Promise<string | undefined>;
  /** Opens a file that `save` wrote. */
  openFile(file: File): Promise<void>;
  /** Opens a link's fragment, from # on. */
  openLink(hash: string): Promise<void>;
  /** Opens a view; if its data come from a file, asks for that file. */
  open(view: SavedView): Promise<void>;
}

/** Loaded when a link is first made or opened. */
const links = () => loadCode(() => import("../../engine/saved-view/link.ts"));

/** The extension of a saved view. */
const extension = ".crinkle.json";

export function isViewFile({ name }: File): boolean {
  return name.toLowerCase().endsWith(".json");
}

/** The view to save; undefined while nothing is open. */
export function viewOf({ data, expressions, layers, camera }: AppState): SavedView | undefined {
  if (!data.source) return undefined;
  return {
    source: data.source,
    text: expressions.isSuggested ? undefined : expressions.text,
    programs: expressions.programs,
    layers: layers.list,
    selected: layers.selected,
    ...(layers.logFields.length > 0 ? { logFields: layers.logFields } : {}),
    camera,
  };
}

export function createViewsActions(
  { engine, store, patch, announce, fail, succeed }: Context,
  data: DataActions,
  saveFile: SaveFile,
  address: string,
): ViewsActions {
  /** Takes the camera, and the sweeps of a lattice, as they are now, not as last reported. */
  async function present(): Promise<SavedView | undefined> {
    const { device, data } = store.getState();
    if (data.source?.kind === "lattice") patch("data", { source: await engine.lattice.request() });
    if (device.summary?.kind === "gpu") store.setState({ camera: await engine.camera() });
    return viewOf(store.getState());
  }

  async function open(view: SavedView): Promise<void> {
    const request = requestOf(view.source);
    if (request) {
      await data.open(request, view);
    } else if (view.source.kind === "file") {
      const { name } = view.source;
      store.setState({ awaited: view });
      fail("open", {
        tag: "BadFile",
        problem: `This view needs the file ${name} from your computer.`,
        remedy: `Open ${name}, and the view is restored.`,
      });
    } else if ("name" in view.source) {
      const { name } = view.source;
      store.setState({ awaited: view });
      fail("open", {
        tag: "BadFile",
        problem: `This view needs ${name} on ranks.`,
        remedy: "Open it in the Cluster panel when they are in this page's room, and the view is restored.",
      });
    }
  }

  /** Reads and opens a saved view, and reports what is wrong with it. */
  async function openText(text: () => Promise<string>): Promise<void> {
    try {
      const { readView } = await loadCode(() => import("../../engine/saved-view/read-view.ts"));
      const view = readView(await text());
      succeed("open");
      await open(view);
    } catch (error) {
      fail("open", error);
    }
  }

  return {
    open,
    async save() {
      try {
        const view = await present();
        if (!view) {
          announce("There is nothing to save: open a data set first.");
          return;
        }
        const stem = store.getState().data.dataSet?.name.replace(/\.\w+$/, "") ?? "view";
        const name = `${stem.replaceAll(/[^\p{L}\p{N}]+/gu, "-")}${extension}`;
        saveFile(name, new Blob([writeView(view, 2)], { type: "application/json" }));
        announce(`Saved ${name}`);
      } catch (error) {
        fail("export", error);
      }
    },
    async link() {
      try {
        const view = await present();
        return view && comesByItself(view.source)
          ? (await links()).linkOf(address, writeView(view))
          : undefined;
      } catch (error) {
        fail("export", error);
        return undefined;
      }
    },
    openFile: (file) => openText(() => file.text()),
    openLink: (hash) => openText(async () => (await links()).textOf(hash)),
  };
}
