import { CrinkleError } from "../../core/errors.ts";
import type { JobContext } from "../../core/job.ts";
import type { Theme, Viewport } from "../../core/view.ts";
import { checkPictureSize } from "../../viewer/picture-size.ts";
import { barTitles } from "../layers/bar-titles.ts";
import { EngineLayers } from "../layers/engine-layers.ts";
import type { Session } from "../session.ts";
import { ViewerHost } from "../viewer-host.ts";
import { replayBetween } from "./programs.ts";
import type { SavedView } from "./view.ts";

export interface ViewDrawing {
  readonly png: Blob;
  /** Number of visible layers. */
  readonly layers: number;
  /** Of all visible layers. */
  readonly triangles: number;
  /** What fields and layers have to say, each once. */
  readonly notes: readonly string[];
}

export interface DrawViewOptions {
  /** The size of the page's view that is drawn. */
  readonly viewport: Viewport;
  /** Pixels of the picture for each of the viewport's, 1 to 4. */
  readonly scale: number;
  readonly theme: Theme;
}

/**
 * Draws a saved view of the session's data as the page draws and saves it, without a canvas on a screen: computes its
 * texts, shows its layers, and waits until all of them are whole. Throws NoWebGPU, TooLarge, and what computing and
 * showing throw.
 */
export async function drawView(
  session: Session,
  view: SavedView,
  { viewport, scale, theme }: DrawViewOptions,
  job: JobContext,
): Promise<ViewDrawing> {
  const { gpu } = session.device;
  if (!gpu)
    throw new CrinkleError({ tag: "NoWebGPU", problem: "The GPU draws pictures, and there is none." });
  checkPictureSize(Math.round(viewport.width * scale), Math.round(viewport.height * scale));
  const failures: unknown[] = [];
  const host = await ViewerHost.create(gpu, undefined, viewport, theme, {
    counted: () => {},
    barsChanged: () => {},
    failed: (error) => failures.push(error),
  });
  const { viewer } = host;
  const layers = new EngineLayers(() => {});
  layers.views = host.layers;
  try {
    viewer.setGrid(session.data.bounds);
    const notes = new Set<string>();
    const { texts, names } = replayBetween([], view.programs);
    for (const text of texts) for (const note of (await session.compute(text, job)).notes) notes.add(note);
    for (const name of names) session.derived.remove(name);
    for (const layer of view.layers) {
      const summary = await layers.set(session, layer, job, () => true);
      for (const note of summary.notes) notes.add(note);
    }
    if (view.camera) viewer.camera = view.camera;
    await viewer.frameDrawn();
    const triangles = await host.layers.triangles();
    if (failures.length > 0) throw failures[0];
    const { bars } = host.layers;
    const titles = barTitles(bars, layers.all);
    const png = await viewer.picture(
      scale,
      bars.map(({ id, bar }) => ({ ...bar, title: titles[id] })),
    );
    const visible = layers.all.filter(({ isVisible }) => isVisible).length;
    return { png, layers: visible, triangles, notes: [...notes] };
  } finally {
    layers.clear();
    viewer.dispose();
  }
}
