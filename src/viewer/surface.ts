import { attribute, frontFacing, varying, vec4 } from "three/tsl";
import { DoubleSide, Mesh, type Node, NodeMaterial, type Renderer } from "three/webgpu";
import { Drawable, type DrawableHost } from "./drawable.ts";
import { Paint } from "./paint.ts";
import { shade } from "./shading.ts";
import type { ViewUniforms } from "./view-uniforms.ts";
import { type SurfaceBuffers, WrappedGeometry } from "./wrapped-geometry.ts";

/** One of the surfaces in the picture: a lit mesh in GPU buffers, coloured through a table, NaN in a colour of its own. */
export class Surface extends Drawable {
  readonly mesh: Mesh;
  readonly #wrapped: WrappedGeometry;
  #buffers: SurfaceBuffers | undefined;

  constructor(
    renderer: Renderer,
    device: GPUDevice,
    uniforms: ViewUniforms,
    number: number,
    host: DrawableHost,
  ) {
    super(number, new Paint(device, number), host);
    this.#wrapped = new WrappedGeometry(renderer, device);
    const inScene = attribute<"vec3">("position", "vec3").mul(uniforms.scale);
    const position = uniforms.view.mul(vec4(inScene, 1));
    const material = new NodeMaterial();
    material.side = DoubleSide;
    material.lights = false;
    material.vertexNode = uniforms.project(position);
    material.fragmentNode = vec4(
      shade({
        position: varying(position.xyz),
        normal: varying(uniforms.view.mul(vec4(attribute<"vec3">("normal", "vec3"), 0)).xyz),
        isFront: frontFacing,
        color: this.paint.color(attribute("scalar", "float")),
        shading: this.paint.shading,
        kept: varying(this.paint.kept(inScene, uniforms)),
      }) as Node<"vec3">,
      1,
    );
    this.mesh = new Mesh(this.#wrapped.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  get isShown(): boolean {
    return this.isVisible && this.#buffers !== undefined;
  }

  /** The drawn buffers; undefined if nothing is drawn. */
  get buffers(): SurfaceBuffers | undefined {
    return this.#buffers;
  }

  /** Shows these buffers, or none. Their contents may change without notice. */
  setBuffers(buffers: SurfaceBuffers | undefined): void {
    this.#wrapped.wrap(buffers);
    this.#buffers = buffers;
    this.changed();
  }

  protected release(): void {
    this.#wrapped.dispose();
  }
}
