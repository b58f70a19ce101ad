import type { GpuContext } from "../gpu/device/context.ts";
import type { Viewer } from "../viewer/viewer.ts";
import type { Theme, Viewport } from "./api.ts";
import { LayerViews, type LayerViewsEvents } from "./layers/layer-views.ts";

/** The canvas with what is on it. three.js is loaded when the first stage is raised. */
export class Stage {
  readonly viewer: Viewer;
  readonly layers: LayerViews;

  private constructor(viewer: Viewer, layers: LayerViews) {
    this.viewer = viewer;
    this.layers = layers;
  }

  static async raise(
    gpu: GpuContext,
    canvas: OffscreenCanvas,
    viewport: Viewport,
    theme: Theme,
    events: LayerViewsEvents,
  ): Promise<Stage> {
    const { Viewer } = await import("../viewer/viewer.ts");
    const viewer = await Viewer.create(gpu.device, canvas, viewport, {
      theme,
      isSoftware: gpu.adapter.isSoftware,
    });
    return new Stage(viewer, new LayerViews(gpu, viewer, events));
  }

  /** Takes everything down without touching the GPU: its device is lost. */
  abandon(): void {
    this.viewer.onBeforeFrame = undefined;
    this.viewer.dispose();
  }
}
