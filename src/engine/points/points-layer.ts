import { quantileOf, Selection } from "../../algorithms/statistics/selection.ts";
import { fieldStatistics } from "../../algorithms/statistics/statistics.ts";
import { CrinkleError, cancelled, isCancelled } from "../../core/errors.ts";
import type { JobContext } from "../../core/job.ts";
import type { Layer } from "../../core/layers.ts";
import type { ScalarBar } from "../../core/view.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { fieldValues } from "../../gpu/primitives/field-values.ts";
import { withPrimitives } from "../../gpu/primitives/with-primitives.ts";
import type { Hit, PointCloud } from "../../viewer/viewer.ts";
import type { LayerSummary, ProbeReport } from "../api.ts";
import { sampleColorMap } from "../colormaps.ts";
import type { Adjusted } from "../layers/adjust.ts";
import type { LayerView, LayerViewEvents, PaintedMesh } from "../layers/layer-view.ts";
import { type ColorSource, checkPaint, clipPlane, colorRange, scalarBar } from "../layers/paint.ts";
import { nodeScalar } from "../node-scalar.ts";
import { pointReport } from "../probe/point-report.ts";
import type { Session } from "../session.ts";
import { GpuPoints } from "./gpu-points.ts";

/** Fraction of the points at each end that the colour range on the shown points ignores. */
const rangeTail = 0.01;

interface Color extends ColorSource {
  /** The level that is added to the scalars to give the values. */
  readonly offset: number;
  readonly notes: readonly string[];
}

/** What colours points, as a field. */
const shownScalars = ({ scalars: buffer, count }: GpuPoints, offset: number) => ({
  buffer,
  count,
  components: 1,
  offsets: [offset],
});

/** A layer of points. */
export class PointsLayer implements LayerView {
  readonly isRanked = false;
  readonly #gpu: GpuContext;
  readonly #cloud: PointCloud;
  readonly #events: LayerViewEvents;
  #layer: Layer;
  #points: GpuPoints | undefined;
  #color: Color | undefined;
  /** Range of the colour over the points; undefined until known. */
  #shownRange: readonly [number, number] | undefined;
  #isDisposed = false;

  /** Shows nothing until `set`. */
  constructor(gpu: GpuContext, cloud: PointCloud, layer: Layer, events: LayerViewEvents) {
    this.#gpu = gpu;
    this.#cloud = cloud;
    this.#layer = layer;
    this.#events = events;
  }

  get layer(): Layer {
    return this.#layer;
  }

  get bar(): ScalarBar | undefined {
    return this.#color && scalarBar(this.#layer.paint, this.#color, this.#range(this.#color));
  }

  fits({ shape }: Layer): boolean {
    return shape.kind === "points";
  }

  async set(session: Session, layer: Layer, job: JobContext): Promise<LayerSummary> {
    checkPaint(layer.paint);
    const { points: set } = session.data;
    if (!set) {
      throw new CrinkleError({
        tag: "BadArgument",
        problem: `“${session.data.dataSet.name}” is a grid, not a set of points.`,
        remedy: "Choose an isosurface, a cut, a slice or a threshold.",
      });
    }
    const points = await GpuPoints.send(this.#gpu, set, session.data.bounds, job);
    let color: Color | undefined;
    let shownRange: readonly [number, number] | undefined;
    try {
      color =
        layer.colorBy === undefined ? undefined : await this.#paintBy(session, points, layer.colorBy, job);
      if (color && layer.paint.range === "surface") shownRange = await this.#measure(points, color);
      if (this.#isDisposed) throw cancelled("The layer");
    } catch (error) {
      points.release();
      throw error;
    }
    this.#cloud.setBuffer({
      positions: points.positions.buffer,
      scalars: points.scalars.buffer,
      count: points.count,
    });
    this.#points?.release();
    this.#points = points;
    this.#color = color;
    this.#layer = layer;
    this.#shownRange = shownRange;
    this.#show();
    this.#paint();
    const counts = { isovalue: undefined, triangles: 0, vertices: points.count, isTruncated: false };
    this.#events.counted(layer, counts, undefined);
    return { field: undefined, color: color?.statistics, notes: color?.notes ?? [] };
  }

  adjust({ layer }: Adjusted): void {
    const former = this.#layer;
    if (layer.paint !== former.paint) checkPaint(layer.paint);
    this.#layer = layer;
    this.#show();
    if (layer.paint !== former.paint || layer.clip !== former.clip) this.#paint();
    if (layer.paint.range === "surface" && former.paint.range !== "surface") void this.#measureLater();
    if (layer.isVisible !== former.isVisible) this.#events.barsChanged();
  }

  setPlace(place: number): void {
    this.#cloud.setPlace(place);
  }

  /** The scalars that colour the points have been copied, so nothing reads fields later. */
  prepareFrame(): void {}
  suspend(): void {}
  resume(): void {}

  async triangles(): Promise<number> {
    return 0;
  }

  async readMesh(): Promise<PaintedMesh | undefined> {
    return undefined;
  }

  draws(drawable: Hit["drawable"]): boolean {
    return drawable === this.#cloud;
  }

  async report(session: Session, { part }: Hit): Promise<ProbeReport | undefined> {
    const points = this.#points;
    return points && part !== undefined ? pointReport(session, this.#layer.id, points, part) : undefined;
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#cloud.remove();
    this.#points?.release();
    this.#points = undefined;
    this.#color = undefined;
  }

  /** Fills the scalars with the values of a column or an expression, or with densities if no column has that name. */
  async #paintBy(session: Session, points: GpuPoints, text: string, job: JobContext): Promise<Color> {
    if (text === "density" && !session.signatures().some(({ name }) => name === "density")) {
      await points.takeDensities(job);
      const field = shownScalars(points, 0);
      const statistics = await withPrimitives(this.#gpu, (primitives) =>
        fieldStatistics(fieldValues(primitives, field)),
      );
      return { text, statistics, offset: 0, notes: [] };
    }
    const scalar = await nodeScalar(session, text, job);
    try {
      const { value, statistics, notes } = scalar;
      if (value.kind === "host")
        throw new CrinkleError({ tag: "NoWebGPU", problem: `“${text}” is not on the GPU.` });
      const { field } = value;
      const encoder = this.#gpu.device.createCommandEncoder({ label: "points: scalars" });
      encoder.copyBufferToBuffer(field.buffer.buffer, 0, points.scalars.buffer, 0, 4 * points.count);
      this.#gpu.device.queue.submit([encoder.finish()]);
      return { text, statistics, offset: field.offsets[0], notes };
    } finally {
      scalar.release();
    }
  }

  /** Undefined if no scalar is finite. */
  async #measure(points: GpuPoints, { offset }: Color): Promise<readonly [number, number] | undefined> {
    return withPrimitives(this.#gpu, async (primitives) => {
      const selection = new Selection(fieldValues(primitives, shownScalars(points, offset)));
      const low = await quantileOf(selection, rangeTail);
      const high = await quantileOf(selection, 1 - rangeTail);
      return Number.isNaN(low) ? undefined : ([low, high] as const);
    });
  }

  async #measureLater(): Promise<void> {
    const points = this.#points;
    const color = this.#color;
    if (!points || !color) return;
    try {
      const range = await this.#measure(points, color);
      if (color !== this.#color) return;
      this.#shownRange = range ?? this.#shownRange;
      this.#paint();
    } catch (error) {
      if (!this.#isDisposed && !isCancelled(error)) this.#events.failed(error);
    }
  }

  #show(): void {
    const { shape, isVisible } = this.#layer;
    if (shape.kind === "points") this.#cloud.setSize(shape.size);
    this.#cloud.setVisible(isVisible);
  }

  #paint(): void {
    const { paint, clip } = this.#layer;
    const { map, reversed, scale, nanColor, solid, opacity } = paint;
    const [low, high] = this.#color ? this.#range(this.#color) : [0, 1];
    const offset = this.#color?.offset ?? 0;
    this.#cloud.setPaint({
      table: this.#color ? sampleColorMap(map, 256, reversed) : undefined,
      range: [low - offset, high - offset],
      scale,
      zero: -offset,
      nanColor,
      solid,
      opacity,
      clip: clip && clipPlane(clip, this.#points?.center ?? [0, 0, 0]),
    });
    this.#events.barsChanged();
  }

  #range({ statistics }: Color): readonly [number, number] {
    return colorRange(this.#layer.paint, statistics, this.#shownRange);
  }
}
