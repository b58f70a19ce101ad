import type { DType } from "../core/dtype.ts";
import type { ErrorTag, PlainError, Span } from "../core/errors.ts";
import type { Bounds, Centering, Triple } from "../core/grid.ts";
import type { Quantity } from "../core/quantity.ts";
import type { Statistics } from "../core/statistics.ts";
import type { ScalarBar, Theme, ViewDirection, Viewport } from "../core/view.ts";
import type {
  Comparison,
  ComparisonRow,
  NetworkSummary,
  NodeMeasurement,
  RunRequest,
  RunSummary,
} from "./runs/api.ts";

/**
 * The one interface between the page (or a script) and the engine, which runs in a worker.
 * Every method may reject with a `PlainError` (see `toEngineError`). Everything that crosses is plain data.
 */
export interface EngineApi {
  /** Opens the GPU where there is one and tells what was found. Called once, first. `onEvent` is a Comlink proxy. */
  start(options: StartOptions, onEvent: (event: EngineEvent) => void): Promise<DeviceSummary>;
  /** Hands the canvas over; pictures appear from now on. */
  attachCanvas(canvas: OffscreenCanvas, viewport: Viewport): Promise<void>;
  resize(viewport: Viewport): void;
  setTheme(theme: Theme): void;

  /** The colour maps that `setColors` knows, in the order a menu shows them. */
  colorMaps(): Promise<readonly ColorMapSummary[]>;
  /** What a raw volume's name and size (in bytes) say about its layout; the rest is a plain default. */
  guessRaw(name: string, size: number): Promise<RawDescription>;

  /** Replaces the data set. The former one stays until the new one has been read without error. */
  open(request: OpenRequest): Promise<DataSetSummary>;
  /**
   * Runs the statements and keeps each result that no later statement builds on, as a derived field, or as a number or a
   * histogram. Fields and derived fields stay on the GPU where the strategy ("auto" where it is left out) and its budget
   * let them.
   */
  compute(text: string, request?: RunRequest): Promise<ComputeSummary>;
  removeDerived(name: string): Promise<void>;

  /** Runs the statements by a strategy, from host memory to host memory, keeps nothing, and tells what it took. */
  run(text: string, request: RunRequest): Promise<RunSummary>;
  /** The same by every strategy within `budget` bytes; `onRow`, a Comlink proxy, hears of each when it is done. */
  compare(text: string, budget: number | undefined, onRow: (row: ComparisonRow) => void): Promise<Comparison>;
  /** The dataflow network of the statements, with what a run has measured of its values. */
  network(text: string, measured?: readonly NodeMeasurement[]): Promise<NetworkSummary>;

  /** 64 counts over the field's finite range (of the magnitude for vectors). */
  histogram(expression: string): Promise<HistogramSummary>;

  /** Shows an isosurface, or changes it. Fields are expressions: "q", "magnitude(velocity)", "vectors[0]". */
  setSurface(settings: SurfaceSettings): Promise<SurfaceSummary>;
  /** The fast path of a slider drag: the next frame shows it; the counts follow as an event. */
  setIsovalue(isovalue: number): void;
  hideSurface(): void;
  setColors(settings: ColorSettings): void;

  /** A camera gesture in CSS pixels; `zoom` is a factor (> 1 comes nearer). */
  orbit(dx: number, dy: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number): void;
  resetView(direction?: ViewDirection): void;

  /** PNG of what is on the screen, at 1 to 4 times its pixels, scalar bar and labels included. */
  savePicture(scale: number): Promise<Blob>;
  exportMesh(format: "stl" | "ply"): Promise<Blob>;
  /** A derived or loaded field as VTK XML (.vti or .vtr, as the grid is) or NumPy. */
  exportField(name: string, format: "vtk" | "npy"): Promise<NamedBlob>;

  /** Cancels the running job; its promise rejects with the tag Cancelled. */
  cancel(): void;
  /** For tests and instruments: resolves when no job runs and a frame has been drawn after the last change. */
  settled(): Promise<FrameReport>;
}

export interface StartOptions {
  /** "cpu" leaves the GPU alone: data and expressions work, nothing is drawn. */
  readonly device: "auto" | "cpu";
}

export interface DeviceSummary {
  readonly kind: "gpu" | "cpu";
  /** "NVIDIA H100", or why there is no GPU. */
  readonly description: string;
  readonly isSoftware: boolean;
  /** Why WebGPU is missing and how to get it; undefined where it is there. */
  readonly problem?: PlainError;
}

/** Layout of a raw volume, x fastest. */
export interface RawDescription {
  readonly dims: Triple;
  readonly dtype: DType;
  readonly byteOrder: "little" | "big";
  readonly components: number;
  readonly spacing: Triple;
  readonly origin: Triple;
  readonly headerBytes: number;
}

export type SampleName = "taylor-green" | "tangle" | "hydrogen";

export type OpenRequest =
  | {
      readonly kind: "file";
      readonly file: File;
      readonly companions?: readonly File[];
      readonly raw?: RawDescription;
    }
  | {
      readonly kind: "sample";
      readonly sample: SampleName /** Points per direction of generated samples. */;
      readonly size?: number;
    };

export interface GridSummary {
  readonly kind: "uniform" | "rectilinear";
  readonly dims: Triple;
  readonly bounds: Bounds;
  readonly spacing: Triple | undefined;
}

export interface FieldSummary {
  readonly name: string;
  readonly components: number;
  readonly centering: Centering;
  readonly dtype: DType;
  /** Of the magnitude for several components. */
  readonly statistics: Statistics;
  /** Set where f32 on the GPU cannot hold the stored values exactly. */
  readonly precisionNote?: string;
}

export interface DataSetSummary {
  readonly name: string;
  readonly grid: GridSummary;
  readonly fields: readonly FieldSummary[];
  readonly notes: readonly string[];
  readonly ms: number;
  /** What a good first picture of a sample is; undefined for files. */
  readonly suggestion?: { readonly expression: string; readonly surface: SurfaceSettings };
}

export interface DerivedSummary extends FieldSummary {
  /** The statement's value as written. */
  readonly expression: string;
  readonly bytes: number;
  readonly ms: number;
}

/** A result that is no field: numbers, which later texts may name, or a histogram. */
export interface QuantitySummary {
  readonly name: string;
  /** The statement's value as written. */
  readonly expression: string;
  readonly quantity: Quantity;
}

export interface ComputeSummary {
  readonly derived: readonly DerivedSummary[];
  readonly quantities: readonly QuantitySummary[];
  readonly notes: readonly string[];
  readonly device: "gpu" | "cpu";
  readonly kernels: number;
  /** Threads that computed; undefined on a GPU. */
  readonly threads?: number;
  readonly ms: number;
  /** What it moved and held on the GPU; undefined on a CPU. */
  readonly run?: RunSummary;
}

export interface HistogramSummary {
  readonly min: number;
  readonly max: number;
  readonly counts: readonly number[];
}

export interface SurfaceSettings {
  readonly field: string;
  readonly isovalue: number;
  /** An expression, or undefined for one colour. */
  readonly colorBy: string | undefined;
}

export interface SurfaceSummary {
  /** Statistics of the surface field: the slider's range. */
  readonly field: Statistics;
  /** Statistics of the colour field, where there is one: the scalar bar's automatic range. */
  readonly color: Statistics | undefined;
  readonly notes: readonly string[];
}

export interface ColorSettings {
  readonly map: string;
  readonly reversed: boolean;
  /**
   * undefined: the colour field's own finite range. "surface": its range over the surface that is shown, without the
   * hundredth of the vertices at either end; it follows the isovalue.
   */
  readonly range: readonly [number, number] | "surface" | undefined;
  /** CSS colour for NaN. */
  readonly nanColor: string;
}

export interface ColorMapSummary {
  /** What `ColorSettings.map` takes: "viridis". */
  readonly name: string;
  readonly kind: "sequential" | "diverging" | "cyclic";
  /** CSS colours from low to high, enough for a preview. */
  readonly colors: readonly string[];
}

export interface NamedBlob {
  readonly name: string;
  readonly blob: Blob;
}

export interface FrameReport {
  readonly frame: number;
  readonly triangles: number;
  /** Bytes of our GPU buffers. */
  readonly gpuBytes: number;
  readonly gpuPeakBytes: number;
}

export type EngineEvent =
  | { readonly kind: "progress"; readonly job: string; readonly step: string; readonly fraction: number }
  | { readonly kind: "jobEnded"; readonly job: string; readonly ms: number }
  | {
      readonly kind: "surface";
      readonly triangles: number;
      readonly vertices: number;
      readonly isovalue: number /** GPU time, where it is known. */;
      readonly ms: number | undefined;
    }
  | { readonly kind: "memory"; readonly current: number; readonly peak: number }
  | { readonly kind: "scalarBar"; readonly bar: ScalarBar | undefined }
  | { readonly kind: "device"; readonly device: DeviceSummary; readonly restored: boolean }
  | { readonly kind: "error"; readonly error: PlainError };

export type * from "./runs/api.ts";
export type { ErrorTag, PlainError, Quantity, ScalarBar, Span, Theme, ViewDirection, Viewport };
