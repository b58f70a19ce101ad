import type { Viewport } from "../../engine/api.ts";
import type { Session } from "../store/session.ts";
import { attachGestures } from "./gestures.ts";
import { attachProbeKeys } from "./probe-keys.ts";

/**
 * The page's only canvas. A canvas can be transferred to a worker only once, so it lives outside React, which only
 * decides where it is mounted. It is handed to the engine when it first has a size.
 */
export function createPictureCanvas({
  view,
  probe,
  store,
  lattice,
}: Pick<Session, "view" | "probe" | "store" | "lattice">): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  attachProbeKeys(canvas, probe, () => store.getState().probe.cursor);
  attachGestures(canvas, view, probe, {
    isWanted: () => store.getState().lattice?.brush !== undefined,
    stroke: lattice.stroke,
  });
  let isAttached = false;
  const measure = (): void => {
    const viewport = viewportOf(canvas);
    if (!viewport) return;
    if (isAttached) view.resize(viewport);
    else view.attachCanvas(canvas.transferControlToOffscreen(), viewport);
    isAttached = true;
  };
  new ResizeObserver(measure).observe(canvas);
  watchPixelRatio(measure);
  return canvas;
}

function viewportOf(canvas: HTMLCanvasElement): Viewport | undefined {
  const { clientWidth: width, clientHeight: height } = canvas;
  return width > 0 && height > 0 ? { width, height, pixelRatio: window.devicePixelRatio } : undefined;
}

/** The pixel ratio changes with the browser's zoom and from screen to screen. */
function watchPixelRatio(changed: () => void): void {
  const query = window.matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  query.addEventListener(
    "change",
    () => {
      changed();
      watchPixelRatio(changed);
    },
    { once: true },
  );
}
