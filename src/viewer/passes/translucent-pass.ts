import type { ViewSize } from "../camera.ts";
import type { PointBuffer, PointCloud } from "../point-cloud.ts";
import { Surface } from "../surface.ts";
import type { ViewUniforms } from "../view-uniforms.ts";
import type { SurfaceBuffers } from "../wrapped-geometry.ts";
import type { PaintBlock } from "./paint-block.ts";
import { translucentShader, viewWords } from "./shaders.ts";

const pointLayouts: GPUVertexBufferLayout[] = [
  {
    arrayStride: 12,
    stepMode: "instance",
    attributes: [{ shaderLocation: 0, offset: 0, format: "float32x3" }],
  },
  { arrayStride: 4, stepMode: "instance", attributes: [{ shaderLocation: 1, offset: 0, format: "float32" }] },
];
const surfaceLayout: GPUVertexBufferLayout = {
  arrayStride: 32,
  attributes: [
    { shaderLocation: 0, offset: 0, format: "float32x3" },
    { shaderLocation: 1, offset: 12, format: "float32x3" },
    { shaderLocation: 2, offset: 24, format: "float32" },
  ],
};

const depthFormat = "depth32float";
const sum = { srcFactor: "one", dstFactor: "one" } as const;
const product = { srcFactor: "zero", dstFactor: "one-minus-src" } as const;
const sumsFormats = ["rgba16float", "r16float"] as const;
const writeSums: GPUColorTargetState[] = [
  { format: sumsFormats[0], blend: { color: sum, alpha: sum } },
  { format: sumsFormats[1], blend: { color: product, alpha: product } },
];
const writeNothing = sumsFormats.map((format) => ({ format, writeMask: 0 }));

type Pipeline = "opaque_surface" | "opaque_point" | "translucent_surface" | "translucent_point";

/** What the pass leaves to be laid over the picture. */
export interface Sums {
  /** Weighted colours and the sum of the weights. */
  readonly accumulated: GPUTexture;
  /** The share of what is behind that shows through. */
  readonly revealed: GPUTexture;
}

interface Targets extends Sums {
  readonly width: number;
  readonly height: number;
  /** Of several samples a pixel; undefined where there is one. */
  readonly samples: Sums | undefined;
  readonly depth: GPUTexture;
}

/** Sums up what is translucent, before the picture is drawn; costs nothing while everything is opaque. */
export class TranslucentPass {
  readonly #device: GPUDevice;
  readonly #sampleCount: number;
  readonly #view: GPUBuffer;
  readonly #viewWords = new Float32Array(viewWords);
  readonly #sampler: GPUSampler;
  readonly #pipelines: Readonly<Record<Pipeline, GPURenderPipeline>>;
  readonly #paintLayout: GPUBindGroupLayout;
  readonly #viewGroup: GPUBindGroup;
  readonly #groups = new WeakMap<PaintBlock, GPUBindGroup>();
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
        { binding: 1, visibility: FRAGMENT, texture: {} },
        { binding: 2, visibility: FRAGMENT, sampler: {} },
      ],
    });
    const layout = device.createPipelineLayout({ bindGroupLayouts: [viewLayout, this.#paintLayout] });
    const module = device.createShaderModule({ label: "translucent things", code: translucentShader });
    const pipeline = (name: Pipeline) => {
      const isOpaque = name.startsWith("opaque");
      const isPoint = name.endsWith("point");
      return device.createRenderPipeline({
        label: name,
        layout,
        vertex: {
          module,
          entryPoint: isPoint ? "point_vertex" : "surface_vertex",
          buffers: isPoint ? pointLayouts : [surfaceLayout],
        },
        fragment: { module, entryPoint: name, targets: isOpaque ? writeNothing : writeSums },
        primitive: { topology: "triangle-list", cullMode: "none" },
        depthStencil: { format: depthFormat, depthCompare: "less-equal", depthWriteEnabled: isOpaque },
        multisample: { count: sampleCount },
      });
    };
    this.#pipelines = {
      opaque_surface: pipeline("opaque_surface"),
      opaque_point: pipeline("opaque_point"),
      translucent_surface: pipeline("translucent_surface"),
      translucent_point: pipeline("translucent_point"),
    };
    this.#viewGroup = device.createBindGroup({
      layout: viewLayout,
      entries: [{ binding: 0, resource: { buffer: this.#view } }],
    });
  }

  /** Submits the pass for a target of this size; the textures are the same until the size changes. */
  draw(things: readonly (Surface | PointCloud)[], view: ViewUniforms, size: ViewSize): Sums {
    const targets = this.#sized(size);
    view.write(this.#viewWords);
    this.#device.queue.writeBuffer(this.#view, 0, this.#viewWords);
    const encoder = this.#device.createCommandEncoder({ label: "translucent things" });
    const drawn = targets.samples ?? targets;
    const attachment = (texture: GPUTexture, resolved: GPUTexture, clearValue: GPUColor) => ({
      view: texture.createView(),
      ...(texture === resolved ? {} : { resolveTarget: resolved.createView() }),
      clearValue,
      loadOp: "clear" as const,
      storeOp: texture === resolved ? ("store" as const) : ("discard" as const),
    });
    const pass = encoder.beginRenderPass({
      colorAttachments: [
        attachment(drawn.accumulated, targets.accumulated, [0, 0, 0, 0]),
        attachment(drawn.revealed, targets.revealed, [1, 1, 1, 1]),
      ],
      depthStencilAttachment: {
        view: targets.depth.createView(),
        depthClearValue: 1,
        depthLoadOp: "clear",
        depthStoreOp: "discard",
      },
    });
    pass.setBindGroup(0, this.#viewGroup);
    for (const thing of things) if (!thing.isTranslucent) this.#drawThing(pass, thing, "opaque");
    for (const thing of things) if (thing.isTranslucent) this.#drawThing(pass, thing, "translucent");
    pass.end();
    this.#device.queue.submit([encoder.finish()]);
    return targets;
  }

  /** Lets go of the targets: everything is opaque. */
  rest(): void {
    for (const texture of texturesOf(this.#targets)) texture.destroy();
    this.#targets = undefined;
  }

  dispose(): void {
    this.rest();
    this.#view.destroy();
  }

  #drawThing(pass: GPURenderPassEncoder, thing: Surface | PointCloud, kind: "opaque" | "translucent"): void {
    if (!thing.isShown) return;
    pass.setBindGroup(1, this.#groupOf(thing.paint.block));
    if (thing instanceof Surface) {
      const { vertices, indices, indirect } = thing.buffers as SurfaceBuffers;
      pass.setPipeline(this.#pipelines[`${kind}_surface`]);
      pass.setVertexBuffer(0, vertices);
      pass.setIndexBuffer(indices, "uint32");
      pass.drawIndexedIndirect(indirect, 0);
    } else {
      const { positions, scalars, count } = thing.buffer as PointBuffer;
      pass.setPipeline(this.#pipelines[`${kind}_point`]);
      pass.setVertexBuffer(0, positions);
      pass.setVertexBuffer(1, scalars);
      pass.draw(6, count);
    }
  }

  #groupOf(block: PaintBlock): GPUBindGroup {
    const { uniform, table } = block.resources();
    let group = this.#groups.get(block);
    if (!group) {
      group = this.#device.createBindGroup({
        layout: this.#paintLayout,
        entries: [
          { binding: 0, resource: { buffer: uniform } },
          { binding: 1, resource: table.createView() },
          { binding: 2, resource: this.#sampler },
        ],
      });
      this.#groups.set(block, group);
    }
    return group;
  }

  #sized({ width, height }: ViewSize): Targets {
    const present = this.#targets;
    if (present?.width === width && present.height === height) return present;
    this.rest();
    const texture = (label: string, format: GPUTextureFormat, sampleCount: number, usage = 0) =>
      this.#device.createTexture({
        label,
        size: [width, height],
        format,
        sampleCount,
        usage: GPUTextureUsage.RENDER_ATTACHMENT | usage,
      });
    const sums = (sampleCount: number, usage = 0): Sums => ({
      accumulated: texture("translucent: colors", "rgba16float", sampleCount, usage),
      revealed: texture("translucent: revealed", "r16float", sampleCount, usage),
    });
    const count = this.#sampleCount;
    this.#targets = {
      width,
      height,
      ...sums(1, GPUTextureUsage.TEXTURE_BINDING),
      samples: count > 1 ? sums(count) : undefined,
      depth: texture("translucent: depth", depthFormat, count),
    };
    return this.#targets;
  }
}

function texturesOf(targets: Targets | undefined): readonly GPUTexture[] {
  if (!targets) return [];
  const { accumulated, revealed, samples, depth } = targets;
  return [accumulated, revealed, depth, ...(samples ? [samples.accumulated, samples.revealed] : [])];
}
