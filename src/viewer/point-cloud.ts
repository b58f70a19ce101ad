import { storage, uniform, varying, vec3, vec4, vertexIndex, wgslFn } from "three/tsl";
import {
  BufferGeometry,
  DoubleSide,
  Mesh,
  type Node,
  NodeMaterial,
  type Renderer,
  StorageBufferAttribute,
} from "three/webgpu";
import { discClipCode, discCornerCode, shadeDiscCode } from "./disc-code.ts";
import { Drawable, type DrawableHost } from "./drawable.ts";
import { bindStorage } from "./internals.ts";
import { Paint } from "./paint.ts";
import { pointSumsShader } from "./passes/point-shader.ts";
import { lighting } from "./shading.ts";
import type { ViewUniforms } from "./view-uniforms.ts";

/** Points in GPU memory. Their creator keeps and destroys the buffer. */
export interface PointBuffer {
  /** 12 bytes a point, f32: relative to the data's centre, in its units. Usage STORAGE. */
  readonly positions: GPUBuffer;
  /** f32, NaN allowed. Usage STORAGE. */
  readonly scalars: GPUBuffer;
  readonly count: number;
}

const discCorner = wgslFn(discCornerCode);
const discClip = wgslFn(discClipCode);
const shadeDisc = wgslFn(shadeDiscCode, [lighting]);
const discHalfway = wgslFn(
  "fn discHalfway(position: vec3<f32>) -> vec3<f32> { return halfwayAt(position); }",
  [lighting],
);
const discColor = wgslFn("fn discColor(color: vec3<f32>) -> vec3<f32> { return linearOf(color); }", [
  lighting,
]);

/** Points as small balls of a constant size on the screen. */
export class PointCloud extends Drawable {
  readonly mesh: Mesh;
  /** The shader with which the translucent pass draws points. */
  readonly sumsShader = pointSumsShader;
  readonly #renderer: Renderer;
  readonly #geometry = new BufferGeometry();
  readonly #positions = new StorageBufferAttribute(new Float32Array(1), 1);
  readonly #scalars = new StorageBufferAttribute(new Float32Array(1), 1);
  /** The buffer while there are no points, and the one that three.js destroys on disposal. */
  readonly #placeholder: GPUBuffer;
  readonly #size = uniform(4);
  #buffer: PointBuffer | undefined;

  constructor(
    renderer: Renderer,
    device: GPUDevice,
    uniforms: ViewUniforms,
    number: number,
    host: DrawableHost,
  ) {
    super(number, new Paint(device, number), host);
    this.#renderer = renderer;
    this.#placeholder = device.createBuffer({ label: "no points", size: 16, usage: GPUBufferUsage.STORAGE });
    this.#bind(undefined);

    const positions = storage(this.#positions, "float", 0).toReadOnly();
    const scalars = storage(this.#scalars, "float", 0).toReadOnly();
    const point = vertexIndex.div(3);
    const word = point.mul(3);
    const place = vec3(
      positions.element(word),
      positions.element(word.add(1)),
      positions.element(word.add(2)),
    );
    const inScene = place.mul(uniforms.scale);
    const position = uniforms.view.mul(vec4(inScene, 1));
    const corner = discCorner({ vertex: vertexIndex }) as Node<"vec2">;
    const flat = (node: Node<"vec3">) => varying(node).setInterpolation("flat");
    const material = new NodeMaterial();
    material.side = DoubleSide;
    material.lights = false;
    material.vertexNode = discClip({
      position: place,
      clip: uniforms.project(position),
      corner,
      reach: uniforms.reach(this.#size),
      kept: this.paint.kept(inScene, uniforms),
    }) as Node<"vec4">;
    material.fragmentNode = vec4(
      shadeDisc({
        across: varying(corner),
        halfway: flat(discHalfway({ position: position.xyz }) as Node<"vec3">),
        linear: flat(discColor({ color: this.paint.plainColor(scalars.element(point)) }) as Node<"vec3">),
      }) as Node<"vec3">,
      1,
    );
    this.mesh = new Mesh(this.#geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  get isShown(): boolean {
    return this.isVisible && this.#buffer !== undefined && this.#buffer.count > 0;
  }

  /** The drawn buffers; undefined if nothing is drawn. */
  get buffer(): PointBuffer | undefined {
    return this.#buffer;
  }

  /** Diameter in CSS pixels. */
  get size(): number {
    return this.#size.value;
  }

  setBuffer(buffer: PointBuffer | undefined): void {
    this.#bind(buffer);
    this.#geometry.setDrawRange(0, 3 * (buffer?.count ?? 0));
    this.#buffer = buffer;
    this.changed();
  }

  setSize(size: number): void {
    this.#size.value = size;
    this.paint.block.setSize(size);
    this.changed();
  }

  protected release(): void {
    this.#bind(undefined);
    this.#geometry.dispose();
    this.#placeholder.destroy();
  }

  #bind(buffer: PointBuffer | undefined): void {
    bindStorage(this.#renderer, this.#positions, buffer?.positions ?? this.#placeholder);
    bindStorage(this.#renderer, this.#scalars, buffer?.scalars ?? this.#placeholder);
  }
}
