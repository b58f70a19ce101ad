import type { ColorSettings, Theme, ViewDirection, Viewport } from "../../engine/api.ts";
import type { Context } from "./context.ts";
import type { Preferences } from "./preferences.ts";

export interface ViewActions {
  attachCanvas(canvas: OffscreenCanvas, viewport: Viewport): void;
  resize(viewport: Viewport): void;
  setTheme(theme: Theme): void;
  orbit(dx: number, dy: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number): void;
  resetView(direction?: ViewDirection): void;
  setColors(change: Partial<ColorSettings>): void;
}

export function createViewActions(
  { engine, store, send }: Context,
  preferences: Preferences,
  started: Promise<boolean>,
): ViewActions {
  return {
    attachCanvas(canvas, viewport) {
      send(
        "device",
        started.then(async (draws) => {
          if (draws) await engine.attachCanvas(canvas, viewport);
        }),
      );
    },
    resize: (viewport) => send("device", engine.resize(viewport)),
    setTheme: (theme) => send("device", engine.setTheme(theme)),
    orbit: (dx, dy) => send("device", engine.orbit(dx, dy)),
    pan: (dx, dy) => send("device", engine.pan(dx, dy)),
    zoom: (factor) => send("device", engine.zoom(factor)),
    resetView: (direction) => send("device", engine.resetView(direction)),
    setColors(change) {
      const colors = { ...store.getState().colors, ...change };
      store.setState({ colors });
      preferences.saveColors(colors);
      send("surface", engine.setColors(colors));
    },
  };
}
