import { uniform, vec2, vec4 } from "three/tsl";
import { Matrix4, type Node, Vector2, Vector4 } from "three/webgpu";
import type { Matrix4 as Matrix } from "./matrix.ts";

/** A part of the view: clip space's xy becomes xy · scale + offset. */
export type ViewPart = readonly [scaleX: number, scaleY: number, offsetX: number, offsetY: number];

/** The view as every material reads it. A viewer has one instance, whose values are set before each render. */
export class ViewUniforms {
  /** World (box diagonal 1) to view. */
  readonly view = uniform(new Matrix4());
  /** Scene units per grid unit. */
  readonly scale = uniform(1);
  readonly #projection = uniform(new Matrix4());
  readonly #viewport = uniform(new Vector2(1, 1));
  readonly #part = uniform(new Vector4(1, 1, 0, 0));

  /** `width` and `height`: CSS pixels. */
  set(view: Matrix, projection: Matrix, width: number, height: number): void {
    this.#viewport.value.set(width, height);
    this.view.value.fromArray(view);
    this.#projection.value.fromArray(projection);
  }

  /** Restricts rendering to a part of the view: clip space's xy becomes xy · scale + offset. */
  setPart(scaleX: number, scaleY: number, offsetX: number, offsetY: number): void {
    this.#part.value.set(scaleX, scaleY, offsetX, offsetY);
  }

  get part(): ViewPart {
    return this.#part.value.toArray();
  }

  /** The same for shaders other than three.js's: the words of `View`, optionally for another part of the view. */
  write(block: Float32Array, [x, y, z, w] = this.part): void {
    const projection = this.#projection.value.elements;
    block.set(this.view.value.elements, 0);
    block.set(projection, 16);
    for (let column = 16; column < 32; column += 4) {
      block[column] = block[column] * x + block[column + 3] * z;
      block[column + 1] = block[column + 1] * y + block[column + 3] * w;
    }
    const near = projection[14] / projection[10];
    const far = projection[14] / (projection[10] + 1);
    block.set([this.scale.value, near, far], 32);
    block.set([this.#viewport.value.x / x, this.#viewport.value.y / y], 36);
  }

  project(viewPosition: Node<"vec4">): Node<"vec4"> {
    return this.clipPart(this.#projection.mul(viewPosition));
  }

  /** Converts CSS pixels to halves of the part's sides. */
  reach(pixels: Node<"float">): Node<"vec2"> {
    return vec2(pixels).div(this.#viewport).mul(this.#part.xy);
  }

  /** Maps clip space of the whole view to that of the part. */
  clipPart(clip: Node<"vec4">): Node<"vec4"> {
    return vec4(clip.xy.mul(this.#part.xy).add(this.#part.zw.mul(clip.w)), clip.zw);
  }
}
