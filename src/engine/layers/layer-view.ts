import type { JobContext } from "../../core/job.ts";
import type { Layer } from "../../core/layers.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import type { ScalarBar } from "../../core/view.ts";
import type { SurfaceCounts } from "../../gpu/surfaces/surface.ts";
import type { Hit } from "../../viewer/viewer.ts";
import type { LayerRanks, LayerSummary, ProbeReport } from "../api.ts";
import type { DrawnByRanks } from "../ranks/draw-job.ts";
import type { Session } from "../session.ts";
import type { Adjusted } from "./adjust.ts";

export interface LayerViewEvents {
  /** `ms`: GPU time of an extraction, if the device has timestamps. `note`: why the layer is empty, if known. */
  counted(layer: Layer, counts: SurfaceCounts, ms: number | undefined, note?: string): void;
  /** What each rank did for a layer; undefined where this page makes it from now on. */
  madeByRanks?(layer: Layer, made: LayerRanks | undefined): void;
  barsChanged(): void;
  failed(error: unknown): void;
}

/** A mesh with the unlit colours of its vertices, three bytes each. */
export interface PaintedMesh {
  readonly mesh: TriangleMesh;
  readonly colors: Uint8Array;
}

export interface LayerMesh extends PaintedMesh {
  /** Expression of the mesh's scalars, if it has any. */
  readonly scalarName: string | undefined;
  /** Whether the shading is flat. */
  readonly isFlat: boolean;
}

/** A layer on the screen. After the device is lost only `layer` may be used. */
export interface LayerView {
  readonly layer: Layer;
  /** Whether the ranks of a room make it. */
  readonly isRanked: boolean;
  /** The scalar bar; undefined if the layer has a single colour. */
  readonly bar: ScalarBar | undefined;
  /** Whether this view can show `layer`. */
  fits(layer: Layer): boolean;
  /** Shows a layer that fits. The previous one stays if the new one cannot be made. */
  set(session: Session, layer: Layer, job: JobContext, made?: DrawnByRanks): Promise<LayerSummary>;
  /** Shows an adjusted layer with the next frame. Throws BadArgument if its paint is invalid. */
  adjust(adjusted: Adjusted): void;
  /** Colours what ranks made by rank, or no longer. */
  retint?(): void;
  /**
   * Shows what ranks draw at so many times the screen's pixels, and so until it is called without a number; the camera must not
   * be moved meanwhile.
   */
  drawAt?(scale: number | undefined): Promise<void>;
  /** Gathers for the next `readMesh` what ranks have, in which this page's engine has a part: outside of its jobs. */
  gather?(): Promise<void>;
  /** Sets its place, counted from the bottom. */
  setPlace(place: number): void;
  /** The values of fields that it reads have changed in place. */
  fieldsChanged?(): void;
  /** Whether it shows what was computed from fields, and does not read these alone. */
  readonly isComputed?: boolean;
  /** Submits what the next frame needs. */
  prepareFrame(): void;
  /** Between these calls nothing reads fields, so that they may be freed. */
  suspend(): void;
  resume(): void;
  /** Number of drawn triangles, once the GPU has counted them. */
  triangles(): Promise<number>;
  /** The clipped mesh in physical units; undefined if it has no triangles. */
  readMesh(): Promise<PaintedMesh | undefined>;
  /** Whether this drawable belongs to the layer. */
  draws(drawable: Hit["drawable"]): boolean;
  /** Reports on a position on the layer. Throws DeviceLost, and Cancelled if what it shows is released meanwhile. */
  report(session: Session, hit: Hit): Promise<ProbeReport | undefined>;
  dispose(): void;
}
