import type { Triple } from "../../core/grid.ts";
import type { DepthImage } from "../depth-image.ts";
import type { ImageBuffers, ImagePlane } from "../image-plane.ts";
import type { PointBuffer, PointCloud } from "../point-cloud.ts";
import { Surface } from "../surface.ts";
import type { ViewPart, ViewUniforms } from "../view-uniforms.ts";
import type { SurfaceBuffers } from "../wrapped-geometry.ts";
import { nearestInImages } from "./pick-image.ts";
import { pickShader } from "./pick-shader.ts";
import { depthFormat, growthWord, viewWords } from "./shaders.ts";

type AnyDrawable = Surface | PointCloud | ImagePlane | DepthImage;

/** What is visible at a position of the view. Positions are relative to the data's centre, in its units. */
export interface Hit {
  readonly drawable: AnyDrawable;
  /** Number of the triangle or point, as drawn; undefined in an image, which has neither. */
  readonly part: number | undefined;
  readonly position: Triple;
  /** The triangle's centroid, or the point's own position; the same as `position` in an image. */
  readonly middle: Triple;
}

const targetFormats = ["rgba32uint", "rgba32float"] as const;
const bytesPerTarget = 256;

/** Finds what is visible at one pixel by drawing only that pixel and reading it back. */
export class PickPass {
  readonly #device: GPUDevice;
  readonly #view: GPUBuffer;
  readonly #words = new Float32Array(viewWords);
  readonly #targets: readonly GPUTexture[];
  readonly #depth: GPUTexture;
  readonly #staging: GPUBuffer;
  readonly #surfaces: GPURenderPipeline;
  readonly #points: GPURenderPipeline;
  readonly #images: GPURenderPipeline;

  constructor(device: GPUDevice) {
    this.#device = device;
    const { UNIFORM, COPY_DST, MAP_READ } = GPUBufferUsage;
    const { RENDER_ATTACHMENT, COPY_SRC } = GPUTextureUsage;
    this.#view = device.createBuffer({ label: "pick: view", size: 4 * viewWords, usage: UNIFORM | COPY_DST });
    this.#staging = device.createBuffer({
      label: "pick: hit",
      size: bytesPerTarget * targetFormats.length,
      usage: MAP_READ | COPY_DST,
    });
    const texture = (format: GPUTextureFormat, usage: number) =>
      device.createTexture({ label: "pick", size: [1, 1], format, usage: RENDER_ATTACHMENT | usage });
    this.#targets = targetFormats.map((format) => texture(format, COPY_SRC));
    this.#depth = texture(depthFormat, 0);
    const module = device.createShaderModule({ label: "pick", code: pickShader });
    const pipeline = (entryPoint: string) =>
      device.createRenderPipeline({
        label: `pick: ${entryPoint}`,
        layout: "auto",
        vertex: { module, entryPoint },
        fragment: { module, entryPoint: "pick", targets: targetFormats.map((format) => ({ format })) },
        primitive: { topology: "triangle-list", cullMode: "none" },
        depthStencil: { format: depthFormat, depthCompare: "less-equal", depthWriteEnabled: true },
      });
    this.#surfaces = pipeline("surface_vertex");
    this.#points = pipeline("point_vertex");
    this.#images = pipeline("image_vertex");
  }

  /**
   * The nearest triangle or point at a pixel of the view, which `part` selects; undefined if there is none. Points are
   * drawn larger by `growth` CSS pixels. Do not call it again before it has resolved. Rejects if the device is lost.
   */
  async pick(
    drawables: readonly AnyDrawable[],
    view: ViewUniforms,
    part: ViewPart,
    growth: number,
  ): Promise<Hit | undefined> {
    view.write(this.#words, part);
    this.#words[growthWord] = growth;
    this.#device.queue.writeBuffer(this.#view, 0, this.#words);
    const encoder = this.#device.createCommandEncoder({ label: "pick" });
    const pass = encoder.beginRenderPass({
      colorAttachments: this.#targets.map((target) => ({
        view: target.createView(),
        clearValue: [0, 0, 0, 0],
        loadOp: "clear",
        storeOp: "store",
      })),
      depthStencilAttachment: {
        view: this.#depth.createView(),
        depthClearValue: 1,
        depthLoadOp: "clear",
        depthStoreOp: "discard",
      },
    });
    for (const drawable of drawables)
      if (drawable.isShown && !("depthAt" in drawable)) this.#draw(pass, drawable);
    pass.end();
    for (const [i, texture] of this.#targets.entries()) {
      const place = { buffer: this.#staging, offset: i * bytesPerTarget, bytesPerRow: bytesPerTarget };
      encoder.copyTextureToBuffer({ texture }, place, [1, 1]);
    }
    this.#device.queue.submit([encoder.finish()]);
    await this.#staging.mapAsync(GPUMapMode.READ);
    const bytes = this.#staging.getMappedRange().slice(0);
    this.#staging.unmap();
    const [number, hitPart] = new Uint32Array(bytes, 0, 2);
    const [, , middleX, middleY] = new Float32Array(bytes, 0, 4);
    const [x, y, z, middleZ] = new Float32Array(bytes, bytesPerTarget, 4);
    const drawable = drawables.find((other) => other.number === number);
    const drawn = drawable && {
      drawable,
      part: hitPart,
      position: [x, y, z] as const,
      middle: [middleX, middleY, middleZ] as const,
    };
    return nearestInImages(drawables, this.#words, part, drawn);
  }

  dispose(): void {
    for (const texture of [...this.#targets, this.#depth]) texture.destroy();
    this.#view.destroy();
    this.#staging.destroy();
  }

  #draw(pass: GPURenderPassEncoder, drawable: Surface | PointCloud | ImagePlane): void {
    const { uniform } = drawable.paint.block.resources();
    if (drawable instanceof Surface) {
      const { vertices, indices, indirect } = drawable.buffers as SurfaceBuffers;
      this.#use(pass, this.#surfaces, uniform, vertices, indices);
      // The words of an indexed draw also serve one without an index: as many vertices as indices, one instance.
      pass.drawIndirect(indirect, 0);
      return;
    }
    const { positions, count } = drawable.buffer as PointBuffer | ImageBuffers;
    this.#use(pass, "size" in drawable ? this.#points : this.#images, uniform, positions);
    pass.draw(3 * count);
  }

  #use(pass: GPURenderPassEncoder, pipeline: GPURenderPipeline, ...buffers: readonly GPUBuffer[]): void {
    const group = (index: number, bound: readonly GPUBuffer[]) =>
      this.#device.createBindGroup({
        layout: pipeline.getBindGroupLayout(index),
        entries: bound.map((buffer, binding) => ({ binding, resource: { buffer } })),
      });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group(0, [this.#view]));
    pass.setBindGroup(1, group(1, buffers));
  }
}
