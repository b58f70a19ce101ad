import type { ShaderScale } from "../../core/scale.ts";
import type { Rgb } from "../css-color.ts";

/** Words of the uniform: `Paint` in `blocks` of the shaders, which are loaded later. */
const paintWords = 24;

/** Number of entries of a colour table. */
export const tableSize = 256;

/** Shading by the vertices' normals, by each triangle's own normal, or without light. */
export type Shading = "smooth" | "flat" | "unlit";

/** The code of the shading in shaders. */
export const shadingCode: Record<Shading, number> = { smooth: 0, flat: 1, unlit: 2 };

export interface PaintValues {
  /** `tableSize` sRGB colours, three bytes each. */
  readonly table: Uint8Array | undefined;
  readonly scale: ShaderScale;
  readonly nan: Rgb;
  readonly solid: Rgb;
  readonly opacity: number;
  readonly shading: Shading;
  /** Normal and offset of the plane whose positive side is kept. */
  readonly clip: readonly [number, number, number, number];
}

/** The paint of a drawable for shaders other than three.js's: a uniform and a texture, uploaded on first use. */
export class PaintBlock {
  readonly #device: GPUDevice;
  readonly #words = new Float32Array(paintWords);
  readonly #texels = new Uint8Array(4 * tableSize);
  #uniform: GPUBuffer | undefined;
  #table: GPUTexture | undefined;
  #isStale = true;

  /** `number` identifies the drawable in the pick pass. */
  constructor(device: GPUDevice, number: number) {
    this.#device = device;
    this.#words[15] = number;
  }

  set({ table, scale, nan, solid, opacity, shading, clip }: PaintValues): void {
    this.#words.set([
      ...clip,
      ...nan,
      scale.origin,
      ...solid,
      scale.perUnit,
      table ? 1 : 0,
      shadingCode[shading],
      opacity,
    ]);
    this.#words.set([scale.shift], 17);
    this.#words.set(scale.words, 20);
    if (table) {
      for (let i = 0; i < tableSize; i++) this.#texels.set(table.subarray(3 * i, 3 * i + 3), 4 * i);
    }
    this.#isStale = true;
  }

  /** Diameter of points, in CSS pixels. */
  setSize(size: number): void {
    this.#words[16] = size;
    this.#isStale = true;
  }

  /** The resources to bind, up to date. */
  resources(): { readonly uniform: GPUBuffer; readonly table: GPUTexture } {
    this.#uniform ??= this.#device.createBuffer({
      label: "paint",
      size: this.#words.byteLength,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    this.#table ??= this.#device.createTexture({
      label: "color table",
      size: [tableSize, 1],
      format: "rgba8unorm",
      usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST,
    });
    if (this.#isStale) {
      const { queue } = this.#device;
      queue.writeBuffer(this.#uniform, 0, this.#words);
      queue.writeTexture({ texture: this.#table }, this.#texels, {}, [tableSize, 1]);
      this.#isStale = false;
    }
    return { uniform: this.#uniform, table: this.#table };
  }

  dispose(): void {
    this.#uniform?.destroy();
    this.#table?.destroy();
  }
}
