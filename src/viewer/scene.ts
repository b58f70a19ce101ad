import { Color, PerspectiveCamera, Scene, type WebGPURenderer } from "three/webgpu";
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
import { lineHeight } from "./glyph-atlas.ts";
import { multiply } from "./matrix.ts";
import { Overlay } from "./overlay.ts";
import { type Sums, TranslucentPass } from "./passes/translucent-pass.ts";
import { Surface } from "./surface.ts";
import { themeColors } from "./theme.ts";
import { drawTriad, placeTriad } from "./triad.ts";
import { ViewUniforms } from "./view-uniforms.ts";

/** Device pixels of a whole view, `ratio` of them to a CSS pixel. */
export interface PixelSize extends ViewSize {
  readonly ratio: number;
}

/** What is in the picture: surfaces, the data's box with its labels, the orientation mark. */
export class ViewerScene {
  readonly uniforms = new ViewUniforms();
  readonly #renderer: WebGPURenderer;
  readonly #device: GPUDevice;
  /** From below to above. */
  #surfaces: readonly Surface[] = [];
  #lastNumber = 0;
  readonly #composite = new Composite();
  readonly #sampleCount: number;
  #translucent: TranslucentPass | undefined;
  readonly #scene = new Scene();
  /** The materials have the view from `uniforms`; three.js wants a camera all the same. */
  readonly #camera = new PerspectiveCamera();
  readonly #overlay: Overlay;
  readonly #view = new Float64Array(16);
  readonly #projection = new Float64Array(16);
  readonly #clip = new Float64Array(16);

  /** `renderer` is initialized. */
  constructor(renderer: WebGPURenderer, device: GPUDevice, sampleCount: number) {
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

  /** A surface above the others; `changed` hears of all that calls for another frame. */
  addSurface(changed: () => void): Surface {
    const number = ++this.#lastNumber;
    const surface = new Surface(this.#renderer, this.#device, this.uniforms, number, {
      changed,
      removed: (gone) => {
        this.#surfaces = this.#surfaces.filter((other) => other !== gone);
        this.#scene.remove(gone.mesh);
        changed();
      },
    });
    this.#surfaces = [...this.#surfaces, surface];
    this.#scene.add(surface.mesh);
    return surface;
  }

  /** Takes the view for the renders that follow. */
  prepare(camera: OrbitCamera, pixels: PixelSize, box: LabelledBox | undefined, theme: Theme): void {
    const colors = themeColors[theme];
    const [red, green, blue] = colors.background;
    this.#renderer.setClearColor(new Color(red, green, blue), 1);
    setViewMatrix(camera, this.#view);
    const width = pixels.width / pixels.ratio;
    const height = pixels.height / pixels.ratio;
    setProjectionMatrix(camera, { width, height }, this.#projection);
    this.uniforms.set(this.#view, this.#projection);

    const overlay = this.#overlay;
    overlay.begin(width, height, pixels.ratio);
    if (box) {
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

  /** Into the canvas, or the renderer's present target, which has this size. */
  render(size: ViewSize): void {
    this.#composite.show(this.#sumTranslucent(size));
    this.#renderer.render(this.#scene, this.#camera);
  }

  #sumTranslucent(size: ViewSize): Sums | undefined {
    const isAny = this.#surfaces.some((surface) => surface.isTranslucent && surface.buffers);
    if (!isAny) {
      this.#translucent?.rest();
      return undefined;
    }
    this.#translucent ??= new TranslucentPass(this.#device, this.#sampleCount);
    return this.#translucent.draw(this.#surfaces, this.uniforms, size);
  }

  dispose(): void {
    this.#translucent?.dispose();
    this.#composite.dispose();
    for (const surface of this.#surfaces) surface.remove();
    this.#overlay.dispose();
  }
}
