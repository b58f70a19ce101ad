import { attribute, frontFacing, fwidth, mix, texture, uniform, varying, vec2, vec4 } from "three/tsl";
import {
  DataTexture,
  DoubleSide,
  LinearFilter,
  Mesh,
  type Node,
  NodeMaterial,
  Vector3,
  Vector4,
  type WebGPURenderer,
} from "three/webgpu";
import type { Triple } from "../core/grid.ts";
import { parseCssColor } from "./css-color.ts";
import { PaintBlock, tableSize } from "./passes/paint-block.ts";
import { shade, weighScalar } from "./shading.ts";
import type { ViewUniforms } from "./view-uniforms.ts";
import { type SurfaceBuffers, WrappedGeometry } from "./wrapped-geometry.ts";

/** The side of a plane that is kept: where normal · position + offset ≥ 0. */
export interface ClipPlane {
  /** Of length 1. */
  readonly normal: Triple;
  /** In the grid's units, of positions relative to the grid's centre. */
  readonly offset: number;
}

export interface SurfacePaint {
  /** `tableSize` sRGB colours from low to high, three bytes each; undefined paints everything in `solid`. */
  readonly table: Uint8Array | undefined;
  /** The scalars that get the first and the last colour, in the buffer's numbers. */
  readonly range: readonly [low: number, high: number];
  /** CSS colours. */
  readonly nanColor: string;
  readonly solid: string;
  /** In (0, 1]; 1 where it is left out. */
  readonly opacity?: number;
  /** Normals across each triangle instead of the vertices'. */
  readonly isFlat?: boolean;
  readonly clip?: ClipPlane | undefined;
}

/** What a surface tells those who show it. */
interface Showing {
  changed(): void;
  removed(surface: Surface): void;
}

/** One of the surfaces in the picture: a lit mesh in GPU buffers, coloured through a table, NaN in a colour of its own. */
export class Surface {
  readonly mesh: Mesh;
  /** The paint for passes that are not three's. */
  readonly block: PaintBlock;
  /** From 1, of no other surface. */
  readonly number: number;
  readonly #showing: Showing;
  readonly #wrapped: WrappedGeometry;
  readonly #table: DataTexture;
  readonly #middle = uniform(0);
  readonly #perUnit = uniform(1);
  readonly #nan = uniform(new Vector3());
  readonly #solid = uniform(new Vector3());
  readonly #usesTable = uniform(0);
  readonly #isFlat = uniform(0);
  readonly #clip = uniform(new Vector4(0, 0, 0, 1));
  #buffers: SurfaceBuffers | undefined;
  #isVisible = true;
  #opacity = 1;

  constructor(
    renderer: WebGPURenderer,
    device: GPUDevice,
    uniforms: ViewUniforms,
    number: number,
    showing: Showing,
  ) {
    this.number = number;
    this.block = new PaintBlock(device, number);
    this.#showing = showing;
    this.#wrapped = new WrappedGeometry(renderer, device);
    this.#table = new DataTexture(new Uint8Array(tableSize * 4), tableSize, 1);
    this.#table.magFilter = LinearFilter;
    this.#table.minFilter = LinearFilter;

    const inScene = attribute<"vec3">("position", "vec3").mul(uniforms.scale);
    const position = uniforms.view.mul(vec4(inScene, 1));
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
        isFlat: this.#isFlat,
        kept: varying(inScene.dot(this.#clip.xyz).add(this.#clip.w.mul(uniforms.scale))),
      }) as Node<"vec3">,
      1,
    );
    this.mesh = new Mesh(this.#wrapped.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  /** What is drawn; undefined where nothing is. */
  get buffers(): SurfaceBuffers | undefined {
    return this.#isVisible ? this.#buffers : undefined;
  }

  get isTranslucent(): boolean {
    return this.#opacity < 1;
  }

  /** Shows these buffers, which may be others at any time, or none. Their contents may change without a word. */
  setBuffers(buffers: SurfaceBuffers | undefined): void {
    this.#wrapped.wrap(buffers);
    this.#buffers = buffers;
    this.#change();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.#change();
  }

  /** Throws BadArgument where a colour is none. */
  setPaint({ table, range: [low, high], nanColor, solid, ...paint }: SurfacePaint): void {
    const { isFlat = false, opacity = 1, clip } = paint;
    const nan = parseCssColor(nanColor);
    const rgb = parseCssColor(solid);
    const plane = clip ? ([...clip.normal, clip.offset] as const) : ([0, 0, 0, 1] as const);
    this.#opacity = opacity;
    this.block.set({ table, range: [low, high], nan, solid: rgb, opacity, isFlat, clip: plane });
    this.#solid.value.set(...rgb);
    this.#nan.value.set(...nan);
    this.#usesTable.value = table ? 1 : 0;
    if (table) {
      const texels = this.#table.image.data as Uint8Array;
      for (let i = 0; i < tableSize; i++) texels.set(table.subarray(3 * i, 3 * i + 3), 4 * i);
      this.#table.needsUpdate = true;
    }
    this.#middle.value = 0.5 * low + 0.5 * high;
    // A constant field has the middle colour.
    this.#perUnit.value = high > low ? 1 / (high - low) : 0;
    this.#isFlat.value = isFlat ? 1 : 0;
    this.#clip.value.set(...plane);
    this.#change();
  }

  /** Where surfaces coincide, the one of the higher place shows. */
  setPlace(place: number): void {
    this.mesh.renderOrder = place;
    this.#change();
  }

  /** Takes it out of the picture, for good; its buffers are left alone. */
  remove(): void {
    this.#showing.removed(this);
    this.#wrapped.dispose();
    this.#table.dispose();
    this.block.dispose();
    (this.mesh.material as NodeMaterial).dispose();
  }

  #change(): void {
    this.mesh.visible = this.buffers !== undefined && !this.isTranslucent;
    this.#showing.changed();
  }
}
