import type { ViewUniforms } from "../view-uniforms.ts";
import { depthFormat, sumsFormats } from "./shaders.ts";

const shader = /* wgsl */ `
/** The drawn part of the view: clip space's xy becomes xy · scale + offset. */
@group(0) @binding(0) var<uniform> part: vec4f;
@group(0) @binding(1) var depths: texture_2d<f32>;

struct Varying {
  @builtin(position) clip: vec4f,
  @location(0) place: vec2f,
}

@vertex fn cover(@builtin(vertex_index) vertex: u32) -> Varying {
  let corner = vec2f(f32(vertex & 1u), f32(vertex >> 1u)) * 4.0 - 1.0;
  return Varying(vec4f(corner * part.xy + part.zw, 0.0, 1.0), vec2f(0.5, -0.5) * corner + 0.5);
}

@fragment fn depth_at(in: Varying) -> @builtin(frag_depth) f32 {
  let size = vec2f(textureDimensions(depths));
  return textureLoad(depths, vec2u(clamp(in.place * size, vec2f(0.0), size - 1.0)), 0).x;
}
`;

/** Writes the depths of an image into the pass of translucent drawables, which are hidden behind it. */
export class ImageDepthPass {
  readonly #device: GPUDevice;
  readonly #uniforms: ViewUniforms;
  readonly #pipelines = new Map<number, GPURenderPipeline>();
  readonly #layout: GPUBindGroupLayout;
  readonly #part: GPUBuffer;
  readonly #words = new Float32Array(4);
  #group: { readonly depth: GPUTexture; readonly group: GPUBindGroup } | undefined;

  constructor(device: GPUDevice, uniforms: ViewUniforms) {
    this.#device = device;
    this.#uniforms = uniforms;
    const { VERTEX, FRAGMENT } = GPUShaderStage;
    this.#layout = device.createBindGroupLayout({
      entries: [
        { binding: 0, visibility: VERTEX, buffer: {} },
        { binding: 1, visibility: FRAGMENT, texture: { sampleType: "unfilterable-float" } },
      ],
    });
    this.#part = device.createBuffer({
      label: "image: part of the view",
      size: 16,
      usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    });
  }

  /** `depth` is of the format r32float. The pass is submitted before the view's next part is drawn. */
  draw(pass: GPURenderPassEncoder, depth: GPUTexture, samples: number): void {
    this.#words.set(this.#uniforms.part);
    this.#device.queue.writeBuffer(this.#part, 0, this.#words);
    pass.setPipeline(this.#pipeline(samples));
    pass.setBindGroup(0, this.#groupOf(depth));
    pass.draw(3);
  }

  dispose(): void {
    this.#part.destroy();
  }

  #groupOf(depth: GPUTexture): GPUBindGroup {
    if (this.#group?.depth !== depth) {
      const entries = [
        { binding: 0, resource: { buffer: this.#part } },
        { binding: 1, resource: depth.createView() },
      ];
      this.#group = { depth, group: this.#device.createBindGroup({ layout: this.#layout, entries }) };
    }
    return this.#group.group;
  }

  #pipeline(count: number): GPURenderPipeline {
    let pipeline = this.#pipelines.get(count);
    if (!pipeline) {
      const module = this.#device.createShaderModule({ label: "image: depth", code: shader });
      pipeline = this.#device.createRenderPipeline({
        label: `image: depth, samples: ${count}`,
        layout: this.#device.createPipelineLayout({ bindGroupLayouts: [this.#layout] }),
        vertex: { module, entryPoint: "cover" },
        fragment: {
          module,
          entryPoint: "depth_at",
          targets: sumsFormats.map((format) => ({ format, writeMask: 0 })),
        },
        primitive: { topology: "triangle-list" },
        depthStencil: { format: depthFormat, depthCompare: "less-equal", depthWriteEnabled: true },
        multisample: { count },
      });
      this.#pipelines.set(count, pipeline);
    }
    return pipeline;
  }
}
