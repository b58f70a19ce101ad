import { DepthTexture, FloatType, NoColorSpace, type Renderer, RenderTarget } from "three/webgpu";
import type { ViewSize } from "./camera.ts";
import { readDepth } from "./internals.ts";
import type { ViewerScene } from "./scene.ts";

/** Side of a tile in pixels: a large picture is rendered in tiles, so that it needs no large texture. */
export const tileSize = 2048;

/** A part of a picture: `width` × `height` pixels from its pixel (x, y) on, rows from the top. */
export interface Tile extends ViewSize {
  readonly x: number;
  readonly y: number;
  /** RGBA, sRGB; premultiplied by alpha where the background is transparent. */
  readonly color: Uint8ClampedArray<ArrayBuffer>;
  /** From 0 at the near plane to 1 at the far plane and where nothing is; undefined unless it was asked for. */
  readonly depth: Float32Array | undefined;
}

export interface TileOptions {
  /** Samples per pixel: 0 or 4. Depth is read of one sample per pixel alone, so it takes 0. */
  readonly samples: 0 | 4;
  readonly hasDepth?: boolean;
}

/** Renders the prepared scene off screen at `width` × `height` pixels, and hands over tile by tile. */
export async function drawTiles(
  renderer: Renderer,
  scene: ViewerScene,
  { width, height }: ViewSize,
  { samples, hasDepth = false }: TileOptions,
  take: (tile: Tile) => void,
): Promise<void> {
  const side = { x: Math.min(tileSize, width), y: Math.min(tileSize, height) };
  const depthTexture = hasDepth ? new DepthTexture(side.x, side.y, FloatType) : null;
  const target = new RenderTarget(side.x, side.y, { samples, colorSpace: NoColorSpace, depthTexture });
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
        const [pixels, depth] = await Promise.all([
          renderer.readRenderTargetPixelsAsync(target, 0, 0, columns, rows),
          depthTexture ? readDepth(renderer, depthTexture, columns, rows) : undefined,
        ]);
        const color = new Uint8ClampedArray(
          pixels.buffer as ArrayBuffer,
          pixels.byteOffset,
          4 * columns * rows,
        );
        take({ x, y, width: columns, height: rows, color, depth });
      }
    }
  } finally {
    scene.uniforms.setPart(1, 1, 0, 0);
    target.dispose();
    depthTexture?.dispose();
  }
}
