import { attribute, frontFacing, fwidth, mix, texture, uniform, varying, vec2, vec4 } from "three/tsl";
import {
  DataTexture,
  DoubleSide,
  LinearFilter,
  Mesh,
  type Node,
  NodeMaterial,
  Vector3,
  type WebGPURenderer,
} from "three/webgpu";
import type { Rgb } from "./css-color.ts";
import { shade, weighScalar } from "./shading.ts";
import type { ViewUniforms } from "./view-uniforms.ts";
import { type SurfaceBuffers, WrappedGeometry } from "./wrapped-geometry.ts";

/** Entries of a colour table. */
const tableSize = 256;

export interface SurfacePaint {
  /** `tableSize` sRGB colours from low to high, three bytes each; undefined paints everything in `solid`. */
  readonly table: Uint8Array | undefined;
  /** The scalars that get the first and the last colour, in the buffer's numbers. */
  readonly range: readonly [low: number, high: number];
  readonly nan: Rgb;
  readonly solid: Rgb;
}

/** The isosurface: a lit mesh in GPU buffers, coloured through a table, NaN in a colour of its own. */
export class Surface {
  readonly mesh: Mesh;
  readonly #wrapped: WrappedGeometry;
  readonly #table: DataTexture;
  readonly #scale = uniform(1);
  readonly #middle = uniform(0);
  readonly #perUnit = uniform(1);
  readonly #nan = uniform(new Vector3());
  readonly #solid = uniform(new Vector3());
  readonly #usesTable = uniform(1);

  constructor(renderer: WebGPURenderer, device: GPUDevice, uniforms: ViewUniforms) {
    this.#wrapped = new WrappedGeometry(renderer, device);
    this.#table = new DataTexture(new Uint8Array(tableSize * 4), tableSize, 1);
    this.#table.magFilter = LinearFilter;
    this.#table.minFilter = LinearFilter;

    const position = uniforms.view.mul(vec4(attribute<"vec3">("position", "vec3").mul(this.#scale), 1));
    const weighted = varying(
      weighScalar({
        scalar: attribute("scalar", "float"),
        middle: this.#middle,
        perUnit: this.#perUnit,
      }) as Node<"vec2">,
    );
    const t = weighted.x.div(weighted.y.max(1e-6)).clamp(0, 1);
    const entry = vec2(
      t
        .mul(tableSize - 1)
        .add(0.5)
        .div(tableSize),
      0.5,
    );
    // Half of a triangle with one NaN is drawn as NaN; a pixel's width softens the border.
    const isNumber = weighted.y.sub(0.5).div(fwidth(weighted.y).max(1e-6)).add(0.5).clamp(0, 1);
    const mapped = mix(this.#nan, texture(this.#table, entry).rgb, isNumber);
    const color = mix(this.#solid, mapped, this.#usesTable);

    const material = new NodeMaterial();
    material.side = DoubleSide;
    material.lights = false;
    material.vertexNode = uniforms.project(position);
    material.fragmentNode = vec4(
      shade({
        position: varying(position.xyz),
        normal: varying(uniforms.view.mul(vec4(attribute<"vec3">("normal", "vec3"), 0)).xyz),
        isFront: frontFacing,
        color,
      }) as Node<"vec3">,
      1,
    );
    this.mesh = new Mesh(this.#wrapped.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  setBuffers(buffers: SurfaceBuffers | undefined): void {
    this.#wrapped.wrap(buffers);
    this.mesh.visible = buffers !== undefined;
  }

  /** Scene units in one of the grid's. */
  setScale(scale: number): void {
    this.#scale.value = scale;
  }

  setPaint({ table, range: [low, high], nan, solid }: SurfacePaint): void {
    this.#usesTable.value = table ? 1 : 0;
    if (table) {
      const texels = this.#table.image.data as Uint8Array;
      for (let i = 0; i < tableSize; i++) texels.set(table.subarray(3 * i, 3 * i + 3), 4 * i);
      this.#table.needsUpdate = true;
    }
    this.#middle.value = 0.5 * low + 0.5 * high;
    // A constant field has the middle colour.
    this.#perUnit.value = high > low ? 1 / (high - low) : 0;
    this.#nan.value.set(...nan);
    this.#solid.value.set(...solid);
  }

  dispose(): void {
    this.#wrapped.dispose();
    this.#table.dispose();
  }
}
