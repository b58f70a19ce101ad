import type { ViewSize } from "./camera.ts";

/** A drawing in host memory, one sample per pixel, rows from the top. */
export interface OffscreenDrawing extends ViewSize {
  /** RGBA, four bytes a pixel: sRGB, premultiplied by alpha, which is 0 where nothing is. */
  readonly color: Uint8Array;
  /** From 0 at the near plane to 1 at the far plane and where nothing opaque is: the perspective's z/w. */
  readonly depth: Float32Array;
}
