import type { Renderer } from "three/webgpu";
import type { ViewSize } from "./camera.ts";
import type { ViewerScene } from "./scene.ts";
import { drawTiles } from "./tiles.ts";

/** A drawing in host memory, one sample per pixel, rows from the top. */
export interface OffscreenDrawing extends ViewSize {
  /** RGBA, four bytes a pixel: sRGB, premultiplied by alpha, which is 0 where nothing is. */
  readonly color: Uint8Array;
  /** From 0 at the near plane to 1 at the far plane and where nothing opaque is: the perspective's z/w. */
  readonly depth: Float32Array;
}

/** Renders the prepared scene into arrays of `width` × `height` pixels. */
export async function renderArrays(
  renderer: Renderer,
  scene: ViewerScene,
  { width, height }: ViewSize,
): Promise<OffscreenDrawing> {
  const color = new Uint8Array(4 * width * height);
  const depth = new Float32Array(width * height);
  await drawTiles(renderer, scene, { width, height }, { samples: 0, hasDepth: true }, (tile) => {
    for (let row = 0; row < tile.height; row++) {
      const from = row * tile.width;
      const to = (tile.y + row) * width + tile.x;
      color.set(tile.color.subarray(4 * from, 4 * (from + tile.width)), 4 * to);
      if (tile.depth) depth.set(tile.depth.subarray(from, from + tile.width), to);
    }
  });
  return { width, height, color, depth };
}
