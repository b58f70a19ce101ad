import type { PlainError } from "../../core/errors.ts";
import type { Layer, LayerPaint } from "../../core/layers.ts";
import type { CameraState } from "../../core/view.ts";
import type {
  ColorMapSummary,
  DataSetSummary,
  DerivedSummary,
  DeviceSummary,
  HistogramSummary,
  ProbeReport,
  QuantitySummary,
  RawDescription,
  RunRequest,
  RunSummary,
  ScalarBar,
} from "../../engine/api.ts";
import type { Program } from "../../engine/saved-view/programs.ts";
import type { SavedView, ViewSource } from "../../engine/saved-view/view.ts";
import { type ClusterState, noCluster } from "./cluster-state.ts";
import type { LatticeView } from "./lattice.ts";
import { type History, noHistory } from "./layers/history.ts";
import { defaultPaint } from "./layers/new-layer.ts";
import { type LayersState, noLayers } from "./layers/state.ts";

export interface DeviceState {
  readonly phase: "starting" | "ready" | "lost";
  readonly summary: DeviceSummary | undefined;
}

export interface DataState {
  readonly dataSet: DataSetSummary | undefined;
  /** The data set's source. */
  readonly source: ViewSource | undefined;
  readonly derived: readonly DerivedSummary[];
  /** Results that are not fields: numbers and histograms. */
  readonly quantities: readonly QuantitySummary[];
  /** Name of the field whose histogram is shown. */
  readonly selected: string | undefined;
  readonly histogram: HistogramSummary | undefined;
}

export interface ExpressionState {
  readonly text: string;
  /** Whether the page suggested the text, so that another data set may replace it. */
  readonly isSuggested: boolean;
  /** The texts computed in this session, newest first. */
  readonly history: readonly string[];
  /** The texts computed for this data set whose results are still present, or needed by present ones. */
  readonly programs: readonly Program[];
  /** The engine's error about `text`; typing clears it. */
  readonly error: PlainError | undefined;
  readonly notes: readonly string[];
  /** The GPU's strategy and memory limit. */
  readonly request: RunRequest;
  /** The cost of the last computation on a GPU. */
  readonly computed: ComputedRun | undefined;
}

/** A run with its text and data set. */
export interface ComputedRun {
  readonly text: string;
  readonly dataSet: DataSetSummary | undefined;
  readonly run: RunSummary;
}

export interface JobState {
  readonly name: string;
  readonly step: string;
  /** Progress in [0, 1]; undefined while unknown. */
  readonly fraction: number | undefined;
  /** Whether the job has lasted long enough to be worth showing. */
  readonly isVisible: boolean;
}

export interface Alert {
  readonly id: number;
  /** A file of unknown format, which may be a raw volume. */
  readonly rawFile?: File;
  readonly error: PlainError;
  readonly subject: Subject;
  /** Tries again what failed. */
  readonly again?: () => void;
}

export type Subject = "device" | "open" | "compute" | "layer" | "export" | "load";

export interface Measurements {
  readonly gpuBytes: number;
  readonly gpuPeakBytes: number;
  readonly lastJob: { readonly name: string; readonly ms: number } | undefined;
  readonly surfaceMs: number | undefined;
}

/** A raw volume whose layout the user is asked for. */
export interface RawRequest {
  /** Its name, or where ranks of the room find it: its length is then not known here. */
  readonly of: File | string;
  readonly guess: RawDescription;
}

/** The part of the state that an action changes, and undo restores. */
export interface Scene {
  readonly layers: readonly Layer[];
  readonly selected: string | undefined;
  readonly programs: readonly Program[];
}

/** Cameras at rest. `past` ends with the one before the present, `future` with the one that going forward restores. */
export interface CameraHistory {
  readonly past: readonly CameraState[];
  readonly future: readonly CameraState[];
}

/** A position in the view, in CSS pixels from its upper left. */
export interface ViewPoint {
  readonly x: number;
  readonly y: number;
}

interface ProbedPoint extends ViewPoint {
  readonly report: ProbeReport;
}

export interface ProbeState {
  /** The keyboard's crosshair; undefined while it is hidden. */
  readonly cursor: ViewPoint | undefined;
  /** What is under the pointer or the crosshair. */
  readonly hover: ProbedPoint | undefined;
  /** What was clicked last. */
  readonly picked: ProbeReport | undefined;
}

/** The contract between the page's slices of state: it imports none of them. */
export interface AppState {
  readonly device: DeviceState;
  readonly data: DataState;
  readonly expressions: ExpressionState;
  readonly layers: LayersState;
  readonly history: History<Scene>;
  /** The paint of the next layer. */
  readonly paint: LayerPaint;
  /** The view's camera, as last reported. */
  readonly camera: CameraState | undefined;
  readonly cameras: CameraHistory;
  /** A view that is restored when its file is opened. */
  readonly awaited: SavedView | undefined;
  readonly probe: ProbeState;
  readonly colorMaps: readonly ColorMapSummary[];
  readonly scalarBars: readonly { readonly id: string; readonly bar: ScalarBar }[];
  readonly job: JobState | undefined;
  /** The last action's message, and the sentence about the layers. */
  readonly status: { readonly message: string; readonly layers: string };
  readonly alert: Alert | undefined;
  readonly measurements: Measurements;
  readonly raw: RawRequest | undefined;
  readonly cluster: ClusterState;
  /** Defined while a lattice is open. */
  readonly lattice: LatticeView | undefined;
}

export const initialState: AppState = {
  device: { phase: "starting", summary: undefined },
  data: {
    dataSet: undefined,
    source: undefined,
    derived: [],
    quantities: [],
    selected: undefined,
    histogram: undefined,
  },
  expressions: {
    text: "",
    isSuggested: true,
    history: [],
    programs: [],
    error: undefined,
    notes: [],
    request: { strategy: "auto" },
    computed: undefined,
  },
  layers: noLayers,
  history: noHistory,
  paint: defaultPaint,
  camera: undefined,
  cameras: { past: [], future: [] },
  awaited: undefined,
  probe: { cursor: undefined, hover: undefined, picked: undefined },
  colorMaps: [],
  scalarBars: [],
  job: undefined,
  status: { message: "", layers: "" },
  alert: undefined,
  measurements: { gpuBytes: 0, gpuPeakBytes: 0, lastJob: undefined, surfaceMs: undefined },
  raw: undefined,
  cluster: noCluster,
  lattice: undefined,
};
