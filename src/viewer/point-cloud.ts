import { attribute, bool, float, uniform, varying, vec2, vec4 } from "three/tsl";
import {
  BufferAttribute,
  DoubleSide,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  type Node,
  NodeMaterial,
  type Renderer,
} from "three/webgpu";
import { Drawn, type Showing } from "./drawn.ts";
import { bindBuffer } from "./internals.ts";
import { Paint } from "./paint.ts";
import { roundNormal, shade } from "./shading.ts";
import type { ViewUniforms } from "./view-uniforms.ts";

/** Points that live on the GPU. Whoever made the buffer keeps and destroys it. */
export interface PointBuffer {
  /** 12 bytes a point, f32: relative to the data's centre, in its units. Usage VERTEX. */
  readonly positions: GPUBuffer;
  /** f32, NaN allowed. Usage VERTEX. */
  readonly scalars: GPUBuffer;
  readonly count: number;
}

/** Points as small balls of a constant size on the screen. */
export class PointCloud extends Drawn {
  readonly mesh: Mesh;
  readonly #renderer: Renderer;
  readonly #geometry = new InstancedBufferGeometry();
  readonly #positions = new InstancedBufferAttribute(new Float32Array(0), 3);
  readonly #scalars = new InstancedBufferAttribute(new Float32Array(0), 1);
  /** Stands in while there are no points: three destroys the buffer it finds on disposal. */
  readonly #placeholder: GPUBuffer;
  readonly #size = uniform(4);
  #buffer: PointBuffer | undefined;

  constructor(
    renderer: Renderer,
    device: GPUDevice,
    uniforms: ViewUniforms,
    number: number,
    showing: Showing,
  ) {
    super(number, new Paint(device, number), showing);
    this.#renderer = renderer;
    this.#placeholder = device.createBuffer({ label: "no points", size: 16, usage: GPUBufferUsage.VERTEX });
    const corners = new Float32Array([-1, -1, 1, -1, 1, 1, -1, 1]);
    this.#geometry.setAttribute("corner", new BufferAttribute(corners, 2));
    this.#geometry.setAttribute("position", this.#positions);
    this.#geometry.setAttribute("scalar", this.#scalars);
    this.#geometry.setIndex([0, 1, 2, 0, 2, 3]);
    this.#bind(undefined);

    const inScene = attribute<"vec3">("position", "vec3").mul(uniforms.scale);
    const position = uniforms.view.mul(vec4(inScene, 1));
    const corner = attribute<"vec2">("corner", "vec2");
    const across = varying(vec2(corner));
    const material = new NodeMaterial();
    material.side = DoubleSide;
    material.lights = false;
    material.vertexNode = uniforms.projectAround(position, corner.mul(this.#size));
    material.fragmentNode = vec4(
      shade({
        position: varying(position.xyz),
        normal: roundNormal({ across }) as Node<"vec3">,
        isFront: bool(true),
        color: this.paint.color(attribute("scalar", "float")),
        isFlat: float(0),
        kept: this.paint.kept(inScene, uniforms).min(float(1).sub(across.dot(across))),
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

  /** What is drawn; undefined where nothing is. */
  get buffer(): PointBuffer | undefined {
    return this.#buffer;
  }

  /** Diameter in CSS pixels. */
  get size(): number {
    return this.#size.value;
  }

  setBuffer(buffer: PointBuffer | undefined): void {
    this.#bind(buffer);
    this.#geometry.instanceCount = buffer?.count ?? 0;
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
    bindBuffer(this.#renderer, this.#positions, buffer?.positions ?? this.#placeholder);
    bindBuffer(this.#renderer, this.#scalars, buffer?.scalars ?? this.#placeholder);
  }
}
