import type { PlainError } from "../../core/errors.ts";
import type { Statistics } from "../../core/statistics.ts";
import type {
  ColorMapSummary,
  ColorSettings,
  DataSetSummary,
  DerivedSummary,
  DeviceSummary,
  HistogramSummary,
  QuantitySummary,
  RawDescription,
  RunRequest,
  RunSummary,
  ScalarBar,
  SurfaceSettings,
} from "../../engine/api.ts";
import { type ClusterState, noCluster } from "./cluster-state.ts";

export interface DeviceState {
  readonly phase: "starting" | "ready" | "lost";
  readonly summary: DeviceSummary | undefined;
}

export interface DataState {
  readonly dataSet: DataSetSummary | undefined;
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

export interface SurfaceState {
  /** What the picture shows; the isovalue follows the slider at once. */
  readonly settings: SurfaceSettings | undefined;
  /** What has been asked for and is being made. */
  readonly requested: SurfaceSettings | undefined;
  /** Of the surface field: the slider's range. */
  readonly statistics: Statistics | undefined;
  /** Of the colour field. */
  readonly colorStatistics: Statistics | undefined;
  readonly histogram: HistogramSummary | undefined;
  readonly notes: readonly string[];
  /** Counts of the last drawn surface. */
  readonly counts: { readonly triangles: number; readonly isovalue: number } | undefined;
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
}

export type Subject = "device" | "open" | "compute" | "surface" | "export";

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

export interface AppState {
  readonly device: DeviceState;
  readonly data: DataState;
  readonly expressions: ExpressionState;
  readonly surface: SurfaceState;
  readonly colors: ColorSettings;
  readonly colorMaps: readonly ColorMapSummary[];
  readonly scalarBar: ScalarBar | undefined;
  readonly job: JobState | undefined;
  /** The last deed's sentence, and the surface's own. */
  readonly status: { readonly deed: string; readonly surface: string };
  readonly alert: Alert | undefined;
  readonly measurements: Measurements;
  readonly raw: RawRequest | undefined;
  readonly cluster: ClusterState;
}

export const noSurface: SurfaceState = {
  settings: undefined,
  requested: undefined,
  statistics: undefined,
  colorStatistics: undefined,
  histogram: undefined,
  notes: [],
  counts: undefined,
};

export const initialState: AppState = {
  device: { phase: "starting", summary: undefined },
  data: { dataSet: undefined, derived: [], quantities: [], selected: undefined, histogram: undefined },
  expressions: {
    text: "",
    isSuggested: true,
    history: [],
    error: undefined,
    notes: [],
    request: { strategy: "auto" },
    computed: undefined,
  },
  surface: noSurface,
  colors: { map: "viridis", reversed: false, range: undefined, nanColor: "#b0b0b0" },
  colorMaps: [],
  scalarBar: undefined,
  job: undefined,
  status: { deed: "", surface: "" },
  alert: undefined,
  measurements: { gpuBytes: 0, gpuPeakBytes: 0, lastJob: undefined, surfaceMs: undefined },
  raw: undefined,
  cluster: noCluster,
};
