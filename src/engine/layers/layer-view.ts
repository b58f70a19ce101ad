import type { JobContext } from "../../core/job.ts";
import type { Layer } from "../../core/layers.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import type { ScalarBar } from "../../core/view.ts";
import type { SurfaceCounts } from "../../gpu/surfaces/surface.ts";
import type { Hit } from "../../viewer/viewer.ts";
import type { LayerSummary, ProbeReport } from "../api.ts";
import type { Session } from "../session.ts";
import type { Adjusted } from "./adjust.ts";

export interface LayerViewEvents {
  /** `ms`: GPU time of an extraction, where the device has timestamps. `note`: why it is empty, where that is known. */
  counted(layer: Layer, counts: SurfaceCounts, ms: number | undefined, note?: string): void;
  barsChanged(): void;
  failed(error: unknown): void;
}

/** A mesh with the colours of its vertices as the picture shows them unlit, three bytes each. */
export interface PaintedMesh {
  readonly mesh: TriangleMesh;
  readonly colors: Uint8Array;
}

export interface LayerMesh extends PaintedMesh {
  /** Expression of the mesh's scalars, where it has some. */
  readonly scalarName: string | undefined;
  /** Whether each triangle is shaded by itself. */
  readonly isFlat: boolean;
}

/** A layer on the screen. After the device is lost nothing of it may be used but `layer`. */
export interface LayerView {
  readonly layer: Layer;
  /** Undefined where it has one colour. */
  readonly bar: ScalarBar | undefined;
  /** Whether it can become this layer. */
  fits(layer: Layer): boolean;
  /** Shows a layer that fits. The former one stays where the new one cannot be made. */
  set(session: Session, layer: Layer, job: JobContext): Promise<LayerSummary>;
  /** Shows an adjusted layer with the next frame. Throws BadArgument where its paint is wrong. */
  adjust(adjusted: Adjusted): void;
  /** Its place from below. */
  setPlace(place: number): void;
  /** Submits what the next frame needs. */
  prepareFrame(): void;
  /** Between these nothing reads fields, which may be freed meanwhile. */
  suspend(): void;
  resume(): void;
  /** Triangles that are drawn, once the GPU has counted them. */
  triangles(): Promise<number>;
  /** In physical units, clipped; undefined where there are no triangles to it. */
  readMesh(): Promise<PaintedMesh | undefined>;
  /** Whether this is what is drawn of it. */
  draws(drawable: Hit["drawable"]): boolean;
  /** What there is to say of a place on it. Throws DeviceLost, and Cancelled where what it shows is released meanwhile. */
  report(session: Session, hit: Hit): Promise<ProbeReport | undefined>;
  dispose(): void;
}
