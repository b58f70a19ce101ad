import type { ColorSettings, Theme, ViewDirection, Viewport } from "../../engine/api.ts";
import type { Context } from "./context.ts";
import type { Preferences } from "./preferences.ts";

export interface ViewActions {
  /** Hands the canvas over as soon as the engine has a GPU; without one nothing is drawn. */
  attachCanvas(canvas: OffscreenCanvas, viewport: Viewport): void;
  resize(viewport: Viewport): void;
  setTheme(theme: Theme): void;
  orbit(dx: number, dy: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number): void;
  resetView(direction?: ViewDirection): void;
  setColors(change: Partial<ColorSettings>): void;
}

/** `started` tells whether there is a GPU that draws. */
export function createViewActions(
  { engine, store, send }: Context,
  preferences: Preferences,
  started: Promise<boolean>,
): ViewActions {
  let isAttached = false;
  let latest: Viewport | undefined;

  async function attach(canvas: OffscreenCanvas): Promise<void> {
    if (!(await started) || !latest) return;
    isAttached = true;
    await engine.attachCanvas(canvas, latest);
  }

  /** A camera without a picture stays where it is. */
  function move(deed: () => Promise<void>): void {
    if (isAttached) send("device", deed());
  }

  return {
    attachCanvas(canvas, viewport) {
      latest = viewport;
      send("device", attach(canvas));
    },
    resize(viewport) {
      latest = viewport;
      move(() => engine.resize(viewport));
    },
    setTheme: (theme) => send("device", engine.setTheme(theme)),
    orbit: (dx, dy) => move(() => engine.orbit(dx, dy)),
    pan: (dx, dy) => move(() => engine.pan(dx, dy)),
    zoom: (factor) => move(() => engine.zoom(factor)),
    resetView: (direction) => move(() => engine.resetView(direction)),
    setColors(change) {
      const colors = { ...store.getState().colors, ...change };
      store.setState({ colors });
      preferences.saveColors(colors);
      send("surface", engine.setColors(colors));
    },
  };
}
