import { CrinkleError } from "../../core/errors.ts";
import type { JobContext } from "../../core/job.ts";
import { pixelsOf } from "../../core/projection.ts";
import type { Theme, Viewport } from "../../core/view.ts";
import { checkPictureSize } from "../../viewer/picture-size.ts";
import { barTitles } from "../layers/bar-titles.ts";
import { EngineLayers } from "../layers/engine-layers.ts";
import type { Session } from "../session.ts";
import { ViewerHost } from "../viewer-host.ts";
import { replayBetween } from "./programs.ts";
import type { SavedView } from "./view.ts";
import type { ViewRanks } from "./view-ranks.ts";

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
  /** The size of the page's view that is drawn, and the picture's pixels for each of the view's. */
  readonly viewport: Viewport;
  readonly theme: Theme;
  /** Those that compute and draw, where they have the session's values. */
  readonly ranks?: ViewRanks;
}

/**
 * Draws a saved view of the session's data as the page draws and saves it, without a canvas on a screen: computes its
 * texts, shows its layers, and waits until all of them are whole. Throws NoWebGPU, TooLarge, and what computing and
 * showing throw.
 */
export async function drawView(
  session: Session,
  view: SavedView,
  { viewport, theme, ranks }: DrawViewOptions,
  job: JobContext,
): Promise<ViewDrawing> {
  const { gpu } = session.device;
  if (!gpu)
    throw new CrinkleError({ tag: "NoWebGPU", problem: "The GPU draws pictures, and there is none." });
  const { width, height } = pixelsOf(viewport);
  checkPictureSize(width, height);
  const failures: unknown[] = [];
  const events = {
    counted: () => {},
    barsChanged: () => {},
    failed: (error: unknown) => failures.push(error),
  };
  const team = ranks?.team;
  const host = await ViewerHost.create(gpu, undefined, viewport, theme, events, () => team);
  const { viewer } = host;
  const layers = new EngineLayers();
  layers.views = host.layers;
  try {
    viewer.setGrid(session.data.bounds);
    // Ranks draw from where the camera is.
    if (view.camera) viewer.camera = view.camera;
    const notes = new Set<string>();
    const { texts, names } = replayBetween([], view.programs);
    for (const text of texts)
      for (const note of (await (ranks ?? session).compute(text, job)).notes) notes.add(note);
    for (const name of names) session.derived.remove(name);
    for (const layer of view.layers) {
      const seen = { camera: viewer.camera, viewport: viewer.viewport(1) };
      const drawn = team?.makes(layer) ? await team.show(layer, { view: seen }) : undefined;
      const summary = await layers.set(session, layer, job, () => true, drawn);
      for (const note of summary.notes) notes.add(note);
    }
    await viewer.frameDrawn();
    const triangles = await host.layers.triangles();
    if (failures.length > 0) throw failures[0];
    const { bars } = host.layers;
    const titles = barTitles(bars, layers.all);
    const png = await viewer.picture(
      1,
      bars.map(({ id, bar }) => ({ ...bar, title: titles[id] })),
    );
    const visible = layers.all.filter(({ isVisible }) => isVisible).length;
    return { png, layers: visible, triangles, notes: [...notes] };
  } finally {
    layers.clear();
    viewer.dispose();
  }
}
