import type { CameraState } from "../../core/view.ts";
import type { Theme, ViewDirection, Viewport } from "../../engine/api.ts";
import { type CameraNavigation, createCameraNavigation } from "./camera-navigation.ts";
import type { Context } from "./context.ts";

export interface ViewActions extends Pick<CameraNavigation, "back" | "forward"> {
  /** Hands over the canvas as soon as the engine has a GPU; without one nothing is drawn. */
  attachCanvas(canvas: OffscreenCanvas, viewport: Viewport): void;
  resize(viewport: Viewport): void;
  setTheme(theme: Theme): void;
  orbit(dx: number, dy: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number): void;
  resetView(direction?: ViewDirection): void;
  setCamera(camera: CameraState): void;
  /** Copies the engine's camera into the state; of several calls only the latest counts. */
  hearCamera(): void;
}

/** `started` resolves to whether there is a GPU that draws. */
export function createViewActions(context: Context, started: Promise<boolean>): ViewActions {
  const { engine, store, send } = context;
  const navigation = createCameraNavigation(context, (camera) => move(() => engine.setCamera(camera)));
  let isAttached = false;
  let latest: Viewport | undefined;
  /** The camera that was set before there was a picture. */
  let early: CameraState | undefined;
  let asking: Promise<void> | undefined;
  let isStale = false;

  async function attach(canvas: OffscreenCanvas): Promise<void> {
    if (!(await started) || !latest) return;
    isAttached = true;
    await engine.attachCanvas(canvas, latest);
    if (early) await engine.setCamera(early);
    hearCamera();
  }

  /** A camera without a picture stays where it is. */
  function move(action: () => Promise<void>): void {
    if (!isAttached) return;
    send("device", action());
    hearCamera();
  }

  /** The same for a move by the user, who can go back. */
  function moveByHand(action: () => Promise<void>): void {
    if (isAttached) navigation.moves();
    move(action);
  }

  function hearCamera(): void {
    isStale = true;
    if (!isAttached || asking) return;
    asking = ask().finally(() => {
      asking = undefined;
    });
    send("device", asking);
  }

  async function ask(): Promise<void> {
    while (isStale) {
      isStale = false;
      const camera = await engine.camera();
      store.setState({ camera });
    }
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
    orbit: (dx, dy) => moveByHand(() => engine.orbit(dx, dy)),
    pan: (dx, dy) => moveByHand(() => engine.pan(dx, dy)),
    zoom: (factor) => moveByHand(() => engine.zoom(factor)),
    resetView: (direction) => moveByHand(() => engine.resetView(direction)),
    setCamera(camera) {
      early = camera;
      move(() => engine.setCamera(camera));
    },
    hearCamera,
    back: navigation.back,
    forward: navigation.forward,
  };
}
