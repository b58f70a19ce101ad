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
import { type ClusterState, noCluster } from "./cluster-state.ts";
import { type History, noHistory } from "./layers/history.ts";
import { defaultPaint } from "./layers/new-layer.ts";
import type { Program } from "./layers/programs.ts";
import { type LayersState, noLayers } from "./layers/state.ts";
import type { SavedView, ViewSource } from "./saved/view.ts";

export interface DeviceState {
  readonly phase: "starting" | "ready" | "lost";
  readonly summary: DeviceSummary | undefined;
}

export interface DataState {
  readonly dataSet: DataSetSummary | undefined;
  /** Where it came from. */
  readonly source: ViewSource | undefined;
  readonly derived: readonly DerivedSummary[];
  /** Results that are no fields. */
  readonly quantities: readonly QuantitySummary[];
  /** Name of the field whose histogram is shown. */
  readonly selected: string | undefined;
  readonly histogram: HistogramSummary | undefined;
}

export interface ExpressionState {
  readonly text: string;
  /** The text was put there by the page, so that another data set may replace it. */
  readonly isSuggested: boolean;
  /** What was computed in this session, newest first. */
  readonly history: readonly string[];
  /** What was computed for this data set and is still there, or needed by what is. */
  readonly programs: readonly Program[];
  /** The engine's error about `text`; typing clears it. */
  readonly error: PlainError | undefined;
  readonly notes: readonly string[];
  /** How a GPU is to compute, and how much it may hold. */
  readonly request: RunRequest;
  /** What the last computation took on a GPU. */
  readonly computed: ComputedRun | undefined;
}

/** A run, and what it was of. */
export interface ComputedRun {
  readonly text: string;
  readonly dataSet: DataSetSummary | undefined;
  readonly run: RunSummary;
}

export interface JobState {
  readonly name: string;
  readonly step: string;
  /** In [0, 1]; undefined while the engine has not said. */
  readonly fraction: number | undefined;
  /** The job has lasted long enough to be worth showing. */
  readonly isVisible: boolean;
}

export interface Alert {
  readonly id: number;
  /** A file of unknown format, which may be a raw volume. */
  readonly rawFile?: File;
  readonly error: PlainError;
  readonly subject: Subject;
  /** What failed can be tried once more. */
  readonly again?: () => void;
}

export type Subject = "device" | "open" | "compute" | "layer" | "export" | "load";

export interface Measurements {
  readonly gpuBytes: number;
  readonly gpuPeakBytes: number;
  readonly lastJob: { readonly name: string; readonly ms: number } | undefined;
  readonly surfaceMs: number | undefined;
}

/** A raw volume whose layout the person is being asked for. */
export interface RawRequest {
  readonly file: File;
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
  /** What the next layer is painted like. */
  readonly paint: LayerPaint;
  /** Of the view, as it was heard of last. */
  readonly camera: CameraState | undefined;
  readonly cameras: CameraHistory;
  /** A view that comes back when its file is opened. */
  readonly awaited: SavedView | undefined;
  readonly probe: ProbeState;
  readonly colorMaps: readonly ColorMapSummary[];
  readonly scalarBars: readonly { readonly id: string; readonly bar: ScalarBar }[];
  readonly job: JobState | undefined;
  /** The last action's sentence, and the layers' own. */
  readonly status: { readonly message: string; readonly layers: string };
  readonly alert: Alert | undefined;
  readonly measurements: Measurements;
  readonly raw: RawRequest | undefined;
  readonly cluster: ClusterState;
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
};
