import { DepthTexture, FloatType, NoColorSpace, type Renderer, RenderTarget } from "three/webgpu";
import type { ViewSize } from "./camera.ts";
import { textureOf } from "./internals.ts";
import type { OffscreenDrawing } from "./offscreen-drawing.ts";
import type { ViewerScene } from "./scene.ts";
import { drawTiles, tileSize } from "./tiles.ts";

/** What drawings of one size are rendered into, and read back from. */
interface Target extends ViewSize {
  readonly target: RenderTarget;
  readonly depth: DepthTexture;
  /** Rows of colours, then of depths, each of `rowBytes`. */
  readonly staging: GPUBuffer;
  readonly rowBytes: number;
}

/** Renders into arrays. What it renders into stays for the next drawing of the same size; larger ones are made in tiles. */
export class OffscreenRenderer {
  readonly #renderer: Renderer;
  readonly #device: GPUDevice;
  #kept: Target | undefined;

  constructor(renderer: Renderer, device: GPUDevice) {
    this.#renderer = renderer;
    this.#device = device;
  }

  /** The prepared scene in `width` × `height` pixels. One at a time. */
  async draw(scene: ViewerScene, size: ViewSize): Promise<OffscreenDrawing> {
    if (Math.max(size.width, size.height) > tileSize) return this.#drawTiles(scene, size);
    const { target, depth, staging, rowBytes } = this.#of(size);
    const { width, height } = size;
    this.#renderer.setRenderTarget(target);
    scene.render({ width, height });
    this.#renderer.setRenderTarget(null);
    const encoder = this.#device.createCommandEncoder({ label: "drawing: read back" });
    for (const [i, texture] of [target.texture, depth].entries()) {
      const from = { texture: textureOf(this.#renderer, texture) };
      const to = { buffer: staging, offset: i * rowBytes * height, bytesPerRow: rowBytes };
      encoder.copyTextureToBuffer(from, to, [width, height]);
    }
    this.#device.queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ);
    try {
      const bytes = new Uint8Array(staging.getMappedRange());
      const color = withoutPadding(bytes, 4 * width, rowBytes, height);
      const depths = withoutPadding(bytes.subarray(rowBytes * height), 4 * width, rowBytes, height);
      return { width, height, color, depth: new Float32Array(depths.buffer) };
    } finally {
      staging.unmap();
    }
  }

  async #drawTiles(scene: ViewerScene, { width, height }: ViewSize): Promise<OffscreenDrawing> {
    const color = new Uint8Array(4 * width * height);
    const depth = new Float32Array(width * height);
    const options = { samples: 0, hasDepth: true } as const;
    await drawTiles(this.#renderer, scene, { width, height }, options, (tile) => {
      for (let row = 0; row < tile.height; row++) {
        const from = row * tile.width;
        const to = (tile.y + row) * width + tile.x;
        color.set(tile.color.subarray(4 * from, 4 * (from + tile.width)), 4 * to);
        if (tile.depth) depth.set(tile.depth.subarray(from, from + tile.width), to);
      }
    });
    return { width, height, color, depth };
  }

  dispose(): void {
    const { target, depth, staging } = this.#kept ?? {};
    this.#kept = undefined;
    target?.dispose();
    depth?.dispose();
    staging?.destroy();
  }

  #of({ width, height }: ViewSize): Target {
    if (this.#kept?.width === width && this.#kept.height === height) return this.#kept;
    this.dispose();
    const depth = new DepthTexture(width, height, FloatType);
    const target = new RenderTarget(width, height, {
      samples: 0,
      colorSpace: NoColorSpace,
      depthTexture: depth,
    });
    target.texture.generateMipmaps = false;
    // Of copies to buffers, each row begins at a multiple of 256 bytes.
    const rowBytes = Math.ceil((4 * width) / 256) * 256;
    const { COPY_DST, MAP_READ } = GPUBufferUsage;
    const staging = this.#device.createBuffer({
      label: "drawing",
      size: 2 * rowBytes * height,
      usage: COPY_DST | MAP_READ,
    });
    this.#kept = { width, height, target, depth, staging, rowBytes };
    return this.#kept;
  }
}

/** A copy of rows without what follows each of them. */
function withoutPadding(bytes: Uint8Array, row: number, rowBytes: number, rows: number): Uint8Array {
  const all = new Uint8Array(row * rows);
  if (row === rowBytes) all.set(bytes.subarray(0, all.length));
  else for (let y = 0; y < rows; y++) all.set(bytes.subarray(y * rowBytes, y * rowBytes + row), y * row);
  return all;
}
