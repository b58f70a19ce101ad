import { CrinkleError, describeError, isCancelled, type PlainError } from "../core/errors.ts";
import type { JobContext } from "../core/job.ts";
import { guessRaw } from "../data/raw/describe.ts";
import { readDataSet } from "../data/read.ts";
import { blobSource } from "../data/source.ts";
import { browserWorkers } from "../lang/expression/strategies/cpu/browser-workers.ts";
import { withoutQuotes } from "../lang/expression/syntax/quoting.ts";
import type {
  ColorMapSummary,
  ColorSettings,
  Comparison,
  ComparisonRow,
  ComputeSummary,
  DataSetSummary,
  DeviceSummary,
  EngineApi,
  EngineEvent,
  FrameReport,
  HistogramSummary,
  NamedBlob,
  NetworkSummary,
  NodeMeasurement,
  OpenRequest,
  RawDescription,
  RunRequest,
  RunSummary,
  StartOptions,
  SurfaceSettings,
  SurfaceSummary,
  Theme,
  ViewDirection,
  Viewport,
} from "./api.ts";
import { colorMapKind, colorMapNames, colorMapStops } from "./colormaps.ts";
import { openEngineDevice } from "./device.ts";
import { fieldFile, meshFile } from "./exports.ts";
import { histogramOf } from "./histogram.ts";
import { isosurfaceMesh } from "./isosurface.ts";
import { JobQueue } from "./jobs.ts";
import { nodeScalar } from "./node-scalar.ts";
import { compareStrategies } from "./runs/compare.ts";
import { measuredRun, networkSummary, programOf } from "./runs/runs.ts";
import { openSample } from "./samples.ts";
import { Session } from "./session.ts";
import { Stage } from "./stage.ts";
import { nothingShown } from "./surface-view.ts";

/** Colours of a map in a menu's preview. */
const previewStops = 16;

/** The engine of one page: a session, its jobs one at a time, and the stage that shows it. */
export class Engine implements EngineApi {
  #emit: (event: EngineEvent) => void = () => {};
  readonly #jobs = new JobQueue({
    progress: (job, step, fraction) => this.#emit({ kind: "progress", job, step, fraction }),
    ended: (job, ms) => {
      this.#emit({ kind: "jobEnded", job, ms });
      this.#tellMemory();
    },
  });
  #session: Session | undefined;
  #stage: Stage | undefined;
  /** The stage while it is being raised, and after: three.js may still be loading when a surface is asked for. */
  #raising: Promise<Stage | undefined> = Promise.resolve(undefined);
  #canvas: OffscreenCanvas | undefined;
  #viewport: Viewport = { width: 1, height: 1, pixelRatio: 1 };
  #theme: Theme = "light";
  #colors: ColorSettings | undefined;
  /** What would be shown if there were a stage: a mesh can be exported all the same. */
  #unseen: SurfaceSettings | undefined;

  async start({ device }: StartOptions, onEvent: (event: EngineEvent) => void): Promise<DeviceSummary> {
    this.#emit = onEvent;
    const opening = openEngineDevice(device, globalThis.navigator?.gpu).then((opened) => {
      this.#session = new Session(opened, browserWorkers());
      this.#watch();
      return opened.summary;
    });
    this.#jobs.waitFor(opening);
    return opening;
  }

  async attachCanvas(canvas: OffscreenCanvas, viewport: Viewport): Promise<void> {
    this.#canvas = canvas;
    this.#viewport = viewport;
    this.#raising = this.#raiseStage();
    await this.#raising;
    if (this.#unseen && this.#stage) await this.setSurface(this.#unseen);
  }

  resize(viewport: Viewport): void {
    this.#viewport = viewport;
    this.#stage?.viewer.resize(viewport);
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    this.#stage?.viewer.setTheme(theme);
  }

  async colorMaps(): Promise<readonly ColorMapSummary[]> {
    return colorMapNames.map((name) => ({
      name,
      kind: colorMapKind(name),
      colors: colorMapStops(name, previewStops),
    }));
  }

  async guessRaw(name: string, size: number): Promise<RawDescription> {
    return guessRaw(name, size);
  }

  open(request: OpenRequest): Promise<DataSetSummary> {
    const what = request.kind === "file" ? request.file.name : request.sample;
    return this.#jobs.run(`Open ${what}`, async (job) => {
      const start = performance.now();
      const { dataSet, suggestion } = await readRequest(request, job);
      const session = this.#open();
      const prepared = await session.prepare(dataSet, job);
      this.#stage?.surface.hide();
      this.#unseen = undefined;
      const summary = await session.setData(prepared);
      this.#stage?.viewer.setGrid(summary.grid.bounds);
      return { ...summary, ms: performance.now() - start, ...(suggestion ? { suggestion } : {}) };
    });
  }

  compute(text: string, request?: RunRequest): Promise<ComputeSummary> {
    return this.#jobs.run("Compute", (job) =>
      this.#holdingSurface(async () => {
        const summary = await this.#open().compute(text, job, request);
        await this.#refreshSurface(
          summary.derived.map(({ name }) => name),
          job,
        );
        return summary;
      }),
    );
  }

  run(text: string, request: RunRequest): Promise<RunSummary> {
    return this.#jobs.run("Run", async (job) => {
      const session = this.#open();
      return (await measuredRun(session, programOf(session, text), request, job)).summary;
    });
  }

  compare(
    text: string,
    budget: number | undefined,
    onRow: (row: ComparisonRow) => void,
  ): Promise<Comparison> {
    return this.#jobs.run("Compare strategies", (job) =>
      compareStrategies(this.#open(), text, budget, onRow, job),
    );
  }

  async network(text: string, measured?: readonly NodeMeasurement[]): Promise<NetworkSummary> {
    return networkSummary(this.#open(), text, measured);
  }

  removeDerived(name: string): Promise<void> {
    return this.#jobs.run(`Remove ${name}`, async () => {
      const session = this.#open();
      if (!session.derived.names().includes(name)) throw session.unknownField(name);
      if (this.#stage?.surface.uses(name)) this.#stage.surface.hide();
      session.derived.remove(name);
    });
  }

  histogram(expression: string): Promise<HistogramSummary> {
    return this.#jobs.run(`Histogram of ${withoutQuotes(expression)}`, (job) =>
      histogramOf(this.#open(), expression, job),
    );
  }

  setSurface(settings: SurfaceSettings): Promise<SurfaceSummary> {
    return this.#jobs.run(`Isosurface of ${withoutQuotes(settings.field)}`, async (job) => {
      const session = this.#open();
      const stage = await this.#raising;
      if (stage) {
        this.#unseen = undefined;
        return stage.surface.set(session, settings, job);
      }
      const summary = await describeSurface(session, settings, job);
      this.#unseen = settings;
      return summary;
    });
  }

  setIsovalue(isovalue: number): void {
    this.#stage?.surface.setIsovalue(isovalue);
    if (this.#unseen) this.#unseen = { ...this.#unseen, isovalue };
  }

  hideSurface(): void {
    this.#stage?.surface.hide();
    this.#unseen = undefined;
  }

  setColors(settings: ColorSettings): void {
    this.#colors = settings;
    this.#stage?.surface.setColors(settings);
  }

  orbit(dx: number, dy: number): void {
    this.#stage?.viewer.orbit(dx, dy);
  }

  pan(dx: number, dy: number): void {
    this.#stage?.viewer.pan(dx, dy);
  }

  zoom(factor: number): void {
    this.#stage?.viewer.zoom(factor);
  }

  resetView(direction: ViewDirection = "default"): void {
    this.#stage?.viewer.resetView(direction);
  }

  async savePicture(scale: number): Promise<Blob> {
    if (!this.#stage) throw nothingShown();
    return this.#stage.viewer.picture(scale, this.#stage.surface.bar);
  }

  exportMesh(format: "stl" | "ply"): Promise<Blob> {
    return this.#jobs.run("Export the mesh", async (job) => {
      const surface = this.#stage?.surface;
      if (surface) {
        const mesh = await surface.readMesh();
        return meshFile(mesh, format, surface.vertexColors(mesh.scalars), job);
      }
      if (!this.#unseen) throw nothingShown();
      const { mesh } = await isosurfaceMesh(this.#open(), this.#unseen, job);
      return meshFile(mesh, format, undefined, job);
    });
  }

  exportField(name: string, format: "vtk" | "npy"): Promise<NamedBlob> {
    return this.#jobs.run(`Export ${name}`, async (job) => {
      const session = this.#open();
      return fieldFile(session.data.dataSet.grid, { ...(await session.hostField(name)), name }, format, job);
    });
  }

  cancel(): void {
    this.#jobs.cancel();
  }

  async settled(): Promise<FrameReport> {
    await this.#jobs.settled();
    const stage = this.#stage;
    await stage?.viewer.frameDrawn();
    const counts = await stage?.surface.counts();
    await stage?.viewer.frameDrawn();
    const use = this.#session?.memoryUse;
    return {
      frame: stage?.viewer.frame ?? 0,
      triangles: counts?.triangles ?? 0,
      gpuBytes: use?.current ?? 0,
      gpuPeakBytes: use?.peak ?? 0,
    };
  }

  #open(): Session {
    if (!this.#session) {
      throw new CrinkleError({
        tag: "BadArgument",
        problem: "The engine has not been started.",
        remedy: "Call start first.",
      });
    }
    return this.#session;
  }

  /** Undefined where there is no GPU to draw with, or no canvas yet. */
  async #raiseStage(): Promise<Stage | undefined> {
    const gpu = this.#session?.device.gpu;
    if (!gpu || !this.#canvas) return undefined;
    const stage = await Stage.raise(gpu, this.#canvas, this.#viewport, this.#theme, {
      counted: ({ triangles, vertices, isovalue }, ms) => {
        this.#emit({ kind: "surface", triangles, vertices, isovalue, ms });
        this.#tellMemory();
      },
      barChanged: (bar) => this.#emit({ kind: "scalarBar", bar }),
      failed: (error) => this.#tellError(error),
    });
    this.#stage = stage;
    stage.viewer.resize(this.#viewport);
    stage.viewer.setTheme(this.#theme);
    if (this.#colors) stage.surface.setColors(this.#colors);
    if (this.#session?.isOpen) stage.viewer.setGrid(this.#session.data.gridSummary().bounds);
    return stage;
  }

  #holdingSurface<T>(work: () => Promise<T>): Promise<T> {
    return this.#stage ? this.#stage.surface.held(work) : work();
  }

  /** Shows the surface again where one of these fields, which have changed, is in it. */
  async #refreshSurface(names: readonly string[], job: JobContext): Promise<void> {
    const surface = this.#stage?.surface;
    if (!surface?.settings || !names.some((name) => surface.uses(name))) return;
    try {
      await surface.set(this.#open(), surface.settings, job);
    } catch (error) {
      surface.hide();
      throw error;
    }
  }

  /** Goes on with a new device when the present one is lost. */
  #watch(): void {
    const session = this.#open();
    session.device.gpu?.lost.catch((error: unknown) => {
      this.#tellError(error);
      void this.#recover(session).catch((failure: unknown) => this.#tellError(failure));
    });
  }

  async #recover(session: Session): Promise<void> {
    const settings = this.#stage?.surface.settings;
    const camera = this.#stage?.viewer.camera;
    this.#stage?.abandon();
    this.#stage = undefined;
    this.#raising = Promise.resolve(undefined);
    this.#jobs.cancel();
    await this.#jobs.run("Restore the session", async (job) => {
      const device = await openEngineDevice("auto", globalThis.navigator?.gpu);
      await session.moveTo(device, job);
      this.#watch();
      this.#raising = this.#raiseStage();
      const stage = await this.#raising;
      if (stage && camera) stage.viewer.camera = camera;
      if (settings && stage) await stage.surface.set(session, settings, job);
      else this.#unseen = settings;
      this.#emit({ kind: "device", device: device.summary, restored: device.gpu !== undefined });
    });
  }

  #tellMemory(): void {
    const use = this.#session?.memoryUse;
    if (use) this.#emit({ kind: "memory", current: use.current, peak: use.peak });
  }

  #tellError(error: unknown): void {
    if (!isCancelled(error)) this.#emit({ kind: "error", error: toPlain(error) });
  }
}

/** Any thrown value as the parts that cross to the page. */
export function toPlain(error: unknown): PlainError {
  if (error instanceof CrinkleError) return error.toPlain();
  if (isCancelled(error)) return { tag: "Cancelled", problem: "The job was cancelled.", remedy: "" };
  return {
    tag: "Internal",
    problem: `Something unexpected went wrong: ${describeError(error)}.`,
    remedy: "Please report it, with what you did.",
  };
}

async function readRequest(request: OpenRequest, job: JobContext) {
  if (request.kind === "sample") return openSample(request.sample, request.size, job);
  const { file, raw, companions = [] } = request;
  const dataSet = await readDataSet(blobSource(file, file.name), job, {
    raw,
    companions: (name) => {
      const found = companions.find((companion) => companion.name === name);
      return found && blobSource(found, found.name);
    },
  });
  return { dataSet, suggestion: undefined };
}

/** What `setSurface` answers where nothing can be drawn. */
async function describeSurface(
  session: Session,
  { field, colorBy }: SurfaceSettings,
  job: JobContext,
): Promise<SurfaceSummary> {
  const scalar = await nodeScalar(session, field, job);
  scalar.release();
  const color = colorBy === undefined ? undefined : await nodeScalar(session, colorBy, job);
  color?.release();
  return {
    field: scalar.statistics,
    color: color?.statistics,
    notes: [
      ...scalar.notes,
      ...(color?.notes ?? []),
      "Without a GPU nothing is drawn; the mesh can be exported.",
    ],
  };
}
