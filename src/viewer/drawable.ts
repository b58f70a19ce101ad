import type { Mesh, NodeMaterial } from "three/webgpu";
import type { Paint, PaintSettings } from "./paint.ts";

/** What a drawable reports to the scene that shows it. */
export interface DrawableHost {
  changed(): void;
  removed(drawable: { readonly mesh: Mesh }): void;
}

/** An object in the picture that can be painted, hidden, ordered and removed. */
export abstract class Drawable {
  /** Counted from 1, and unique within a picture. */
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

  /** Whether the translucent pass draws it. */
  get isTranslucent(): boolean {
    return this.paint.opacity < 1;
  }

  /** Throws BadArgument for an invalid colour. */
  setPaint(settings: PaintSettings): void {
    this.paint.set(settings);
    this.changed();
  }

  setVisible(isVisible: boolean): void {
    this.#isVisible = isVisible;
    this.changed();
  }

  /** Where drawables coincide, the one with the higher place is visible. */
  setPlace(place: number): void {
    this.mesh.renderOrder = place;
    this.changed();
  }

  /** Removes it from the picture for good; its buffers are not destroyed. */
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

  /** Whether any of it is visible. */
  abstract get isShown(): boolean;

  /** Releases what three.js made for it. */
  protected abstract release(): void;
}
