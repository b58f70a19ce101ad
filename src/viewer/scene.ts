import { Color, PerspectiveCamera, type Renderer, Scene } from "three/webgpu";
import type { Theme } from "../core/view.ts";
import { drawBox } from "./box-drawing.ts";
import { type LabelledBox, layoutBox } from "./box-layout.ts";
import {
  eyePosition,
  type OrbitCamera,
  setProjectionMatrix,
  setViewMatrix,
  type ViewSize,
} from "./camera.ts";
import { Composite } from "./composite.ts";
import type { DepthImage } from "./depth-image.ts";
import type { DrawableHost } from "./drawable.ts";
import { lineHeight } from "./glyph-atlas.ts";
import type { ImagePlane } from "./image-plane.ts";
import { multiply } from "./matrix.ts";
import { Overlay } from "./overlay.ts";
import type { Hit, PickPass } from "./passes/pick-pass.ts";
import type { Sums, TranslucentPass } from "./passes/translucent-pass.ts";
import type { PointCloud } from "./point-cloud.ts";
import { Surface } from "./surface.ts";
import { themeColors } from "./theme.ts";
import { drawTriad, placeTriad } from "./triad.ts";
import { ViewUniforms } from "./view-uniforms.ts";

/** Device pixels of a whole view, `ratio` of them to a CSS pixel. */
export interface PixelSize extends ViewSize {
  readonly ratio: number;
}

/** What the picture shows besides surfaces and points: a background, and the data's box, if there is one. */
export interface Surroundings {
  readonly theme: Theme;
  readonly box: LabelledBox | undefined;
}

/** CSS pixels from a point's edge within which it is still picked. */
const pickTolerance = 5;

/** The contents of the picture: surfaces, points, the data's box with its labels, the orientation mark. */
export class ViewerScene {
  readonly uniforms = new ViewUniforms();
  readonly #renderer: Renderer;
  readonly #device: GPUDevice;
  #drawables: readonly (Surface | PointCloud | ImagePlane | DepthImage)[] = [];
  #lastNumber = 0;
  readonly #composite = new Composite();
  readonly #sampleCount: number;
  #translucent: TranslucentPass | undefined;
  #pick: PickPass | undefined;
  readonly #scene = new Scene();
  /** Materials get the view from `uniforms`, but three.js still requires a camera. */
  readonly #camera = new PerspectiveCamera();
  readonly #overlay: Overlay;
  readonly #view = new Float64Array(16);
  readonly #projection = new Float64Array(16);
  readonly #clip = new Float64Array(16);

  /** `renderer` must be initialized. */
  constructor(renderer: Renderer, device: GPUDevice, sampleCount: number) {
    this.#renderer = renderer;
    this.#device = device;
    this.#sampleCount = sampleCount;
    // Our shaders write sRGB themselves: no conversion, and no intermediate target for it.
    renderer.outputColorSpace = "srgb-linear";
    this.#overlay = new Overlay(this.uniforms);
    this.#scene.add(this.#composite.mesh, this.#overlay.mesh);
    this.#scene.matrixWorldAutoUpdate = false;
    this.#camera.matrixWorldAutoUpdate = false;
  }

  /** Adds a surface above the others; `changed` is called when another frame is needed. */
  addSurface(changed: () => void): Surface {
    return this.#add(
      new Surface(this.#renderer, this.#device, this.uniforms, ++this.#lastNumber, this.#hostOf(changed)),
    );
  }

  async addPoints(changed: () => void): Promise<PointCloud> {
    const { PointCloud } = await import("./point-cloud.ts");
    return this.#add(
      new PointCloud(this.#renderer, this.#device, this.uniforms, ++this.#lastNumber, this.#hostOf(changed)),
    );
  }

  async addImage(changed: () => void): Promise<ImagePlane> {
    const { ImagePlane } = await import("./image-plane.ts");
    return this.#add(
      new ImagePlane(this.#renderer, this.#device, this.uniforms, ++this.#lastNumber, this.#hostOf(changed)),
    );
  }

  async addDepthImage(changed: () => void): Promise<DepthImage> {
    const { DepthImage } = await import("./depth-image.ts");
    return this.#add(new DepthImage(this.#device, this.uniforms, ++this.#lastNumber, this.#hostOf(changed)));
  }

  /** Whether there is all code that the next render needs. */
  get isLoaded(): boolean {
    return this.#translucent !== undefined || !this.#hasTranslucent;
  }

  /** Loads the code for translucent drawables. */
  async load(): Promise<void> {
    const { TranslucentPass } = await import("./passes/translucent-pass.ts");
    this.#translucent ??= new TranslucentPass(this.#device, this.#sampleCount);
  }

  /** Sets the view for the renders that follow: over nothing, if no surroundings are given. */
  prepare(camera: OrbitCamera, pixels: PixelSize, surroundings: Surroundings | undefined): void {
    const { box, theme } = surroundings ?? {};
    const colors = theme && themeColors[theme];
    const [red, green, blue, alpha] = colors?.background ?? [0, 0, 0, 0];
    this.#renderer.setClearColor(new Color(red, green, blue), alpha);
    setViewMatrix(camera, this.#view);
    const width = pixels.width / pixels.ratio;
    const height = pixels.height / pixels.ratio;
    setProjectionMatrix(camera, { width, height }, this.#projection);
    this.uniforms.set(this.#view, this.#projection, width, height);

    const overlay = this.#overlay;
    overlay.begin(width, height, pixels.ratio);
    if (box && colors) {
      overlay.prepareText(box.units);
      const matrix = multiply(this.#projection, this.#view, this.#clip);
      const eye = eyePosition(camera);
      const { measure } = overlay;
      const triad = placeTriad(this.#view, height);
      const layout = layoutBox(box, { matrix, eye, width, height, measure, lineHeight, taken: [triad] });
      drawBox(overlay, box, layout, matrix, eye, colors);
      drawTriad(overlay, this.#view, triad, colors);
    }
    overlay.end();
  }

  /** Renders into the canvas, or the renderer's present target, which has this size. What is not loaded is left out. */
  render(size: ViewSize): void {
    this.#composite.show(this.#sumTranslucent(size));
    this.#renderer.render(this.#scene, this.#camera);
  }

  #hostOf(changed: () => void): DrawableHost {
    return {
      changed,
      removed: (gone) => {
        this.#drawables = this.#drawables.filter((other) => other !== gone);
        this.#scene.remove(gone.mesh);
        changed();
      },
    };
  }

  #add<T extends Surface | PointCloud | ImagePlane | DepthImage>(drawable: T): T {
    this.#drawables = [...this.#drawables, drawable];
    this.#scene.add(drawable.mesh);
    return drawable;
  }

  #sumTranslucent(size: ViewSize): Sums | undefined {
    if (this.#hasTranslucent) return this.#translucent?.draw(this.#drawables, this.uniforms, size);
    this.#translucent?.rest();
    return undefined;
  }

  get #hasTranslucent(): boolean {
    return this.#drawables.some((drawable) => drawable.isTranslucent && drawable.isShown);
  }

  /**
   * What is visible at a position of the last prepared view, in CSS pixels from the upper left; undefined if nothing
   * is. Points can be picked slightly beyond their edge where nothing else is. Make one call at a time.
   */
  async pick(x: number, y: number, { width, height }: ViewSize): Promise<Hit | undefined> {
    const { PickPass } = await import("./passes/pick-pass.ts");
    this.#pick ??= new PickPass(this.#device);
    const part = [width, height, width - 2 * x, 2 * y - height] as const;
    const exact = await this.#pick.pick(this.#drawables, this.uniforms, part, 0);
    const hasPoints = this.#drawables.some((drawable) => drawable.isShown && "size" in drawable);
    return exact || !hasPoints
      ? exact
      : this.#pick.pick(this.#drawables, this.uniforms, part, 2 * pickTolerance);
  }

  dispose(): void {
    this.#pick?.dispose();
    this.#translucent?.dispose();
    this.#composite.dispose();
    for (const drawable of this.#drawables) drawable.remove();
    this.#overlay.dispose();
  }
}
