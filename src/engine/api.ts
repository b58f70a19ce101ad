import type { DType } from "../core/dtype.ts";
import type { ErrorTag, PlainError, Span } from "../core/errors.ts";
import type { Bounds, Centering, Triple } from "../core/grid.ts";
import type { Layer, LayerPaint, Plane } from "../core/layers.ts";
import type { Quantity } from "../core/quantity.ts";
import type { Statistics } from "../core/statistics.ts";
import type { CameraState, ScalarBar, Theme, ViewDirection, Viewport } from "../core/view.ts";
import type { WantedBlocks } from "../core/wanted-blocks.ts";
import type { LatticeApi, LatticeNews, LatticeRequest, LatticeSummary } from "./lattice/api.ts";
import type { DrawingChoice, DrawingMethod } from "./ranks/drawing-choice.ts";
import type { RankedSurface } from "./ranks/ranked-surface.ts";
import type {
  Comparison,
  ComparisonRow,
  NetworkSummary,
  NodeMeasurement,
  RunRequest,
  RunSummary,
} from "./runs/api.ts";

/**
 * The only interface between the page (or a script) and the engine, which runs in a worker.
 * Every method may reject with a `PlainError` (see `toEngineError`). Everything that crosses is plain data.
 */
export interface EngineApi {
  /** The lattice that is open, if one is. */
  readonly lattice: LatticeApi;

  /**
   * Opens the GPU if there is one, and reports what was found. Call it first, and once. `onEvent` is a Comlink proxy.
   */
  start(options: StartOptions, onEvent: (event: EngineEvent) => void): Promise<DeviceSummary>;
  /** Hands over the canvas; pictures appear from now on. */
  attachCanvas(canvas: OffscreenCanvas, viewport: Viewport): Promise<void>;
  resize(viewport: Viewport): void;
  /** Nobody sees the page, so that a lattice that runs rests; or somebody does again, and it goes on. */
  setPageHidden(isHidden: boolean): void;
  setTheme(theme: Theme): void;

  /** The colour maps that a layer's paint may name, in the order a menu shows them. */
  colorMaps(): Promise<readonly ColorMapSummary[]>;
  /** What a raw volume's name and size (in bytes) say about its layout; the rest is a plain default. */
  guessRaw(name: string, size: number): Promise<RawDescription>;

  /**
   * Replaces the data set. The previous one stays until the new one has been read without error. Requests on the
   * previous one that are still waiting then are cancelled.
   */
  open(request: OpenRequest): Promise<DataSetSummary>;
  /**
   * Runs the statements and keeps each result that no later statement reads, as a derived field, a number or a
   * histogram. A last statement without a name gets one that nothing else has: result, result2 … Fields and derived fields stay on the GPU if the strategy ("auto" by default) and its budget allow it.
   */
  compute(text: string, request?: RunRequest): Promise<ComputeSummary>;
  removeDerived(name: string): Promise<void>;

  /** Runs the statements by a strategy, from host memory to host memory, discards the results, and reports the cost. */
  run(text: string, request: RunRequest): Promise<RunSummary>;
  /** The same by every strategy within `budget` bytes; `onRow`, a Comlink proxy, is called for each when it is done. */
  compare(text: string, budget: number | undefined, onRow: (row: ComparisonRow) => void): Promise<Comparison>;
  /** The dataflow network of the statements, with a run's measurements of its values. */
  network(text: string, measured?: readonly NodeMeasurement[]): Promise<NetworkSummary>;

  /** 64 counts over the field's finite range (of the magnitude for vectors). */
  histogram(expression: string): Promise<HistogramSummary>;

  /**
   * Adds a layer above the others, or changes the one with its id. The previous one stays if the new one cannot be
   * made. Opening a data set removes all layers.
   */
  setLayer(layer: Layer): Promise<LayerSummary>;
  /**
   * The fast path of drags: no job, and nothing is awaited; the next frame shows the change, and counts follow as an
   * event. Parts that do not fit the layer's shape are ignored, as is a missing layer.
   */
  adjustLayer(id: string, adjustment: LayerAdjustment): void;
  removeLayer(id: string): void;
  /** Orders layers from bottom to top; layers that are not named stay above those that are, in their order. */
  orderLayers(ids: readonly string[]): void;

  /**
   * What is under a position of the view, in CSS pixels from its upper left; undefined if no layer is. Of several
   * waiting calls only the latest is answered; the others resolve to undefined.
   */
  probe(x: number, y: number): Promise<ProbeReport | undefined>;

  /** A camera gesture in CSS pixels; `zoom` is a factor (> 1 comes nearer). */
  orbit(dx: number, dy: number): void;
  pan(dx: number, dy: number): void;
  zoom(factor: number): void;
  resetView(direction?: ViewDirection): void;
  /** The present camera; the initial one if there is no picture. */
  camera(): Promise<CameraState>;
  setCamera(camera: CameraState): void;

  /**
   * PNG of the picture at 1 to 4 times the screen's pixels, with labels and scalar bars; `titles` of layers replace the
   * bars' own.
   */
  savePicture(scale: number, titles?: Readonly<Record<string, string>>): Promise<Blob>;
  /** The triangles of a layer, or of all visible ones together. */
  exportMesh(format: MeshFormat, id?: string, options?: MeshExportOptions): Promise<Blob>;
  /**
   * A derived or loaded field as VTK XML (.vti or .vtr, depending on the grid) or NumPy. For a point set, VTK XML
   * (.vtp) and CSV hold the points with the field and all loaded columns; grids are not written as CSV.
   */
  exportField(name: string, format: FieldFormat): Promise<NamedBlob>;

  /**
   * Makes this engine a rank of a room: the port then takes the calls of `RankApi`. Parts of the room's jobs take turns with
   * the jobs of the page.
   */
  openRank(port: MessagePort): Promise<void>;
  /** How the ranks of the room that this page hosts draw its layers. */
  drawByRanks(drawing: RankDrawing): void;
  /** Cancels the running job; its promise rejects with the tag Cancelled. */
  cancel(): void;
  /** For tests and instruments: resolves when no job runs and the last change is on the display; draws nothing itself. */
  settled(): Promise<FrameReport>;
}

export interface RankDrawing {
  /** Whether they make the page's surfaces; else the page makes them alone. */
  readonly isUsed: boolean;
  /** Whether their surfaces are coloured by the rank that made each part. */
  readonly tints: boolean;
  /** Who draws them. */
  readonly method: DrawingMethod;
  /** How the grid is divided: in blocks that are chosen, too, where those that are wanted are not as many as there are ranks. */
  readonly blocks: WantedBlocks;
}

/** What the ranks of a room did for a layer. */
export interface LayerRanks {
  readonly ranks: RankedSurface["ranks"];
  /** Who draws it, and why. */
  readonly choice: DrawingChoice;
  /** Of the last picture of the whole view, where they draw it. */
  readonly pictureBytes: number | undefined;
}

export interface StartOptions {
  /** "cpu" does not use the GPU: data and expressions work, but nothing is drawn. */
  readonly device: "auto" | "cpu";
}

export interface DeviceSummary {
  readonly kind: "gpu" | "cpu";
  /** "NVIDIA H100", or why there is no GPU. */
  readonly description: string;
  readonly isSoftware: boolean;
  /** Why WebGPU is missing and how to get it; undefined if it is available. */
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
    }
  /** The first bytes determine the format. The server must allow the page to read it (CORS). */
  | { readonly kind: "url"; readonly url: string }
  /** What a group of ranks has that a member of this page's room stands for: its values stay there. */
  | { readonly kind: "group"; readonly id: string; readonly name: string }
  /** A file at an address or a path that ranks of the room which this page hosts can read: its values stay with the ranks. */
  | { readonly kind: "room"; readonly name: string; readonly raw?: RawDescription }
  | LatticeRequest;

export type FieldFormat = "vtk" | "npy" | "csv";

export type MeshFormat = "stl" | "ply" | "obj" | "glb" | "vtp";

export interface MeshExportOptions {
  /** For .vtp only: also all loaded and derived fields, and each triangle's cell (`vtkOriginalCellIds`). */
  readonly withFields?: boolean;
  /** Facets and normals the other way: isosurfaces and cuts face higher values, thresholds and spheres inwards. */
  readonly reverseFacets?: boolean;
}

export interface GridSummary {
  readonly kind: "uniform" | "rectilinear";
  readonly dims: Triple;
  readonly bounds: Bounds;
  readonly spacing: Triple | undefined;
}

export interface PointsSummary {
  readonly count: number;
  readonly dimensions: 2 | 3;
  readonly bounds: Bounds;
}

export interface FieldSummary {
  readonly name: string;
  readonly components: number;
  readonly centering: Centering;
  readonly dtype: DType;
  /** Statistics, of the magnitude if there are several components. */
  readonly statistics: Statistics;
  /** Set if f32 on the GPU cannot hold the stored values exactly. */
  readonly precisionNote?: string;
}

export interface DataSetSummary {
  readonly name: string;
  /** Undefined for a point set. */
  readonly grid: GridSummary | undefined;
  /** Defined for a point set, whose columns are the fields. */
  readonly points: PointsSummary | undefined;
  /** Defined for a lattice: its shown sites are the nodes of the grid. */
  readonly lattice?: LatticeSummary;
  readonly fields: readonly FieldSummary[];
  readonly notes: readonly string[];
  readonly ms: number;
  /** The suggested first picture of a sample; undefined for files. */
  readonly suggestion?: { readonly expression: string; readonly surface: SuggestedSurface };
}

export interface DerivedSummary extends FieldSummary {
  /** The statement's value as written. */
  readonly expression: string;
  /** Held by this page. */
  readonly bytes: number;
  readonly ms: number;
  /** Number of ranks that computed it, where the page has no values of it. */
  readonly ranks?: number;
}

/** A result other than a field: numbers, which later texts may use by name, or a histogram. */
export interface QuantitySummary {
  readonly name: string;
  /** The statement's value as written. */
  readonly expression: string;
  readonly quantity: Quantity;
}

export interface ComputeSummary {
  /** What was computed, with the name that a last statement without one got. */
  readonly text: string;
  readonly derived: readonly DerivedSummary[];
  readonly quantities: readonly QuantitySummary[];
  readonly notes: readonly string[];
  readonly device: "gpu" | "cpu";
  /** Those of all ranks, where ranks computed. */
  readonly kernels: number;
  /** Number of CPU threads used; undefined on a GPU. */
  readonly threads?: number;
  /** Number of ranks that computed, where this page has not. */
  readonly ranks?: number;
  readonly ms: number;
  /** The bytes moved and held on the GPU; undefined on a CPU. */
  readonly run?: RunSummary;
}

export interface HistogramSummary {
  readonly min: number;
  readonly max: number;
  readonly counts: readonly number[];
  /** Number of ranks that counted, where the page has not. */
  readonly ranks?: number;
}

export interface SuggestedSurface {
  readonly field: string;
  readonly isovalue: number;
  /** An expression, or undefined for one colour. */
  readonly colorBy: string | undefined;
}

export interface LayerSummary {
  /** Statistics of the shape's field: the slider's range. Undefined if the shape has no field. */
  readonly field: Statistics | undefined;
  /** Statistics of the colour field, if there is one: the scalar bar's automatic range. */
  readonly color: Statistics | undefined;
  readonly notes: readonly string[];
}

/** Changes of a layer that need no evaluation of an expression. Omitted parts stay. */
export interface LayerAdjustment {
  /** Isovalues of an isosurface. */
  readonly isovalues?: readonly number[];
  readonly normals?: "smooth" | "flat";
  /** The plane, the sphere or the value of a cut. */
  readonly plane?: Plane;
  readonly center?: Triple;
  readonly radius?: number;
  readonly value?: number;
  /** Position of a slice. */
  readonly position?: number;
  /** Range of a threshold. */
  readonly range?: readonly [low: number, high: number];
  /** Size of points. */
  readonly size?: number;
  readonly isVisible?: boolean;
  readonly paint?: LayerPaint;
  /** null removes the clip plane. */
  readonly clip?: Plane | null;
}

export interface ProbeReport {
  /** In physical units. */
  readonly position: Triple;
  readonly layer: string;
  /** Number of the triangle, as drawn; undefined for points. */
  readonly triangle: number | undefined;
  /** The cell of the grid; undefined for points. */
  readonly cell: Triple | undefined;
  /** For an isosurface, the isovalue of the surface that was hit. */
  readonly isovalue: number | undefined;
  /**
   * All loaded and derived fields there: interpolated trilinearly between nodes, else the cell's or the point's value.
   */
  readonly values: readonly ProbeValue[];
  /** For a point set, the points nearest to the one that was hit, itself first. */
  readonly nearest?: readonly NearPoint[];
}

export interface ProbeValue {
  readonly name: string;
  readonly values: readonly number[];
}

export interface NearPoint {
  readonly index: number;
  readonly distance: number;
  readonly position: Triple;
  readonly values: readonly ProbeValue[];
}

export interface ColorMapSummary {
  /** What `LayerPaint.map` takes: "viridis". */
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
  /** Triangles of all visible layers. */
  readonly triangles: number;
  /** Bytes in our GPU buffers. */
  readonly gpuBytes: number;
  readonly gpuPeakBytes: number;
}

export interface LayerBar {
  readonly id: string;
  readonly bar: ScalarBar;
}

export type EngineEvent =
  | { readonly kind: "progress"; readonly job: string; readonly step: string; readonly fraction: number }
  | { readonly kind: "jobEnded"; readonly job: string; readonly ms: number }
  | {
      /** A layer as it is drawn now. */
      readonly kind: "layer";
      readonly id: string;
      readonly triangles: number;
      readonly vertices: number;
      /** The first isovalue of an isosurface. */
      readonly isovalue: number | undefined;
      /** GPU time, if known. */
      readonly ms: number | undefined;
      /** The end of a sentence that begins with the layer's title: why it is empty, if known. */
      readonly note?: string;
    }
  /** What each rank did for a layer that the ranks of the room have made; undefined where this page makes it now. */
  | { readonly kind: "layerRanks"; readonly id: string; readonly made: LayerRanks | undefined }
  /** A layer was removed because something that it shows was removed, or can no longer be shown. */
  | { readonly kind: "layerGone"; readonly id: string; readonly note: string }
  /** A layer follows a field that has other components than before: a vector's magnitude instead of a scalar. */
  | { readonly kind: "layerFollowed"; readonly layer: Layer }
  | { readonly kind: "memory"; readonly current: number; readonly peak: number }
  /**
   * One bar for each way of colouring among the visible layers, in their order; `id` is that of the first such layer.
   */
  | { readonly kind: "scalarBars"; readonly bars: readonly LayerBar[] }
  /** Of an open lattice, at most twenty times a second while it runs or is stepped, and whenever its state changes. */
  | { readonly kind: "lattice"; readonly news: LatticeNews }
  | { readonly kind: "device"; readonly device: DeviceSummary; readonly restored: boolean }
  | { readonly kind: "error"; readonly error: PlainError };

export type * from "./lattice/api.ts";
export type * from "./runs/api.ts";
export type { CameraState, ErrorTag, PlainError, Quantity, ScalarBar, Span, Theme, ViewDirection, Viewport };
