import type { Layer } from "../../core/layers.ts";
import type { MadeForLayer, RankedPicture } from "../ranks/draw-job.ts";

const name = "surface";

/** What a timed surface or picture was of. */
export interface TimedPicture {
  /** The first isovalue of an isosurface. */
  readonly isovalue: number | undefined;
  /** What the other ranks sent: a picture, or, gathered, all triangles and vertices. */
  readonly bytes: number | undefined;
  readonly isByRanks: boolean;
}

/**
 * Puts the surface that is shown for a layer into the browser's performance timeline, from the request, at `start` in milliseconds,
 * until now, for whoever observes or records it: one that the next frame's commands make, or that ranks have made or drawn.
 * Nothing is kept.
 */
export function timePicture(
  { shape }: Layer,
  start: number,
  {
    made,
    picture,
  }: { readonly made?: Pick<MadeForLayer, "choice">; readonly picture?: Pick<RankedPicture, "bytes"> },
): void {
  const isovalue = shape.kind === "isosurface" ? shape.isovalues[0] : undefined;
  const bytes = picture?.bytes ?? made?.choice.gatheredBytes;
  const detail: TimedPicture = { isovalue, bytes, isByRanks: picture !== undefined };
  performance.measure(name, { start, detail });
  performance.clearMeasures(name);
}
