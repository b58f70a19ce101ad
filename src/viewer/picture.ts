import { NoColorSpace, type Renderer, RenderTarget } from "three/webgpu";
import { CrinkleError } from "../core/errors.ts";
import type { ViewerScene } from "./scene.ts";

/** Side of a tile in pixels: a large picture is rendered in tiles, so that it needs no large texture. */
const tileSize = 2048;
/** Browsers' limits for a 2D canvas: Chromium and Firefox 2^28 pixels in all and 32,767 on a side. */
const maxPixels = 2 ** 28;
const maxSide = 32_767;

/** Renders the scene into a 2D canvas of `width` × `height` pixels, tile by tile. Throws TooLarge, OutOfMemory. */
export async function renderPicture(
  renderer: Renderer,
  scene: ViewerScene,
  samples: number,
  width: number,
  height: number,
): Promise<{ canvas: OffscreenCanvas; context: OffscreenCanvasRenderingContext2D }> {
  if (width * height > maxPixels || Math.max(width, height) > maxSide) {
    throw new CrinkleError({
      tag: "TooLarge",
      problem: `A picture of ${width} × ${height} pixels is more than a browser can make.`,
      remedy: "Save it at a smaller scale.",
    });
  }
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) {
    throw new CrinkleError({
      tag: "OutOfMemory",
      problem: `There is no memory for a picture of ${width} × ${height} pixels.`,
      remedy: "Save it at a smaller scale.",
    });
  }
  const side = { x: Math.min(tileSize, width), y: Math.min(tileSize, height) };
  const target = new RenderTarget(side.x, side.y, { samples, colorSpace: NoColorSpace });
  target.texture.generateMipmaps = false;
  try {
    for (let y = 0; y < height; y += side.y) {
      for (let x = 0; x < width; x += side.x) {
        // The tile's middle and extent in the whole's clip space, y up.
        const scaleX = width / side.x;
        const scaleY = height / side.y;
        const middleX = (2 * x + side.x) / width - 1;
        const middleY = 1 - (2 * y + side.y) / height;
        scene.uniforms.setPart(scaleX, scaleY, -middleX * scaleX, -middleY * scaleY);
        renderer.setRenderTarget(target);
        scene.render({ width: side.x, height: side.y });
        renderer.setRenderTarget(null);
        const columns = Math.min(side.x, width - x);
        const rows = Math.min(side.y, height - y);
        const pixels = await renderer.readRenderTargetPixelsAsync(target, 0, 0, columns, rows);
        const bytes = new Uint8ClampedArray(
          pixels.buffer as ArrayBuffer,
          pixels.byteOffset,
          columns * rows * 4,
        );
        context.putImageData(new ImageData(bytes, columns, rows), x, y);
      }
    }
  } finally {
    scene.uniforms.setPart(1, 1, 0, 0);
    target.dispose();
  }
  return { canvas, context };
}
