import { CrinkleError, isCancelled } from "../core/errors.ts";
import type { JobContext } from "../core/job.ts";
import type { TriangleMesh } from "../core/mesh.ts";
import type { Statistics } from "../core/statistics.ts";
import { IsosurfaceExtractor } from "../gpu/algorithms/isosurface/extractor.ts";
import type { SurfaceCounts } from "../gpu/algorithms/surface/surface.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import { PassTimer } from "../gpu/device/timing.ts";
import { withoutQuotes } from "../lang/expression/syntax/quoting.ts";
import type { Viewer } from "../viewer/viewer.ts";
import type { ColorSettings, ScalarBar, SurfaceSettings, SurfaceSummary } from "./api.ts";
import { colorMapStops, sampleColorMap } from "./colormaps.ts";
import { type NodeScalar, nodeScalar } from "./node-scalar.ts";
import type { Session } from "./session.ts";

/** Colours of a map in the scalar bar's gradient. */
const barStops = 33;

/** Of the vertices at either end, this share does not count for the colour range over the surface. */
const rangeTail = 0.01;

const solidColor = "#8fb8de";

export interface SurfaceViewEvents {
  /** `ms`: GPU time of an extraction of this field, where the device has timestamps. */
  counted(counts: SurfaceCounts, ms: number | undefined): void;
  barChanged(bar: ScalarBar | undefined): void;
  failed(error: unknown): void;
}

const defaultColors: ColorSettings = {
  map: "viridis",
  reversed: false,
  range: undefined,
  nanColor: "#b0b0b0",
};

/** The isosurface on the screen: which fields, which isovalue, which colours; extracted when a frame needs it. */
export class SurfaceView {
  readonly #viewer: Viewer;
  readonly #extractor: IsosurfaceExtractor;
  readonly #events: SurfaceViewEvents;
  #settings: SurfaceSettings | undefined;
  #field: NodeScalar | undefined;
  #color: NodeScalar | undefined;
  #colors = defaultColors;
  readonly #timer: PassTimer;
  /** The extraction that is being timed; one at a time, so that a drag reads back no more than its counts. */
  #timing: Promise<number | undefined> | undefined;
  #lastMs: number | undefined;
  /** Of the colour field over the surface; undefined until it is known. */
  #surfaceRange: readonly [number, number] | undefined;
  /** Reading that range; one at a time, and once more where the surface has changed meanwhile. */
  #measuring: Promise<void> | undefined;
  #isRangeDue = false;
  /** An isovalue that the next frame is to show. */
  #due: number | undefined;
  #held = 0;

  private constructor(
    viewer: Viewer,
    extractor: IsosurfaceExtractor,
    timer: PassTimer,
    events: SurfaceViewEvents,
  ) {
    this.#viewer = viewer;
    this.#extractor = extractor;
    this.#timer = timer;
    this.#events = events;
    viewer.onBeforeFrame = () => this.#extractDue();
  }

  static async create(gpu: GpuContext, viewer: Viewer, events: SurfaceViewEvents): Promise<SurfaceView> {
    let view: SurfaceView | undefined;
    const extractor = await IsosurfaceExtractor.create(gpu, {
      onBuffers: (surface) =>
        viewer.setSurface({ vertices: surface.vertices, indices: surface.indices, indirect: surface.draw }),
      onCounts: (counts) => {
        viewer.invalidate();
        if (!view) return;
        view.#measureRange();
        void view.#tellCounts(counts);
      },
      onError: (error) => events.failed(error),
    });
    view = new SurfaceView(viewer, extractor, new PassTimer(gpu.device, 1), events);
    return view;
  }

  get settings(): SurfaceSettings | undefined {
    return this.#settings;
  }

  get bar(): ScalarBar | undefined {
    if (!this.#color) return undefined;
    const [min, max] = this.#range(this.#color.statistics);
    const { map, reversed, nanColor } = this.#colors;
    return {
      title: withoutQuotes(this.#color.text),
      min,
      max,
      colors: colorMapStops(map, barStops, reversed),
      nanColor,
      hasNaN: this.#color.statistics.nan > 0,
    };
  }

  /** Shows a surface. The former one stays where the new one cannot be made. */
  async set(session: Session, settings: SurfaceSettings, job: JobContext): Promise<SurfaceSummary> {
    const field = await nodeScalar(session, settings.field, job);
    let color: NodeScalar | undefined;
    try {
      color = settings.colorBy === undefined ? undefined : await nodeScalar(session, settings.colorBy, job);
      await this.#extractor.setSource({
        tables: session.data.tables(gpuOf(session), "node"),
        field: gpuFieldOf(field),
        color: color && gpuFieldOf(color),
      });
    } catch (error) {
      field.release();
      color?.release();
      throw error;
    }
    this.#field?.release();
    this.#color?.release();
    this.#field = field;
    this.#color = color;
    this.#settings = settings;
    this.#surfaceRange = undefined;
    const { drawable } = this.#extractor;
    if (drawable) {
      this.#viewer.setSurface({
        vertices: drawable.vertices,
        indices: drawable.indices,
        indirect: drawable.draw,
      });
    }
    this.#paint();
    this.setIsovalue(settings.isovalue);
    return {
      field: field.statistics,
      color: color?.statistics,
      notes: [...new Set([...field.notes, ...(color?.notes ?? [])])],
    };
  }

  setIsovalue(isovalue: number): void {
    if (!this.#settings || !Number.isFinite(isovalue)) return;
    this.#settings = { ...this.#settings, isovalue };
    this.#due = isovalue;
    this.#viewer.invalidate();
  }

  setColors(colors: ColorSettings): void {
    sampleColorMap(colors.map, 2);
    this.#colors = colors;
    if (!this.#field) return;
    this.#paint();
    this.#measureRange();
  }

  hide(): void {
    this.#viewer.setSurface(undefined);
    this.#extractor.suspend();
    this.#field?.release();
    this.#color?.release();
    this.#field = undefined;
    this.#color = undefined;
    this.#settings = undefined;
    this.#due = undefined;
    this.#events.barChanged(undefined);
  }

  /** Whether the surface reads a field of this name. */
  uses(name: string): boolean {
    return [this.#field, this.#color].some((scalar) => scalar?.value.field.name === name);
  }

  /** Runs `work`, which may free fields that the surface reads; meanwhile frames show the surface as it is. */
  async held<T>(work: () => Promise<T>): Promise<T> {
    this.#held++;
    this.#extractor.suspend();
    try {
      return await work();
    } finally {
      this.#held--;
      if (this.#held === 0 && this.#settings) this.#extractor.resume();
      if (this.#due !== undefined) this.#viewer.invalidate();
    }
  }

  async readMesh(): Promise<TriangleMesh> {
    if (!this.#settings) throw nothingShown();
    this.#extractDue();
    return this.#extractor.readMesh();
  }

  /** Colours of vertices as the picture shows them, sRGB bytes; undefined where the surface has one colour. */
  vertexColors(scalars: Float32Array | undefined): Uint8Array | undefined {
    if (!scalars || !this.#color) return undefined;
    const [low, high] = this.#range(this.#color.statistics);
    const table = sampleColorMap(this.#colors.map, 256, this.#colors.reversed);
    const bytes = new Uint8Array(scalars.length * 3);
    for (let i = 0; i < scalars.length; i++) {
      const t = Number.isNaN(scalars[i]) ? 0 : (scalars[i] - low) / (high - low || 1);
      const at = 3 * Math.round(255 * Math.min(1, Math.max(0, t)));
      bytes[3 * i] = table[at];
      bytes[3 * i + 1] = table[at + 1];
      bytes[3 * i + 2] = table[at + 2];
    }
    return bytes;
  }

  /** The counts of what is shown, once the GPU has them. */
  async counts(): Promise<SurfaceCounts | undefined> {
    const counts = this.#settings ? await this.#extractor.counts() : undefined;
    while (this.#measuring) await this.#measuring;
    return counts;
  }

  dispose(): void {
    this.#viewer.onBeforeFrame = undefined;
    this.hide();
    this.#timer.dispose();
    this.#extractor.dispose();
  }

  #extractDue(): void {
    if (this.#due === undefined || this.#held > 0) return;
    const isovalue = this.#due;
    this.#due = undefined;
    const timestamps = this.#timing ? undefined : this.#timer.next();
    this.#extractor.extract(isovalue, timestamps);
    if (timestamps) this.#timing = this.#readTimer();
  }

  async #readTimer(): Promise<number | undefined> {
    try {
      this.#lastMs = (await this.#timer.read())[0];
    } catch {
      // The device was lost: whoever waits for the surface hears of it.
    }
    this.#timing = undefined;
    return this.#lastMs;
  }

  /** Says the counts, with the time of the extraction where it is being taken. */
  async #tellCounts(counts: SurfaceCounts): Promise<void> {
    const ms = this.#timing ? await this.#timing : this.#lastMs;
    if (counts.isovalue === this.#settings?.isovalue) this.#events.counted(counts, ms);
  }

  /** Takes the colours' range from the surface as it is now, where that is asked for. */
  #measureRange(): void {
    if (this.#colors.range !== "surface" || !this.#color) return;
    this.#isRangeDue = true;
    this.#measuring ??= this.#readRange().finally(() => {
      this.#measuring = undefined;
    });
  }

  async #readRange(): Promise<void> {
    while (this.#isRangeDue) {
      this.#isRangeDue = false;
      const color = this.#color;
      try {
        const range = await this.#extractor.readScalarRange(rangeTail);
        if (!color || color !== this.#color || !range) continue;
        this.#surfaceRange = range;
        this.#paint();
      } catch (error) {
        if (this.#settings && !isCancelled(error)) this.#events.failed(error);
      }
    }
  }

  #paint(): void {
    const { map, reversed, nanColor } = this.#colors;
    const [low, high] = this.#color ? this.#range(this.#color.statistics) : [0, 1];
    const offset = this.#extractor.drawable?.scalarOffset ?? 0;
    this.#viewer.setColors({
      table: this.#color ? sampleColorMap(map, 256, reversed) : undefined,
      range: [low - offset, high - offset],
      nanColor,
      solid: solidColor,
    });
    this.#events.barChanged(this.bar);
  }

  #range({ min, max }: Statistics): readonly [number, number] {
    const { range } = this.#colors;
    const asked = range === "surface" ? this.#surfaceRange : range;
    return asked ?? (Number.isFinite(min) ? [min, max] : [0, 1]);
  }
}

export const nothingShown = (): CrinkleError =>
  new CrinkleError({
    tag: "BadArgument",
    problem: "No surface is shown.",
    remedy: "Choose a surface field first.",
  });

function gpuOf(session: Session): GpuContext {
  const { gpu } = session.device;
  if (!gpu)
    throw new CrinkleError({ tag: "NoWebGPU", problem: "A surface is drawn by the GPU, and there is none." });
  return gpu;
}

function gpuFieldOf({ value, text }: NodeScalar) {
  if (value.kind === "gpu") return value.field;
  throw new CrinkleError({ tag: "NoWebGPU", problem: `“${text}” is not on the GPU.` });
}
