import type { Renderer } from "three/webgpu";
import { CrinkleError } from "../core/errors.ts";
import type { ViewSize } from "./camera.ts";
import type { ViewerScene } from "./scene.ts";
import { drawTiles, type TileOptions } from "./tiles.ts";

/** The limits of 2D canvases in Chromium, Firefox and Skia: 2^28 pixels in all and 32,767 on a side. */
const maxPixels = 2 ** 28;
const maxSide = 32_767;

/** Renders the prepared scene into a 2D canvas of `width` × `height` pixels. Throws TooLarge, OutOfMemory. */
export async function renderPicture(
  renderer: Renderer,
  scene: ViewerScene,
  samples: TileOptions["samples"],
  { width, height }: ViewSize,
): Promise<{ canvas: OffscreenCanvas; context: OffscreenCanvasRenderingContext2D }> {
  if (width * height > maxPixels || Math.max(width, height) > maxSide) {
    throw new CrinkleError({
      tag: "TooLarge",
      problem: `A picture of ${width} × ${height} pixels is larger than a canvas can be.`,
      remedy: "Save a smaller one: at most 2²⁸ pixels, and 32,767 on a side.",
    });
  }
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) {
    throw new CrinkleError({
      tag: "OutOfMemory",
      problem: `There is no memory for a picture of ${width} × ${height} pixels.`,
      remedy: "Save a smaller one.",
    });
  }
  await drawTiles(renderer, scene, { width, height }, { samples }, (tile) => {
    context.putImageData(new ImageData(tile.color, tile.width, tile.height), tile.x, tile.y);
  });
  return { canvas, context };
}
