import { attribute, texture, varying, vec2, vec4, wgslFn } from "three/tsl";
import {
  BufferAttribute,
  BufferGeometry,
  ExternalTexture,
  FloatType,
  Mesh,
  NearestFilter,
  type Node,
  NodeMaterial,
  type TextureDataType,
  type TextureNode,
  UnsignedByteType,
} from "three/webgpu";
import type { DrawableHost } from "./drawable.ts";
import type { OffscreenDrawing } from "./offscreen-drawing.ts";
import { ImageDepthPass } from "./passes/image-depth-pass.ts";
import type { ViewUniforms } from "./view-uniforms.ts";

const imageColor = wgslFn(/* wgsl */ `
fn imageColor(color: vec4<f32>, depth: f32) -> vec4<f32> {
  if (depth >= 1.0) {
    discard;
  }
  return color;
}`);

/** One triangle over the whole view. */
const cover = new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]);

interface Textures {
  readonly width: number;
  readonly height: number;
  readonly color: GPUTexture;
  readonly depth: GPUTexture;
}

/**
 * A drawing that was made elsewhere, in the picture as if its surfaces were drawn here: each pixel has its depth. It covers the
 * whole view, whatever its size, so it is right for the camera that it was drawn with alone.
 */
export class DepthImage {
  readonly number: number;
  readonly isTranslucent = false;
  readonly mesh: Mesh;
  readonly #device: GPUDevice;
  readonly #host: DrawableHost;
  readonly #depthPass: ImageDepthPass;
  readonly #color: TextureNode<"vec4">;
  readonly #depth: TextureNode<"vec4">;
  #textures: Textures | undefined;
  #drawing: OffscreenDrawing | undefined;
  #isVisible = true;

  /** `number` is unique among what the picture shows. */
  constructor(device: GPUDevice, uniforms: ViewUniforms, number: number, host: DrawableHost) {
    this.number = number;
    this.#device = device;
    this.#host = host;
    this.#depthPass = new ImageDepthPass(device, uniforms);
    const position = attribute<"vec3">("position", "vec3");
    const uv = varying(vec2(position.x.mul(0.5).add(0.5), position.y.mul(-0.5).add(0.5)));
    this.#textures = this.#allocate(1, 1);
    this.#color = texture(wrapped(this.#textures.color, UnsignedByteType), uv);
    this.#depth = texture(wrapped(this.#textures.depth, FloatType), uv);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(cover, 3));
    const material = new NodeMaterial();
    material.lights = false;
    material.vertexNode = uniforms.clipPart(vec4(position, 1));
    material.depthNode = this.#depth.x;
    material.fragmentNode = imageColor({ color: this.#color, depth: this.#depth.x }) as Node<"vec4">;
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  get isShown(): boolean {
    return this.#isVisible && this.#drawing !== undefined;
  }

  /** Shows this drawing, or none, from the next frame on. Its arrays must stay as they are. */
  show(drawing: OffscreenDrawing | undefined): void {
    this.#drawing = drawing;
    if (drawing) this.#upload(drawing);
    this.#changed();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#changed();
  }

  /** Where it coincides with others, the one with the higher place is visible. */
  setPlace(place: number): void {
    this.mesh.renderOrder = place;
    this.#changed();
  }

  /** The depth at a place of the view, from 0 to 1 right and down; 1 where nothing is. */
  depthAt(right: number, down: number): number {
    const { width, height, depth } = this.#drawing ?? { width: 0, height: 0, depth: undefined };
    const x = Math.floor(right * width);
    const y = Math.floor(down * height);
    return depth && x >= 0 && y >= 0 && x < width && y < height ? depth[y * width + x] : 1;
  }

  /** Writes its depths in a pass of `samples` samples a pixel. Replaces the pass's pipeline and group 0. */
  drawDepth(pass: GPURenderPassEncoder, samples: number): void {
    if (this.#textures) this.#depthPass.draw(pass, this.#textures.depth, samples);
  }

  /** Removes it from the picture for good. */
  remove(): void {
    this.#host.removed(this);
    this.#drawing = undefined;
    this.#release();
    this.#depthPass.dispose();
    this.mesh.geometry.dispose();
    (this.mesh.material as NodeMaterial).dispose();
  }

  #changed(): void {
    this.mesh.visible = this.isShown;
    this.#host.changed();
  }

  #upload({ width, height, color, depth }: OffscreenDrawing): void {
    if (this.#textures?.width !== width || this.#textures.height !== height) {
      this.#release();
      this.#textures = this.#allocate(width, height);
      this.#color.value = wrapped(this.#textures.color, UnsignedByteType);
      this.#depth.value = wrapped(this.#textures.depth, FloatType);
    }
    const layout = { bytesPerRow: 4 * width };
    const { queue } = this.#device;
    queue.writeTexture({ texture: this.#textures.color }, color as BufferSource, layout, [width, height]);
    queue.writeTexture({ texture: this.#textures.depth }, depth as BufferSource, layout, [width, height]);
  }

  #allocate(width: number, height: number): Textures {
    const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST;
    const create = (name: string, format: GPUTextureFormat) =>
      this.#device.createTexture({ label: `image: ${name}`, size: [width, height], format, usage });
    return { width, height, color: create("color", "rgba8unorm"), depth: create("depth", "r32float") };
  }

  #release(): void {
    if (!this.#textures) return;
    this.#color.value.dispose();
    this.#depth.value.dispose();
    this.#textures.color.destroy();
    this.#textures.depth.destroy();
    this.#textures = undefined;
  }
}

function wrapped(source: GPUTexture, type: TextureDataType): ExternalTexture {
  const external = new ExternalTexture(source);
  external.type = type;
  external.magFilter = NearestFilter;
  external.minFilter = NearestFilter;
  external.generateMipmaps = false;
  external.needsUpdate = true;
  return external;
}
