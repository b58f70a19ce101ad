import type { ViewSize } from "../camera.ts";
import type { DepthImage } from "../depth-image.ts";
import type { ImageBuffers, ImagePlane } from "../image-plane.ts";
import type { PointBuffer, PointCloud } from "../point-cloud.ts";
import { Surface } from "../surface.ts";
import type { ViewUniforms } from "../view-uniforms.ts";
import type { SurfaceBuffers } from "../wrapped-geometry.ts";
import type { PaintBlock } from "./paint-block.ts";
import { depthFormat, sumsFormats, surfaceSumsShader, viewWords } from "./shaders.ts";

const surfaceLayout: GPUVertexBufferLayout = {
  arrayStride: 32,
  attributes: [
    { shaderLocation: 0, offset: 0, format: "float32x3" },
    { shaderLocation: 1, offset: 12, format: "float32x3" },
    { shaderLocation: 2, offset: 24, format: "float32" },
  ],
};

const sum = { srcFactor: "one", dstFactor: "one" } as const;
const product = { srcFactor: "zero", dstFactor: "one-minus-src" } as const;
const writeSums: GPUColorTargetState[] = [
  { format: sumsFormats[0], blend: { color: sum, alpha: sum } },
  { format: sumsFormats[1], blend: { color: product, alpha: product } },
];
const writeNothing = sumsFormats.map((format) => ({ format, writeMask: 0 }));

type AnyDrawable = Surface | PointCloud | ImagePlane | DepthImage;
type Kind = "opaque" | "translucent";

/** The results of the pass, to be composited over the picture. */
export interface Sums {
  /** Weighted colours and the sum of the weights. */
  readonly accumulated: GPUTexture;
  /** The fraction of the background that shows through. */
  readonly transmittance: GPUTexture;
}

interface Targets extends Sums {
  readonly width: number;
  readonly height: number;
  /** Multi-sampled targets, if surfaces use several samples per pixel. */
  samples: Sums | undefined;
  /** Depth textures by samples per pixel. */
  readonly depths: Map<number, GPUTexture>;
}

/** Accumulates translucent drawables before the picture is drawn; costs nothing while everything is opaque. */
export class TranslucentPass {
  readonly #device: GPUDevice;
  readonly #sampleCount: number;
  readonly #view: GPUBuffer;
  readonly #viewWords = new Float32Array(viewWords);
  readonly #sampler: GPUSampler;
  readonly #pipelines = new Map<string, GPURenderPipeline>();
  readonly #paintLayout: GPUBindGroupLayout;
  readonly #pointGroupLayout: GPUBindGroupLayout;
  readonly #surfaceLayout: GPUPipelineLayout;
  readonly #pointsLayout: GPUPipelineLayout;
  readonly #viewGroup: GPUBindGroup;
  readonly #paintGroups = new WeakMap<PaintBlock, GPUBindGroup>();
  readonly #pointGroups = new WeakMap<PointBuffer | ImageBuffers, GPUBindGroup>();
  #targets: Targets | undefined;

  constructor(device: GPUDevice, sampleCount: number) {
    this.#device = device;
    this.#sampleCount = sampleCount;
    this.#view = device.createBuffer({
      label: "view",
      size: 4 * viewWords,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
    this.#sampler = device.createSampler({ magFilter: "linear", minFilter: "linear" });
    const { VERTEX, FRAGMENT } = GPUShaderStage;
    const viewLayout = device.createBindGroupLayout({
      entries: [{ binding: 0, visibility: VERTEX | FRAGMENT, buffer: {} }],
    });
    this.#paintLayout = device.createBindGroupLayout({
      entries: [
        { binding: 0, visibility: VERTEX | FRAGMENT, buffer: {} },
        { binding: 1, visibility: VERTEX | FRAGMENT, texture: {} },
        { binding: 2, visibility: VERTEX | FRAGMENT, sampler: {} },
      ],
    });
    const buffer = { type: "read-only-storage" } as const;
    this.#pointGroupLayout = device.createBindGroupLayout({
      entries: [0, 1].map((binding) => ({ binding, visibility: VERTEX | FRAGMENT, buffer })),
    });
    const groups = [viewLayout, this.#paintLayout];
    this.#surfaceLayout = device.createPipelineLayout({ bindGroupLayouts: groups });
    this.#pointsLayout = device.createPipelineLayout({
      bindGroupLayouts: [...groups, this.#pointGroupLayout],
    });
    this.#viewGroup = device.createBindGroup({
      layout: viewLayout,
      entries: [{ binding: 0, resource: { buffer: this.#view } }],
    });
  }

  /** Submits the pass for a target of this size; the textures are the same until the size changes. */
  draw(drawables: readonly AnyDrawable[], view: ViewUniforms, size: ViewSize): Sums {
    const targets = this.#sized(size);
    view.write(this.#viewWords);
    this.#device.queue.writeBuffer(this.#view, 0, this.#viewWords);
    const encoder = this.#device.createCommandEncoder({ label: "translucent drawables" });
    const shown = drawables.filter((drawable) => drawable.isShown);
    const opaque = shown.filter((drawable) => !drawable.isTranslucent);
    // A point covers a whole pixel or none of it, so more samples would only take time.
    let loadOp: GPULoadOp = "clear";
    for (const count of new Set([this.#sampleCount, 1])) {
      const summed = shown.filter(
        (drawable) => drawable.isTranslucent && this.#samplesOf(drawable) === count,
      );
      if (summed.length === 0) continue;
      const pass = this.#begin(encoder, targets, count, loadOp);
      for (const drawable of opaque) this.#drawThing(pass, drawable, "opaque", count);
      for (const drawable of summed) this.#drawThing(pass, drawable, "translucent", count);
      pass.end();
      loadOp = "load";
    }
    this.#device.queue.submit([encoder.finish()]);
    return targets;
  }

  /** Releases the targets, because everything is opaque. */
  rest(): void {
    for (const texture of texturesOf(this.#targets)) texture.destroy();
    this.#targets = undefined;
  }

  dispose(): void {
    this.rest();
    this.#view.destroy();
  }

  #samplesOf(drawable: AnyDrawable): number {
    return drawable instanceof Surface ? this.#sampleCount : 1;
  }

  #begin(
    encoder: GPUCommandEncoder,
    targets: Targets,
    count: number,
    loadOp: GPULoadOp,
  ): GPURenderPassEncoder {
    const drawn = count > 1 ? this.#samples(targets, count) : targets;
    const attachment = (texture: GPUTexture, resolved: GPUTexture, clearValue: GPUColor) => ({
      view: texture.createView(),
      ...(texture === resolved ? {} : { resolveTarget: resolved.createView() }),
      clearValue,
      loadOp,
      storeOp: texture === resolved ? ("store" as const) : ("discard" as const),
    });
    let depth = targets.depths.get(count);
    if (!depth) {
      depth = this.#texture("translucent: depth", targets, depthFormat, count);
      targets.depths.set(count, depth);
    }
    const pass = encoder.beginRenderPass({
      colorAttachments: [
        attachment(drawn.accumulated, targets.accumulated, [0, 0, 0, 0]),
        attachment(drawn.transmittance, targets.transmittance, [1, 1, 1, 1]),
      ],
      depthStencilAttachment: {
        view: depth.createView(),
        depthClearValue: 1,
        depthLoadOp: "clear",
        depthStoreOp: "discard",
      },
    });
    pass.setBindGroup(0, this.#viewGroup);
    return pass;
  }

  #drawThing(pass: GPURenderPassEncoder, drawable: AnyDrawable, kind: Kind, count: number): void {
    if ("drawDepth" in drawable) {
      drawable.drawDepth(pass, count);
      pass.setBindGroup(0, this.#viewGroup);
      return;
    }
    pass.setPipeline(this.#pipeline(drawable, kind, count));
    pass.setBindGroup(1, this.#paintGroup(drawable.paint.block));
    if (drawable instanceof Surface) {
      const { vertices, indices, indirect } = drawable.buffers as SurfaceBuffers;
      pass.setVertexBuffer(0, vertices);
      pass.setIndexBuffer(indices, "uint32");
      pass.drawIndexedIndirect(indirect, 0);
    } else {
      const points = drawable.buffer as PointBuffer | ImageBuffers;
      pass.setBindGroup(2, this.#pointGroup(points));
      pass.draw(3 * points.count);
    }
  }

  #pipeline(drawable: Surface | PointCloud | ImagePlane, kind: Kind, count: number): GPURenderPipeline {
    const isSurface = drawable instanceof Surface;
    const label = `${kind} ${isSurface ? "surfaces" : "size" in drawable ? "points" : "images"}, samples: ${count}`;
    let pipeline = this.#pipelines.get(label);
    if (!pipeline) {
      const code = isSurface ? surfaceSumsShader : drawable.sumsShader;
      const module = this.#device.createShaderModule({ label, code });
      const isOpaque = kind === "opaque";
      pipeline = this.#device.createRenderPipeline({
        label,
        layout: isSurface ? this.#surfaceLayout : this.#pointsLayout,
        vertex: { module, entryPoint: "place", buffers: isSurface ? [surfaceLayout] : [] },
        fragment: { module, entryPoint: kind, targets: isOpaque ? writeNothing : writeSums },
        primitive: { topology: "triangle-list", cullMode: "none" },
        depthStencil: { format: depthFormat, depthCompare: "less-equal", depthWriteEnabled: isOpaque },
        multisample: { count },
      });
      this.#pipelines.set(label, pipeline);
    }
    return pipeline;
  }

  #pointGroup(points: PointBuffer | ImageBuffers): GPUBindGroup {
    let group = this.#pointGroups.get(points);
    if (!group) {
      const buffers = [points.positions, points.scalars];
      group = this.#device.createBindGroup({
        layout: this.#pointGroupLayout,
        entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
      });
      this.#pointGroups.set(points, group);
    }
    return group;
  }

  #paintGroup(block: PaintBlock): GPUBindGroup {
    const { uniform, table } = block.resources();
    let group = this.#paintGroups.get(block);
    if (!group) {
      group = this.#device.createBindGroup({
        layout: this.#paintLayout,
        entries: [
          { binding: 0, resource: { buffer: uniform } },
          { binding: 1, resource: table.createView() },
          { binding: 2, resource: this.#sampler },
        ],
      });
      this.#paintGroups.set(block, group);
    }
    return group;
  }

  #sized({ width, height }: ViewSize): Targets {
    const present = this.#targets;
    if (present?.width === width && present.height === height) return present;
    this.rest();
    const sums = this.#sums({ width, height }, 1, GPUTextureUsage.TEXTURE_BINDING);
    this.#targets = { width, height, ...sums, samples: undefined, depths: new Map() };
    return this.#targets;
  }

  #samples(targets: Targets, count: number): Sums {
    targets.samples ??= this.#sums(targets, count);
    return targets.samples;
  }

  #sums(size: ViewSize, count: number, usage = 0): Sums {
    return {
      accumulated: this.#texture("translucent: colors", size, sumsFormats[0], count, usage),
      transmittance: this.#texture("translucent: transmittance", size, sumsFormats[1], count, usage),
    };
  }

  #texture(
    label: string,
    { width, height }: ViewSize,
    format: GPUTextureFormat,
    sampleCount: number,
    usage = 0,
  ): GPUTexture {
    return this.#device.createTexture({
      label,
      size: [width, height],
      format,
      sampleCount,
      usage: GPUTextureUsage.RENDER_ATTACHMENT | usage,
    });
  }
}

function texturesOf(targets: Targets | undefined): readonly GPUTexture[] {
  if (!targets) return [];
  const { accumulated, transmittance, samples, depths } = targets;
  return [
    accumulated,
    transmittance,
    ...depths.values(),
    ...(samples ? [samples.accumulated, samples.transmittance] : []),
  ];
}
