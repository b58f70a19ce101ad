import type { GpuContext } from "../gpu/device/context.ts";
import type { Viewer } from "../viewer/viewer.ts";
import type { Theme, Viewport } from "./api.ts";
import { LayerViews, type LayerViewsEvents } from "./layers/layer-views.ts";
import type { RankTeam } from "./ranks/team.ts";

/** The viewer on a canvas, with the views of its layers. three.js is loaded when the first host is created. */
export class ViewerHost {
  readonly viewer: Viewer;
  readonly layers: LayerViews;

  private constructor(viewer: Viewer, layers: LayerViews) {
    this.viewer = viewer;
    this.layers = layers;
  }

  static async create(
    gpu: GpuContext,
    canvas: OffscreenCanvas | undefined,
    viewport: Viewport,
    theme: Theme,
    events: LayerViewsEvents,
    team: () => RankTeam | undefined = () => undefined,
  ): Promise<ViewerHost> {
    const { Viewer } = await import("../viewer/viewer.ts");
    const viewer = await Viewer.create(gpu.device, canvas, viewport, {
      theme,
      isSoftware: gpu.adapter.isSoftware,
    });
    return new ViewerHost(viewer, new LayerViews(gpu, viewer, team, events));
  }

  /** Disposes of the viewer without touching the GPU, whose device is lost. */
  detach(): void {
    this.viewer.onBeforeFrame = undefined;
    this.viewer.dispose();
  }
}
