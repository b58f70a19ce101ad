import type { Mesh, NodeMaterial } from "three/webgpu";
import type { Paint, PaintSettings } from "./paint.ts";

/** What a drawn drawable tells those who show it. */
export interface DrawableHost {
  changed(): void;
  removed(drawable: Drawable): void;
}

/** A drawable in the picture that can be painted, hidden, ordered and taken away. */
export abstract class Drawable {
  /** From 1, of no other drawable in the same picture. */
  readonly number: number;
  abstract readonly mesh: Mesh;
  readonly paint: Paint;
  readonly #host: DrawableHost;
  #isVisible = true;

  constructor(number: number, paint: Paint, host: DrawableHost) {
    this.number = number;
    this.paint = paint;
    this.#host = host;
  }

  get isVisible(): boolean {
    return this.#isVisible;
  }

  /** Whether it is left to the pass for translucent drawables. */
  get isTranslucent(): boolean {
    return this.paint.opacity < 1;
  }

  /** Throws BadArgument where a colour is none. */
  setPaint(settings: PaintSettings): void {
    this.paint.set(settings);
    this.changed();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.changed();
  }

  /** Where drawables coincide, the one of the higher place shows. */
  setPlace(place: number): void {
    this.mesh.renderOrder = place;
    this.changed();
  }

  /** Takes it out of the picture, for good; its buffers are left alone. */
  remove(): void {
    this.#host.removed(this);
    this.release();
    this.paint.dispose();
    (this.mesh.material as NodeMaterial).dispose();
  }

  protected changed(): void {
    this.mesh.visible = this.isShown && !this.isTranslucent;
    this.#host.changed();
  }

  /** Whether there is anything of it to be seen. */
  abstract get isShown(): boolean;

  /** Lets go of what three.js made for it. */
  protected abstract release(): void;
}
