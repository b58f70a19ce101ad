import { fwidth, mix, texture, uniform, varying, vec2 } from "three/tsl";
import { DataTexture, LinearFilter, type Node, Vector3, Vector4 } from "three/webgpu";
import type { Triple } from "../core/grid.ts";
import { type ScaleKind, scaleOver, shaderScale } from "../core/scale.ts";
import { parseCssColor } from "./css-color.ts";
import { PaintBlock, type Shading, shadingCode, tableSize } from "./passes/paint-block.ts";
import { scaled, weighScalar } from "./shading.ts";
import type { ViewUniforms } from "./view-uniforms.ts";

/** The kept side of a plane: normal · position + offset ≥ 0. */
export interface ClipPlane {
  /** A unit vector. */
  readonly normal: Triple;
  /** In the grid's units, for positions relative to the grid's centre. */
  readonly offset: number;
}

export interface PaintSettings {
  /** `tableSize` sRGB colours from low to high, three bytes each; undefined paints everything in `solid`. */
  readonly table: Uint8Array | undefined;
  /** The scalars that get the first and the last colour, in the buffer's numbers. */
  readonly range: readonly [low: number, high: number];
  /** How colours are laid out over the range; linear by default. */
  readonly scale?: ScaleKind | undefined;
  /** The scalar that stands for the number 0, in the buffer's numbers; 0 by default. Logarithms are taken from it on. */
  readonly zero?: number;
  /** CSS colours. */
  readonly nanColor: string;
  readonly solid: string;
  /** In (0, 1]; 1 by default. */
  readonly opacity?: number;
  /** Smooth by default. */
  readonly shading?: Shading;
  readonly clip?: ClipPlane | undefined;
}

/** How a drawable is coloured and clipped: three.js nodes, and the same for other passes. */
export class Paint {
  readonly block: PaintBlock;
  readonly shading = uniform(0);
  readonly #table: DataTexture;
  readonly #origin = uniform(0);
  readonly #perUnit = uniform(1);
  readonly #shift = uniform(0.5);
  readonly #scale = uniform(new Vector4(0, 0, 0, 0));
  readonly #nan = uniform(new Vector3());
  readonly #solid = uniform(new Vector3());
  readonly #usesTable = uniform(0);
  readonly #clip = uniform(new Vector4(0, 0, 0, 1));
  #opacity = 1;

  /** `number` is that of the drawable. */
  constructor(device: GPUDevice, number: number) {
    this.block = new PaintBlock(device, number);
    this.#table = new DataTexture(new Uint8Array(tableSize * 4), tableSize, 1);
    this.#table.magFilter = LinearFilter;
    this.#table.minFilter = LinearFilter;
  }

  get opacity(): number {
    return this.#opacity;
  }

  /** Throws BadArgument for an invalid colour. */
  set(settings: PaintSettings): void {
    const { table, nanColor, solid, shading = "smooth", opacity = 1, clip } = settings;
    const scale = scaleOf(settings);
    const nan = parseCssColor(nanColor);
    const rgb = parseCssColor(solid);
    const plane = clip ? ([...clip.normal, clip.offset] as const) : ([0, 0, 0, 1] as const);
    this.#opacity = opacity;
    this.block.set({ table, scale, nan, solid: rgb, opacity, shading, clip: plane });
    this.#solid.value.set(...rgb);
    this.#nan.value.set(...nan);
    this.#usesTable.value = table ? 1 : 0;
    if (table) {
      const texels = this.#table.image.data as Uint8Array;
      for (let i = 0; i < tableSize; i++) texels.set(table.subarray(3 * i, 3 * i + 3), 4 * i);
      this.#table.needsUpdate = true;
    }
    this.#origin.value = scale.origin;
    this.#perUnit.value = scale.perUnit;
    this.#shift.value = scale.shift;
    this.#scale.value.set(...scale.words);
    this.shading.value = shadingCode[shading];
    this.#clip.value.set(...plane);
  }

  /** The colour of a scalar that differs between the corners of a triangle. */
  color(scalar: Node<"float">): Node<"vec3"> {
    const weighted = varying(this.#weigh(scalar));
    // Half of a triangle with one NaN is drawn as NaN; the border is smoothed over one pixel.
    const isNumber = weighted.y.sub(0.5).div(fwidth(weighted.y).max(1e-6)).add(0.5).clamp(0, 1);
    return this.#look(weighted, isNumber);
  }

  /** The colour of a scalar that is not interpolated. */
  plainColor(scalar: Node<"float">): Node<"vec3"> {
    const weighted = this.#weigh(scalar);
    return this.#look(weighted, weighted.y);
  }

  /** Negative where a position in the scene is clipped away. */
  kept(inScene: Node<"vec3">, { scale }: ViewUniforms): Node<"float"> {
    return inScene.dot(this.#clip.xyz).add(this.#clip.w.mul(scale));
  }

  dispose(): void {
    this.#table.dispose();
    this.block.dispose();
  }

  #weigh(scalar: Node<"float">): Node<"vec2"> {
    return weighScalar({
      scalar,
      origin: this.#origin,
      perUnit: this.#perUnit,
      shift: this.#shift,
    }) as Node<"vec2">;
  }

  #look(weighted: Node<"vec2">, isNumber: Node<"float">): Node<"vec3"> {
    const t = scaled({ x: weighted.x.div(weighted.y.max(1e-6)), scale: this.#scale }) as Node<"float">;
    const entry = vec2(
      t
        .mul(tableSize - 1)
        .add(0.5)
        .div(tableSize),
      0.5,
    );
    const mapped = mix(this.#nan, texture(this.#table, entry, 0).rgb, isNumber);
    return mix(this.#solid, mapped, this.#usesTable);
  }
}

function scaleOf({ range: [low, high], scale = "linear", zero = 0 }: PaintSettings) {
  return shaderScale(scaleOver(scale, [low - zero, high - zero]), zero);
}
