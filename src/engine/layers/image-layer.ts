import { CrinkleError, cancelled } from "../../core/errors.ts";
import { type Bounds, gridCenter, type UniformGrid } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import type { Layer } from "../../core/layers.ts";
import type { ScalarBar } from "../../core/view.ts";
import type { GpuField } from "../../gpu/fields/gpu-field.ts";
import { withoutQuotes } from "../../lang/expression/syntax/quoting.ts";
import type { Hit, ImagePlane } from "../../viewer/viewer.ts";
import type { LayerSummary, ProbeReport } from "../api.ts";
import { type NodeScalar, nodeScalar } from "../node-scalar.ts";
import type { Session } from "../session.ts";
import type { Adjusted } from "./adjust.ts";
import { flatGrid, nearestNode, placeImage } from "./image-place.ts";
import type { LayerView, LayerViewEvents } from "./layer-view.ts";
import { checkPaint, colorRange, scalarBar } from "./paint.ts";
import { surfacePaint } from "./surface-paint.ts";

/** What is shown of a flat grid. */
interface Shown {
  readonly grid: UniformGrid;
  readonly bounds: Bounds;
  /** Undefined where it has one colour. */
  readonly color: NodeScalar | undefined;
  /** Where its values are. */
  readonly field: GpuField | undefined;
}

/** A flat grid as an image of a field, in whose buffer the picture looks values up: whatever they become, the next frame shows. */
export class ImageLayer implements LayerView {
  readonly isRanked = false;
  readonly #image: ImagePlane;
  readonly #events: LayerViewEvents;
  #layer: Layer;
  #shown: Shown | undefined;
  /** Whether it reads a derived field, which goes when it is computed again. */
  #isBorrowed = false;
  #isDisposed = false;

  /** Takes over `image`, and shows nothing until `set`. */
  constructor(image: ImagePlane, layer: Layer, events: LayerViewEvents) {
    this.#image = image;
    this.#layer = layer;
    this.#events = events;
  }

  get layer(): Layer {
    return this.#layer;
  }

  get bar(): ScalarBar | undefined {
    const color = this.#shown?.color;
    return color && scalarBar(this.#layer.paint, color, this.#range(color));
  }

  get isComputed(): boolean {
    return this.#shown?.color?.isComputed ?? false;
  }

  fits({ shape }: Layer): boolean {
    return shape.kind === "image";
  }

  async set(session: Session, layer: Layer, job: JobContext): Promise<LayerSummary> {
    checkPaint(layer.paint);
    const grid = flatGrid(session.data);
    const { colorBy } = layer;
    const color = colorBy === undefined ? undefined : await nodeScalar(session, colorBy, job);
    if (this.#isDisposed) {
      color?.release();
      throw cancelled("The layer");
    }
    const former = this.#shown;
    this.#shown = { grid, bounds: session.data.bounds, color, field: color && gpuFieldOf(color) };
    this.#layer = layer;
    const isDerived = colorBy !== undefined && session.derived.get(withoutQuotes(colorBy)) !== undefined;
    this.#isBorrowed = isDerived && !color?.isComputed;
    this.resume();
    former?.color?.release();
    this.#paint();
    this.#image.setVisible(layer.isVisible);
    return { field: undefined, color: color?.statistics, notes: color?.notes ?? [] };
  }

  adjust({ layer }: Adjusted): void {
    const former = this.#layer;
    if (layer.paint !== former.paint) checkPaint(layer.paint);
    this.#layer = layer;
    this.#image.setVisible(layer.isVisible);
    if (layer.paint !== former.paint || layer.clip !== former.clip) this.#paint();
    if (layer.isVisible !== former.isVisible) this.#events.barsChanged();
  }

  setPlace(place: number): void {
    this.#image.setPlace(place);
  }

  /** Frames read the field's buffer as it is. */
  prepareFrame(): void {}

  /** What may be freed is not drawn. */
  suspend(): void {
    if (this.#isBorrowed) this.#image.setImage(undefined);
  }

  resume(): void {
    if (!this.#shown) return;
    const { grid, bounds, field } = this.#shown;
    this.#image.setImage({ values: field?.buffer.buffer, ...placeImage(grid, bounds) });
  }

  async triangles(): Promise<number> {
    return 0;
  }

  async readMesh(): Promise<undefined> {
    return undefined;
  }

  draws(drawable: Hit["drawable"]): boolean {
    return drawable === this.#image;
  }

  /** At the node whose texel it is. */
  async report(session: Session, hit: Hit): Promise<ProbeReport | undefined> {
    const shown = this.#shown;
    if (!shown) return undefined;
    const { surfaceReport } = await import("../probe/surface-report.ts");
    if (this.#isDisposed) throw cancelled("The layer");
    const node = nearestNode(shown.grid, hit.position);
    const at = { ...hit, part: undefined, position: node, middle: node };
    return surfaceReport(session, this.#layer, undefined, [0, 0, 0], at);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#image.remove();
    this.#shown?.color?.release();
    this.#shown = undefined;
  }

  #paint(): void {
    if (!this.#shown) return;
    const { color, field, grid } = this.#shown;
    const range = color && this.#range(color);
    this.#image.setPaint(surfacePaint(this.#layer, range, field?.offsets[0] ?? 0, gridCenter(grid)));
    this.#events.barsChanged();
  }

  #range({ statistics }: NodeScalar): readonly [number, number] {
    return colorRange(this.#layer.paint, statistics, undefined);
  }
}

function gpuFieldOf({ value, text, release }: NodeScalar): GpuField {
  if (value.kind === "gpu") return value.field;
  release();
  throw new CrinkleError({ tag: "NoWebGPU", problem: `“${text}” is not on the GPU.` });
}
