import { Renderer, WebGPUBackend } from "three/webgpu";
import { CrinkleError, cancelled } from "../core/errors.ts";
import type { Bounds } from "../core/grid.ts";
import { pixelsOf } from "../core/projection.ts";
import type { ScalarBar, Theme, ViewDirection, Viewport } from "../core/view.ts";
import { lossReported } from "../gpu/device/loss.ts";
import type { LabelledBox } from "./box-layout.ts";
import { fitBox, type OrbitCamera, orbit, pan, zoom } from "./camera.ts";
import type { DepthImage } from "./depth-image.ts";
import { FrameLoop, type FrameTime, frameScheduler, offscreenScheduler } from "./frame-loop.ts";
import { fitInsets } from "./free-area.ts";
import type { ImagePlane } from "./image-plane.ts";
import { drawOnDemand } from "./internals.ts";
import type { OffscreenRenderer } from "./offscreen.ts";
import type { OffscreenDrawing } from "./offscreen-drawing.ts";
import type { Hit } from "./passes/pick-pass.ts";
import type { PointCloud } from "./point-cloud.ts";
import { type PixelSize, type Surroundings, ViewerScene } from "./scene.ts";
import type { Surface } from "./surface.ts";
import { themeColors } from "./theme.ts";

export type { DepthImage } from "./depth-image.ts";
export type { FrameTime } from "./frame-loop.ts";
export type { Image, ImagePlane } from "./image-plane.ts";
export type { OffscreenDrawing } from "./offscreen-drawing.ts";
export type { ClipPlane, PaintSettings } from "./paint.ts";
export type { Hit } from "./passes/pick-pass.ts";
export type { PointBuffer, PointCloud } from "./point-cloud.ts";
export type { Surface } from "./surface.ts";
export type { SurfaceBuffers } from "./wrapped-geometry.ts";

export interface ViewerOptions {
  readonly theme: Theme;
  /** Draws without multi-sampling, and with at most one pixel per CSS pixel. */
  readonly isSoftware: boolean;
}

const isShown = ({ width, height }: Viewport) => width >= 1 && height >= 1;

/**
 * The picture: surfaces in GPU buffers, the data's box with labelled axes, a camera. Draws on demand, on the
 * engine's device, which it neither makes nor destroys. After the device is lost its methods do nothing.
 */
export class Viewer {
  /** Called before each frame is drawn, to submit the GPU work that the frame shows. */
  onBeforeFrame: (() => void) | undefined;

  readonly #renderer: Renderer;
  readonly #device: GPUDevice;
  readonly #isSoftware: boolean;
  readonly #hasCanvas: boolean;
  readonly #largestSide: number;
  readonly #scene: ViewerScene;
  readonly #loop: FrameLoop;
  #theme: Theme;
  #viewport: Viewport;
  #isResized = true;
  /** Whether camera, box, theme or size have changed since the matrices and the overlay were made. */
  #isViewStale = true;
  #viewNumber = 0;
  #isLost = false;
  #isDisposed = false;
  /** Once something has been drawn off screen. */
  #drawings: OffscreenRenderer | undefined;
  #box: LabelledBox | undefined;
  #camera: OrbitCamera;
  /** The direction of the last reset, while no gesture has changed the view since. */
  #fitted: ViewDirection | undefined = "default";

  /**
   * `resize` may change `viewport` later; the viewer owns the canvas from now on. Without a canvas it shows nothing on a
   * screen, but makes pictures: its frames only call `onBeforeFrame`, and nothing can be picked.
   */
  static async create(
    device: GPUDevice,
    canvas: OffscreenCanvas | undefined,
    viewport: Viewport,
    options: ViewerOptions,
  ): Promise<Viewer> {
    // three.js sets the canvas's style although there is none on an OffscreenCanvas, reads its size although nothing is
    // drawn into it, and takes over the device's handler of uncaptured errors.
    const element = Object.assign(canvas ?? { width: 1, height: 1 }, { style: {} }) as OffscreenCanvas;
    const parameters = { device, canvas: element, alpha: false, antialias: !options.isSoftware };
    // WebGPURenderer would include a WebGL backend and materials that are never used.
    const renderer = new Renderer(new WebGPUBackend(parameters), parameters);
    const { onuncapturederror } = device;
    await renderer.init();
    device.onuncapturederror = onuncapturederror;
    renderer.onDeviceLost = () => {};
    drawOnDemand(renderer);
    return new Viewer(device, renderer, canvas !== undefined, viewport, options);
  }

  private constructor(
    device: GPUDevice,
    renderer: Renderer,
    hasCanvas: boolean,
    viewport: Viewport,
    { theme, isSoftware }: ViewerOptions,
  ) {
    this.#renderer = renderer;
    this.#device = device;
    this.#viewport = viewport;
    this.#isSoftware = isSoftware;
    this.#hasCanvas = hasCanvas;
    this.#largestSide = device.limits.maxTextureDimension2D;
    this.#theme = theme;
    this.#scene = new ViewerScene(renderer, device, isSoftware ? 1 : 4);
    this.#camera = this.#fit("default");
    const scheduler = hasCanvas ? frameScheduler(device) : offscreenScheduler(device);
    this.#loop = new FrameLoop(() => this.#draw(), scheduler);
    void device.lost.then(() => {
      this.#isLost = true;
      this.#loop.stop();
    });
    this.invalidate();
  }

  /** Frames drawn so far. */
  get frame(): number {
    return this.#loop.count;
  }

  /** The latest frames, oldest first, at most 512. */
  get frameTimes(): readonly FrameTime[] {
    return this.#loop.times;
  }

  /** Draws again with the next frame of the display. */
  invalidate(): void {
    this.#loop.invalidate();
  }

  /** Draws again; resolves when that frame has been submitted to the GPU, or the device is lost. */
  frameDrawn(): Promise<void> {
    return this.#loop.drawn();
  }

  /** Resolves when all that has changed so far is on the display, or the device is lost; draws no frame for that alone. */
  shown(): Promise<void> {
    return this.#loop.shown();
  }

  /** Adds a surface above the others; it shows buffers once it has some. */
  addSurface(): Surface {
    return this.#scene.addSurface(() => this.invalidate());
  }

  /** Adds points above everything else; they are visible once they have a buffer. */
  addPoints(): Promise<PointCloud> {
    return this.#scene.addPoints(() => this.invalidate());
  }

  /** Adds an image above everything else; it is visible once it is set. */
  addImage(): Promise<ImagePlane> {
    return this.#scene.addImage(() => this.invalidate());
  }

  /** Adds a drawing that was made elsewhere; it is visible once it is shown. */
  addDepthImage(): Promise<DepthImage> {
    return this.#scene.addDepthImage(() => this.invalidate());
  }

  /** Sets the data's extents in physical units, for the box and its labels. Resets the camera. */
  setGrid(bounds: Bounds, units = ""): void {
    const extent = (axis: number) => bounds[2 * axis + 1] - bounds[2 * axis];
    const diagonal = Math.hypot(extent(0), extent(1), extent(2)) || 1;
    const half = (axis: number) => (0.5 * extent(axis)) / diagonal;
    this.#box = { half: [half(0), half(1), half(2)], bounds, units };
    this.#scene.uniforms.scale.value = 1 / diagonal;
    this.resetView("default");
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    this.#isViewStale = true;
    this.invalidate();
  }

  resize(viewport: Viewport): void {
    this.#viewport = viewport;
    this.#isResized = true;
    this.#isViewStale = true;
    this.#viewNumber++;
    if (this.#fitted && isShown(viewport)) this.#camera = this.#fit(this.#fitted);
    this.invalidate();
  }

  /** Changes whenever the camera or the view's size do. */
  get viewNumber(): number {
    return this.#viewNumber;
  }

  /** Sets the camera of a viewer that replaces another one, as after the loss of a device. */
  get camera(): OrbitCamera {
    return this.#camera;
  }

  set camera(camera: OrbitCamera) {
    this.#move(camera);
  }

  /** Gestures in CSS pixels: the scene follows the pointer. */
  orbit(dx: number, dy: number): void {
    this.#move(orbit(this.#camera, dx, dy));
  }

  pan(dx: number, dy: number): void {
    if (isShown(this.#viewport)) this.#move(pan(this.#camera, dx, dy, this.#viewport));
  }

  /** A factor above 1 comes nearer. */
  zoom(factor: number): void {
    this.#move(zoom(this.#camera, factor));
  }

  /** Shows the whole box from a direction: "+z" is seen from above, with x to the right. */
  resetView(direction: ViewDirection = "default"): void {
    this.#move(this.#fit(direction));
    this.#fitted = direction;
  }

  /**
   * The nearest triangle or point at a position of the view, opaque or not, in CSS pixels from the upper left;
   * undefined if there is none, or no view. Do not call it again before it has resolved.
   */
  async pick(x: number, y: number): Promise<Hit | undefined> {
    if (this.#isViewStale) await this.frameDrawn();
    if (this.#isLost || this.#isDisposed || !this.#isOnScreen) return undefined;
    try {
      return await this.#scene.pick(x, y, this.#viewport);
    } catch (error) {
      await lossReported(this.#device);
      if (this.#isLost || this.#isDisposed) return undefined;
      throw error;
    }
  }

  /**
   * PNG of the picture at `scale` times the screen's pixels (1 to 4), with `legends` beside it as on the page. Does not
   * need a presentable canvas. Throws BadArgument, TooLarge, OutOfMemory or DeviceLost.
   */
  async picture(scale: number, legends: readonly ScalarBar[] = []): Promise<Blob> {
    if (!(scale >= 1 && scale <= 4)) {
      throw new CrinkleError({
        tag: "BadArgument",
        problem: `A picture's scale is ${scale}.`,
        remedy: "Choose a scale from 1 to 4.",
      });
    }
    const [{ drawLegends }, { renderPicture }] = await Promise.all([
      import("./legend.ts"),
      import("./picture.ts"),
    ]);
    return this.#offscreen(async () => {
      const pixels = this.#pixels(scale);
      this.#scene.prepare(this.#camera, pixels, this.#surroundings);
      const samples = this.#isSoftware ? 0 : 4;
      const { canvas, context } = await renderPicture(this.#renderer, this.#scene, samples, pixels);
      const { width, height, ratio } = pixels;
      drawLegends(context, legends, themeColors[this.#theme], width / ratio, height / ratio, ratio);
      return canvas.convertToBlob({ type: "image/png" });
    });
  }

  /**
   * Colours and depths of the surfaces and points alone, over nothing, for compositing with what others draw: depths are
   * comparable between viewers whose grids (`setGrid`) and cameras are the same. Sizes of points are CSS pixels of
   * `viewport`, which need not be the one on the screen. Throws DeviceLost.
   */
  drawOffscreen(camera: OrbitCamera, viewport: Viewport): Promise<OffscreenDrawing> {
    return this.#offscreen(async () => {
      const offscreen = await this.#offscreenRenderer();
      this.#checkAlive();
      const pixels = { ...pixelsOf(viewport), ratio: viewport.pixelRatio };
      this.#scene.prepare(camera, pixels, undefined);
      return offscreen.draw(this.#scene, pixels);
    });
  }

  /** The view's size, with the pixels that a picture at `scale` times the screen's has. */
  viewport(scale: number): Viewport {
    const { width, height, pixelRatio } = this.#viewport;
    return { width, height, pixelRatio: Math.min(pixelRatio, this.#maxRatio) * scale };
  }

  /** Does not destroy the device or the buffers of surfaces. */
  dispose(): void {
    this.#isDisposed = true;
    this.#loop.stop();
    this.#scene.dispose();
    this.#drawings?.dispose();
    void this.#renderer.dispose();
  }

  async #offscreenRenderer(): Promise<OffscreenRenderer> {
    if (!this.#drawings) {
      const { OffscreenRenderer } = await import("./offscreen.ts");
      this.#drawings = new OffscreenRenderer(this.#renderer, this.#device);
    }
    return this.#drawings;
  }

  get #isOnScreen(): boolean {
    return this.#hasCanvas && isShown(this.#viewport);
  }

  get #surroundings(): Surroundings {
    return { theme: this.#theme, box: this.#box };
  }

  /** Runs `draw`, which prepares the scene and renders it, while no frame is drawn. */
  #offscreen<T>(draw: () => Promise<T>): Promise<T> {
    return this.#loop.hold(async () => {
      try {
        this.#checkAlive();
        this.onBeforeFrame?.();
        this.#isViewStale = true;
        return await draw();
      } catch (error) {
        if (!(error instanceof CrinkleError)) await lossReported(this.#device);
        this.#checkAlive();
        throw error;
      }
    });
  }

  #checkAlive(): void {
    if (this.#isLost) {
      throw new CrinkleError({
        tag: "DeviceLost",
        problem: "The GPU was lost before the picture was drawn.",
        remedy: "Save the picture once more when the surface is back.",
      });
    }
    if (this.#isDisposed) throw cancelled("The picture");
  }

  #pixels(scale: number): PixelSize {
    const viewport = this.viewport(scale);
    return { ...pixelsOf(viewport), ratio: viewport.pixelRatio };
  }

  #move(camera: OrbitCamera): void {
    this.#camera = camera;
    this.#fitted = undefined;
    this.#isViewStale = true;
    this.#viewNumber++;
    this.invalidate();
  }

  #fit(direction: ViewDirection): OrbitCamera {
    const size = isShown(this.#viewport) ? this.#viewport : { width: 1, height: 1 };
    const half = this.#box?.half ?? [0.5, 0.5, 0.5];
    return fitBox(half, direction, size, fitInsets(size));
  }

  /** The most pixels per CSS pixel that the canvas has; pictures without one are drawn in parts of any size. */
  get #maxRatio(): number {
    if (!this.#hasCanvas) return Number.POSITIVE_INFINITY;
    return this.#isSoftware ? 1 : this.#largestSide / Math.max(this.#viewport.width, this.#viewport.height);
  }

  #draw(): void {
    if (this.#isLost) return;
    this.onBeforeFrame?.();
    if (!this.#isOnScreen) return;
    const pixels = this.#pixels(1);
    if (this.#isResized) {
      // Here and not in `resize`: a new size clears the canvas, which must be drawn in the same task.
      this.#renderer.setSize(pixels.width, pixels.height, false);
      this.#isResized = false;
    }
    if (this.#isViewStale) this.#scene.prepare(this.#camera, pixels, this.#surroundings);
    this.#isViewStale = false;
    this.#scene.render(pixels);
  }
}
