import type { Renderer } from "three/webgpu";
import { CrinkleError } from "../core/errors.ts";
import type { ViewSize } from "./camera.ts";
import { checkPictureSize } from "./picture-size.ts";
import type { ViewerScene } from "./scene.ts";
import { drawTiles, type TileOptions } from "./tiles.ts";

/** Renders the prepared scene into a 2D canvas of `width` × `height` pixels. Throws TooLarge, OutOfMemory. */
export async function renderPicture(
  renderer: Renderer,
  scene: ViewerScene,
  samples: TileOptions["samples"],
  { width, height }: ViewSize,
): Promise<{ canvas: OffscreenCanvas; context: OffscreenCanvasRenderingContext2D }> {
  checkPictureSize(width, height);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) {
    throw new CrinkleError({
      tag: "OutOfMemory",
      problem: `There is no memory for a picture of ${width} × ${height} pixels.`,
      remedy: "Choose a smaller size.",
    });
  }
  await drawTiles(renderer, scene, { width, height }, { samples }, (tile) => {
    context.putImageData(new ImageData(tile.color, tile.width, tile.height), tile.x, tile.y);
  });
  return { canvas, context };
}
