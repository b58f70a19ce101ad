import { attribute, screenUV, texture, vec4 } from "three/tsl";
import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  ExternalTexture,
  Mesh,
  NearestFilter,
  NodeMaterial,
  type TextureNode,
} from "three/webgpu";
import type { Sums } from "./passes/translucent-pass.ts";

/** Composites the translucent sums over the opaque picture, with one triangle over the whole view. */
export class Composite {
  readonly mesh: Mesh;
  readonly #accumulated: TextureNode<"vec4">;
  readonly #transmittance: TextureNode<"vec4">;
  #sums: Sums | undefined;

  constructor() {
    const none = new DataTexture(new Uint8Array(4), 1, 1);
    this.#accumulated = texture(none, screenUV);
    this.#transmittance = texture(none, screenUV);
    const geometry = new BufferGeometry();
    geometry.setAttribute(
      "position",
      new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3),
    );
    const material = new NodeMaterial();
    material.transparent = true;
    material.depthTest = false;
    material.depthWrite = false;
    material.lights = false;
    material.vertexNode = vec4(attribute<"vec3">("position", "vec3"), 1);
    material.fragmentNode = vec4(
      this.#accumulated.rgb.div(this.#accumulated.a.max(1e-5)),
      this.#transmittance.r.oneMinus(),
    );
    this.mesh = new Mesh(geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.mesh.renderOrder = Number.MAX_SAFE_INTEGER - 1;
  }

  show(sums: Sums | undefined): void {
    this.mesh.visible = sums !== undefined;
    if (!sums || sums.accumulated === this.#sums?.accumulated) return;
    this.#sums = sums;
    this.#accumulated.value.dispose();
    this.#transmittance.value.dispose();
    this.#accumulated.value = wrapped(sums.accumulated);
    this.#transmittance.value = wrapped(sums.transmittance);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    (this.mesh.material as NodeMaterial).dispose();
  }
}

function wrapped(source: GPUTexture): ExternalTexture {
  const external = new ExternalTexture(source);
  external.magFilter = NearestFilter;
  external.minFilter = NearestFilter;
  external.generateMipmaps = false;
  external.needsUpdate = true;
  return external;
}
