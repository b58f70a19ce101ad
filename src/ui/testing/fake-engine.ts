import { CrinkleError } from "../../core/errors.ts";
import type { Layer } from "../../core/layers.ts";
import type { Statistics } from "../../core/statistics.ts";
import type { CameraState } from "../../core/view.ts";
import type {
  Comparison,
  ComparisonRow,
  ComputeSummary,
  DataSetSummary,
  DerivedSummary,
  DeviceSummary,
  EngineEvent,
  FieldSummary,
  FrameReport,
  HistogramSummary,
  LayerAdjustment,
  LayerSummary,
  MeshExportOptions,
  NamedBlob,
  NetworkSummary,
  OpenRequest,
  ProbeReport,
  RankDrawing,
  RawDescription,
  RunRequest,
  RunSummary,
} from "../../engine/api.ts";
import type { AsyncEngine } from "../../engine/client.ts";

export const gpuDevice: DeviceSummary = { kind: "gpu", description: "Test GPU", isSoftware: true };

export function rangeOf(min: number, max: number, mean = 0.5 * (min + max)): Statistics {
  return { min, max, mean, nan: 0, infinite: 0, count: 1000 };
}

export function fieldOf(name: string, components: number, statistics: Statistics): FieldSummary {
  return { name, components, centering: "node", dtype: "f32", statistics };
}

export function dataSetOf(name: string, fields: readonly FieldSummary[]): DataSetSummary {
  return {
    name,
    grid: { kind: "uniform", dims: [76, 49, 45], bounds: [0, 75, 0, 48, 0, 44], spacing: [1, 1, 1] },
    points: undefined,
    fields,
    notes: [],
    ms: 12,
  };
}

const sample: DataSetSummary = {
  ...dataSetOf("Taylor–Green vortex", [
    fieldOf("velocity", 3, rangeOf(0, 1.2, 0.4)),
    fieldOf("pressure", 1, rangeOf(-0.3, 0.2)),
  ]),
  suggestion: {
    expression: "q = q_criterion(velocity)",
    surface: { field: "q", isovalue: 0.8, colorBy: "magnitude(velocity)" },
  },
};

export const carotid = dataSetOf("carotid.vtk", [
  fieldOf("scalars", 1, rangeOf(0, 580, 60)),
  fieldOf("vectors", 3, rangeOf(0, 700, 66)),
]);

export function runOf(strategy: RunSummary["strategy"], change: Partial<RunSummary> = {}): RunSummary {
  return {
    strategy,
    blocks: 1,
    uploads: 1,
    downloads: 1,
    kernels: 1,
    uploadedBytes: 3072,
    downloadedBytes: 1024,
    peakBytes: 4096,
    ms: 2,
    kernelReports: [{ label: "q", wgsl: "@compute @workgroup_size(256)\nfn main() {}", written: [] }],
    nodes: [],
    ...change,
  };
}

/** An engine with canned answers that records each call. Tests replace single methods to make them fail or wait. */
export class FakeEngine implements AsyncEngine {
  readonly calls: string[] = [];
  device: DeviceSummary = gpuDevice;
  dataSets: Record<string, DataSetSummary> = { "taylor-green": sample, "carotid.vtk": carotid };
  view: CameraState = { azimuth: 0, elevation: 0, distance: 2, target: [0, 0, 0], center: [0, 0] };
  probed: ProbeReport | undefined;
  emit: (event: EngineEvent) => void = () => {};

  note(method: string, ...details: readonly unknown[]): void {
    this.calls.push([method, ...details.map((detail) => JSON.stringify(detail) ?? "-")].join(" "));
  }

  async start(_options: unknown, onEvent: (event: EngineEvent) => void): Promise<DeviceSummary> {
    this.emit = onEvent;
    this.note("start");
    return this.device;
  }

  async open(request: OpenRequest): Promise<DataSetSummary> {
    const name = nameOf(request);
    this.note("open", name);
    const dataSet = this.dataSets[name];
    if (dataSet) return dataSet;
    throw new CrinkleError({
      tag: "BadFile",
      problem: `${name} is not a data set.`,
      remedy: "Open another.",
    });
  }

  /** One scalar result per `name = …` statement; a statement with “wrong” in it fails. */
  async compute(text: string, request: RunRequest = { strategy: "auto" }): Promise<ComputeSummary> {
    this.note("compute", text, ...(request.strategy === "auto" ? [] : [request]));
    const at = text.indexOf("wrong");
    if (at >= 0) {
      const span = { from: at, to: at + 5, line: 1, column: at + 1 };
      throw { tag: "UnknownName", problem: "There is no “wrong”.", remedy: "Did you mean “right”?", span };
    }
    const derived = text
      .split(/[;\n]/)
      .filter((statement) => statement.trim())
      .map((statement): DerivedSummary => {
        const [name, expression = name] = statement.split("=").map((part) => part.trim());
        const statistics = rangeOf(-10, 30, 0);
        return { ...fieldOf(name, 1, statistics), expression, bytes: 4096, ms: 1.5 };
      });
    const run =
      this.device.kind === "gpu"
        ? { run: runOf(request.strategy === "auto" ? "fusion" : request.strategy) }
        : {};
    return {
      text,
      derived,
      quantities: [],
      notes: [],
      device: this.device.kind,
      kernels: 1,
      ms: 1.5,
      ...run,
    };
  }

  async drawByRanks(drawing: RankDrawing): Promise<void> {
    this.note("drawByRanks", drawing);
  }

  async run(text: string, { strategy, budget }: RunRequest): Promise<RunSummary> {
    this.note("run", text, strategy, budget);
    return strategy === "auto" ? runOf("fusion", { reason: "fusion is the fastest" }) : runOf(strategy);
  }

  async compare(
    text: string,
    budget: number | undefined,
    onRow: (row: ComparisonRow) => void,
  ): Promise<Comparison> {
    this.note("compare", text, budget);
    onRow({ kind: "run", strategy: "fusion", run: runOf("fusion"), difference: 0 });
    return { chosen: { strategy: "fusion", reason: "fusion is the fastest" } };
  }

  async network(text: string): Promise<NetworkSummary> {
    this.note("network", text);
    return {
      nodes: 0,
      layout: { width: 10, height: 10, nodes: [], edges: [] },
      dot: "digraph {}",
      script: "",
    };
  }

  async setLayer(layer: Layer): Promise<LayerSummary> {
    this.note("setLayer", layer.id, layer.shape, layer.colorBy);
    return { field: rangeOf(-10, 30, 0), color: layer.colorBy ? rangeOf(0, 1) : undefined, notes: [] };
  }

  async probe(x: number, y: number): Promise<ProbeReport | undefined> {
    this.note("probe", x, y);
    return this.probed;
  }

  async camera() {
    return this.view;
  }

  async histogram(expression: string): Promise<HistogramSummary> {
    this.note("histogram", expression);
    const counts = Array.from({ length: 64 }, (_, i) => Math.round(1000 * Math.exp(-(((i - 20) / 9) ** 2))));
    return { min: -10, max: 30, counts };
  }

  async colorMaps() {
    return [
      { name: "viridis", kind: "sequential", colors: ["#440154", "#21918c", "#fde725"] },
      { name: "coolwarm", kind: "diverging", colors: ["#3b4cc0", "#dddddd", "#b40426"] },
    ] as const;
  }

  async guessRaw(name: string, _size: number): Promise<RawDescription> {
    this.note("guessRaw", name);
    return {
      dims: [64, 64, 64],
      dtype: "u8",
      byteOrder: "little",
      components: 1,
      spacing: [1, 1, 1],
      origin: [0, 0, 0],
      headerBytes: 0,
    };
  }

  async attachCanvas() {
    this.note("attachCanvas");
  }
  async resize() {
    this.note("resize");
  }
  async setTheme(theme: string) {
    this.note("setTheme", theme);
  }
  async removeDerived(name: string) {
    this.note("removeDerived", name);
  }
  async adjustLayer(id: string, adjustment: LayerAdjustment) {
    this.note("adjustLayer", id, adjustment);
  }
  async removeLayer(id: string) {
    this.note("removeLayer", id);
  }
  async orderLayers(ids: readonly string[]) {
    this.note("orderLayers", ...ids);
  }
  async setCamera(camera: CameraState) {
    this.note("setCamera", camera);
    this.view = camera;
  }
  async orbit(dx: number, dy: number) {
    this.note("orbit", dx, dy);
  }
  async pan(dx: number, dy: number) {
    this.note("pan", dx, dy);
  }
  async zoom(factor: number) {
    this.note("zoom", factor);
  }
  async resetView(direction?: string) {
    this.note("resetView", direction);
  }
  async savePicture(scale: number) {
    this.note("savePicture", scale);
    return new Blob(["png"]);
  }
  async exportMesh(format: string, id?: string, options?: MeshExportOptions) {
    this.note("exportMesh", format, id, options);
    return new Blob(["mesh"]);
  }
  async exportField(name: string): Promise<NamedBlob> {
    this.note("exportField", name);
    return { name: `${name}.vti`, blob: new Blob(["field"]) };
  }
  readonly lattice: AsyncEngine["lattice"] = {
    vary: async (variation, onPoint) => {
      this.note("lattice.vary", variation);
      const points = variation.values.map((value) => ({
        size: variation.sizes[0],
        value,
        measures: { energy: { mean: -value, error: 0.01 } },
      }));
      for (const point of points) onPoint(point);
      return points;
    },
    models: async () => [],
    setRun: async (run) => this.note("lattice.setRun", run),
    step: async (sweeps) => {
      this.note("lattice.step", sweeps);
      return { first: 1, quantities: { energy: new Float64Array(sweeps) } };
    },
    setParameters: async (parameters) => this.note("lattice.setParameters", parameters),
    draw: async (stroke) => this.note("lattice.draw", stroke),
    setPlace: async (at) => this.note("lattice.setPlace", at),
    read: async () => ({
      sweeps: 7,
      field: "spin",
      lengths: [2],
      components: 1,
      values: new Float32Array(2),
    }),
    request: async () => ({ kind: "lattice", model: "ising", size: [8, 8], sweeps: 7 }),
  };
  async setPageHidden(isHidden: boolean) {
    this.note("setPageHidden", isHidden);
  }

  async openRank() {
    this.note("openRank");
  }

  async cancel() {
    this.note("cancel");
  }
  async settled(): Promise<FrameReport> {
    return { frame: 1, triangles: 0, gpuBytes: 0, gpuPeakBytes: 0 };
  }
}

function nameOf(request: OpenRequest): string {
  switch (request.kind) {
    case "sample":
      return request.sample;
    case "url":
      return request.url;
    case "group":
    case "room":
      return request.name;
    case "lattice":
      return request.model;
    case "file":
      return request.file.name;
  }
}
