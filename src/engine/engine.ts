import { CrinkleError, isCancelled } from "../core/errors.ts";
import type { JobContext } from "../core/job.ts";
import type { Layer } from "../core/layers.ts";
import { browserTrialStore } from "../gpu/primitives/browser-store.ts";
import type { CpuWorkers } from "../lang/expression/execute/cpu/workers.ts";
import { withoutQuotes } from "../lang/expression/syntax/quoting.ts";
import { fitBox } from "../viewer/camera.ts";
import type {
  CameraState,
  ColorMapSummary,
  Comparison,
  ComparisonRow,
  ComputeSummary,
  DataSetSummary,
  DeviceSummary,
  EngineApi,
  EngineEvent,
  FieldFormat,
  FrameReport,
  HistogramSummary,
  LayerAdjustment,
  LayerSummary,
  MeshExportOptions,
  MeshFormat,
  NamedBlob,
  NetworkSummary,
  NodeMeasurement,
  OpenRequest,
  ProbeReport,
  RankDrawing,
  RawDescription,
  RunRequest,
  RunSummary,
  StartOptions,
  Theme,
  ViewDirection,
  Viewport,
} from "./api.ts";
import { colorMapSummaries } from "./colormaps.ts";
import { type EngineDevice, openEngineDevice } from "./device.ts";
import { histogramOf } from "./histogram.ts";
import { JobQueue, ofFormerData } from "./jobs.ts";
import { EngineLattice } from "./lattice/engine-lattice.ts";
import { EngineLayers, nothingShown } from "./layers/engine-layers.ts";
import { type NamedText, withoutName } from "./name-result.ts";
import { nameOf, readRequest } from "./open-request.ts";
import { toPlain } from "./plain-errors.ts";
import { Prober } from "./probe/prober.ts";
import type { DataSource } from "./ranks/data-source.ts";
import type { DrawnByRanks } from "./ranks/draw-job.ts";
import type { PageRanks, RankQuestion } from "./ranks/page-ranks.ts";
import { sourceOf } from "./ranks/source-of.ts";
import { Session } from "./session.ts";
import { ViewerHost } from "./viewer-host.ts";

/** A trial that loses the device is not repeated, though the page is loaded again. */
const openPageDevice = (wanted: StartOptions["device"]): Promise<EngineDevice> =>
  openEngineDevice(wanted, globalThis.navigator?.gpu, browserTrialStore());

const noInsets = { left: 0, right: 0, top: 0, bottom: 0 };

/** The engine of one page: a session, its jobs one at a time, and the host of its viewer. */
export class Engine implements EngineApi {
  #emit: (event: EngineEvent) => void = () => {};
  readonly #jobs = new JobQueue({
    progress: (job, step, fraction) => this.#emit({ kind: "progress", job, step, fraction }),
    ended: (job, ms) => {
      this.#emit({ kind: "jobEnded", job, ms });
      this.#tellMemory();
    },
    idle: () => this.lattice.kick(),
  });
  #session: Session | undefined;
  #host: ViewerHost | undefined;
  /** Resolves with the host: three.js may still be loading when a surface is requested. */
  #hostReady: Promise<ViewerHost | undefined> = Promise.resolve(undefined);
  #canvas: OffscreenCanvas | undefined;
  #viewport: Viewport = { width: 1, height: 1, pixelRatio: 1 };
  #theme: Theme = "light";
  /** The camera for the next picture. */
  #camera: CameraState | undefined;
  readonly #prober = new Prober(([x, y]: readonly [number, number]) => this.#probe(x, y));
  /** Number of data sets opened so far. */
  #opened = 0;
  /** Where other ranks find what is open. */
  #source: DataSource | undefined;
  #workers: CpuWorkers | undefined;
  /** What this page is as a rank, once it has been one. */
  #ranks: PageRanks | undefined;
  /** Layers that are being set: between two of its jobs each may wait for ranks. */
  readonly #setting = new Set<Promise<void>>();
  #drawing: RankDrawing = { isUsed: true, tints: false, method: "automatic", blocks: null };
  readonly #layers = new EngineLayers({
    gone: (id, note) => this.#emit({ kind: "layerGone", id, note }),
    followed: (layer) => this.#emit({ kind: "layerFollowed", layer }),
  });

  readonly lattice = new EngineLattice({
    jobs: this.#jobs,
    layers: this.#layers,
    session: () => this.#open(),
    host: () => this.#host,
    emit: (event) => this.#emit(event),
    failed: (error) => this.#tellError(error),
  });

  async start({ device }: StartOptions, onEvent: (event: EngineEvent) => void): Promise<DeviceSummary> {
    this.#emit = onEvent;
    const opening = openPageDevice(device).then((opened) => {
      this.#session = new Session(opened, () => this.#cpuWorkers());
      this.#watch();
      return opened.summary;
    });
    this.#jobs.waitFor(opening);
    return opening;
  }

  async attachCanvas(canvas: OffscreenCanvas, viewport: Viewport): Promise<void> {
    this.#canvas = canvas;
    this.#viewport = viewport;
    this.#hostReady = this.#createHost();
    const host = await this.#hostReady;
    if (host && this.#layers.all.length > 0)
      await this.#jobs.run("Show the layers", (job) => this.#layers.show(this.#open(), job));
  }

  resize(viewport: Viewport): void {
    this.#viewport = viewport;
    this.#host?.viewer.resize(viewport);
  }

  setPageHidden(isHidden: boolean): void {
    this.lattice.isHidden = isHidden;
  }

  setTheme(theme: Theme): void {
    this.#theme = theme;
    this.#host?.viewer.setTheme(theme);
  }

  async colorMaps(): Promise<readonly ColorMapSummary[]> {
    return colorMapSummaries();
  }

  async guessRaw(name: string, size: number): Promise<RawDescription> {
    const { guessRaw } = await import("../data/raw/describe.ts");
    return guessRaw(name, size);
  }

  open(request: OpenRequest): Promise<DataSetSummary> {
    return this.#jobs.run(`Open ${nameOf(request)}`, async (job) => {
      const start = performance.now();
      const session = this.#open();
      const { prepared, suggestion } = await this.#prepare(session, request, job);
      this.#layers.clear();
      this.#opened++;
      await this.#ranks?.forget();
      const summary = await session.setData(prepared);
      this.lattice.use(prepared.lattice);
      this.#source = request.kind === "lattice" ? undefined : sourceOf(request, this.#opened);
      if (this.#ranks) this.#ranks.elsewhere = session.data.hasValues ? undefined : this.#source;
      this.#camera = undefined;
      this.#host?.viewer.setGrid(prepared.bounds);
      return { ...summary, ms: performance.now() - start, ...(suggestion ? { suggestion } : {}) };
    });
  }

  async compute(given: string, request?: RunRequest): Promise<ComputeSummary> {
    let named: NamedText = { text: given, inserted: undefined };
    try {
      return await this.#withRanks(
        "Compute",
        firstLine(given),
        (ranks, session) => {
          named = session.nameResult(given);
          return ranks.results(session, named.text, request);
        },
        (job, session, found) =>
          this.#layers.held(async () => {
            named = session.nameResult(given);
            const summary = found?.keep() ?? (await session.compute(named.text, job, request));
            const changed = summary.derived.map(({ name }) => name);
            await this.#layers.refresh(session, changed, job);
            return summary;
          }),
      );
    } catch (error) {
      throw withoutName(error, named);
    }
  }

  run(text: string, request: RunRequest): Promise<RunSummary> {
    return this.#runHere("Run", firstLine(text), async (job, session) => {
      const { measuredRun, programOf } = await import("./runs/runs.ts");
      return (await measuredRun(session, await programOf(session, text), request, job)).summary;
    });
  }

  compare(
    text: string,
    budget: number | undefined,
    onRow: (row: ComparisonRow) => void,
  ): Promise<Comparison> {
    return this.#runHere("Compare strategies", firstLine(text), async (job, session) => {
      const { compareStrategies } = await import("./runs/compare.ts");
      return compareStrategies(session, text, budget, onRow, job);
    });
  }

  async network(text: string, measured?: readonly NodeMeasurement[]): Promise<NetworkSummary> {
    const session = this.#open();
    const { networkSummary } = await import("./runs/runs.ts");
    return networkSummary(session, text, measured);
  }

  removeDerived(name: string): Promise<void> {
    return this.#runHere(`Remove ${name}`, `The removal of ${name}`, async (_, session) => {
      if (!session.derived.names().includes(name)) throw session.unknownField(name);
      this.#layers.removeUsing(name);
      session.derived.remove(name);
    });
  }

  histogram(expression: string): Promise<HistogramSummary> {
    const field = withoutQuotes(expression);
    return this.#withRanks(
      `Histogram of ${field}`,
      `The histogram of ${field}`,
      (ranks, session) => ranks.histogram(session, expression),
      async (job, session, counted) => counted ?? histogramOf(session, expression, job),
    );
  }

  setLayer(layer: Layer): Promise<LayerSummary> {
    const set = this.#setLayer(layer);
    const isOver = () => void this.#setting.delete(ended);
    const ended = set.then(isOver, isOver);
    this.#setting.add(ended);
    return set;
  }

  #setLayer(layer: Layer): Promise<LayerSummary> {
    const isWanted = this.#layers.expect(layer.id);
    const drawing = this.#drawing;
    return this.#madeByRanks(layer).then((made) =>
      this.#runHere("Show a layer", "The layer", async (job, session) => {
        await this.#hostReady;
        const summary = await this.#layers.set(session, layer, job, isWanted, made);
        // Another way to draw may have been chosen since the ranks were asked.
        if (made && drawing !== this.#drawing) this.#host?.layers.retint();
        return summary;
      }),
    );
  }

  adjustLayer(id: string, adjustment: LayerAdjustment): void {
    this.#layers.adjust(id, adjustment);
  }

  removeLayer(id: string): void {
    this.#layers.remove(id);
  }

  orderLayers(ids: readonly string[]): void {
    this.#layers.order(ids);
  }

  probe(x: number, y: number): Promise<ProbeReport | undefined> {
    return this.#prober.ask([x, y]);
  }

  orbit(dx: number, dy: number): void {
    this.#host?.viewer.orbit(dx, dy);
  }

  pan(dx: number, dy: number): void {
    this.#host?.viewer.pan(dx, dy);
  }

  zoom(factor: number): void {
    this.#host?.viewer.zoom(factor);
  }

  resetView(direction: ViewDirection = "default"): void {
    this.#host?.viewer.resetView(direction);
  }

  async camera(): Promise<CameraState> {
    return (
      this.#host?.viewer.camera ??
      this.#camera ??
      fitBox([0.5, 0.5, 0.5], "default", this.#viewport, noInsets)
    );
  }

  setCamera(camera: CameraState): void {
    if (this.#host) this.#host.viewer.camera = camera;
    else this.#camera = camera;
  }

  async savePicture(scale: number, titles: Readonly<Record<string, string>> = {}): Promise<Blob> {
    if (!this.#host) throw nothingShown();
    const { viewer, layers } = this.#host;
    return layers.atScale(scale, () =>
      viewer.picture(
        scale,
        layers.bars.map(({ id, bar }) => ({ ...bar, title: titles[id] ?? bar.title })),
      ),
    );
  }

  async exportMesh(format: MeshFormat, id?: string, options?: MeshExportOptions): Promise<Blob> {
    if (this.#ranks?.team) await this.#host?.layers.gather(id);
    return this.#runHere("Export the mesh", "The mesh", async (job, session) => {
      const [meshes, { meshFile }] = await Promise.all([
        this.#layers.meshes(session, id, job),
        import("./exports.ts"),
      ]);
      const elsewhere = (name: string) => this.#ranks?.field(session, name, job);
      return meshFile(meshes, format, job, options, { session, elsewhere });
    });
  }

  exportField(name: string, format: FieldFormat): Promise<NamedBlob> {
    return this.#withRanks(
      `Export ${name}`,
      `The file of ${name}`,
      (ranks, session) => ranks.values(session, name),
      async (job, session, gathered) => {
        const field = { ...(gathered ?? (await session.hostField(name, job))), name };
        const { loadedFieldFile } = await import("./exports.ts");
        return loadedFieldFile(session.data, field, format, job);
      },
    );
  }

  async openRank(port: MessagePort): Promise<void> {
    await (await this.#pageRanks()).open(port);
  }

  drawByRanks(drawing: RankDrawing): void {
    this.#drawing = drawing;
    this.#ranks?.check();
    this.#host?.layers.retint();
  }

  cancel(): void {
    this.#jobs.cancel();
  }

  async settled(): Promise<FrameReport> {
    await this.#jobs.settled();
    while (this.#setting.size > 0) {
      await Promise.all(this.#setting);
      await this.#jobs.settled();
    }
    const host = this.#host;
    await host?.viewer.shown();
    const triangles = await host?.layers.triangles();
    // What was counted may have asked for more room, or for another range of colours.
    await host?.viewer.shown();
    const use = this.#session?.memoryUse;
    return {
      frame: host?.viewer.frame ?? 0,
      triangles: triangles ?? 0,
      gpuBytes: use?.current ?? 0,
      gpuPeakBytes: use?.peak ?? 0,
    };
  }

  async #cpuWorkers(): Promise<CpuWorkers> {
    const { browserWorkers } = await import("../lang/expression/execute/cpu/browser-workers.ts");
    this.#workers ??= browserWorkers();
    return this.#workers;
  }

  async #pageRanks(): Promise<PageRanks> {
    const { PageRanks } = await import("./ranks/page-ranks.ts");
    const workers = await this.#cpuWorkers();
    this.#ranks ??= new PageRanks(
      {
        workers,
        jobs: this.#jobs,
        session: () => this.#open(),
        source: () => this.#source,
        drawing: () => this.#drawing,
      },
      { changed: () => this.#showAgain(), lost: (error) => this.#tellError(error) },
    );
    return this.#ranks;
  }

  async #prepare(session: Session, request: OpenRequest, job: JobContext) {
    if (request.kind === "lattice") {
      return { prepared: await session.prepareLattice(request, job), suggestion: undefined };
    }
    if ("name" in request) {
      const { dataElsewhere } = await import("./ranks/data-elsewhere.ts");
      const source = sourceOf(request, this.#opened);
      return {
        prepared: await dataElsewhere(session, await this.#pageRanks(), source, job),
        suggestion: undefined,
      };
    }
    const { dataSet, suggestion } = await readRequest(request, job);
    return { prepared: await session.prepare(dataSet, job), suggestion };
  }

  /** A job over the data set that is open now, whose first part the ranks do where `ask` gives what they are asked. */
  #withRanks<A, T>(
    job: string,
    what: string,
    ask: (ranks: PageRanks, session: Session) => RankQuestion<A> | undefined,
    work: (job: JobContext, session: Session, answer: A | undefined) => Promise<T>,
  ): Promise<T> {
    return this.#runHere(job, what, async (context, session) => {
      const ranks = this.#ranks;
      const question = ranks && ask(ranks, session);
      return work(context, session, question && (await ranks.answer(question, context)));
    });
  }

  /**
   * The surface of a layer, where ranks make it. They are asked between two jobs: their part here has to have its turn among
   * these, too.
   */
  async #madeByRanks(layer: Layer): Promise<DrawnByRanks | undefined> {
    const team = this.#ranks?.team;
    if (!team?.makes(layer)) return undefined;
    await this.#runHere("Show a layer", "The layer", async () => {});
    const viewer = this.#host?.viewer;
    return team.show(layer, {
      view: viewer && { camera: viewer.camera, viewport: viewer.viewport(1) },
    });
  }

  /** The layers are made by ranks from now on, or by this page. */
  #showAgain(): void {
    for (const layer of this.#layers.all)
      this.setLayer(layer).catch((error: unknown) => this.#tellError(error));
  }

  /** Nothing can be probed while a device is lost. */
  async #probe(x: number, y: number): Promise<ProbeReport | undefined> {
    const host = this.#host;
    const session = this.#session;
    if (!host || !session?.isOpen) return undefined;
    try {
      const hit = await host.viewer.pick(x, y);
      return hit && (await host.layers.report(session, hit));
    } catch (error) {
      if (error instanceof CrinkleError && error.tag === "DeviceLost") return undefined;
      throw error;
    }
  }

  /** Runs a job on the data set that is open now; rejects if another has been opened when its turn comes. */
  #runHere<T>(
    job: string,
    what: string,
    work: (job: JobContext, session: Session) => Promise<T>,
  ): Promise<T> {
    const opened = this.#opened;
    const former = this.#session?.isOpen ? this.#session.data.dataSet.name : undefined;
    return this.#jobs.run(job, async (context) => {
      const session = this.#open();
      if (former !== undefined && opened !== this.#opened)
        throw ofFormerData(what, former, session.data.dataSet.name);
      return work(context, session);
    });
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

  /** Undefined if there is no GPU to draw with, or no canvas yet. */
  async #createHost(): Promise<ViewerHost | undefined> {
    const gpu = this.#session?.device.gpu;
    if (!gpu || !this.#canvas) return undefined;
    // A canvas can be configured for only one device at a time.
    await this.#hostReady.catch(() => {});
    const host = await ViewerHost.create(
      gpu,
      this.#canvas,
      this.#viewport,
      this.#theme,
      {
        counted: ({ id }, { triangles, vertices, isovalue }, ms, note) => {
          this.#emit({ kind: "layer", id, triangles, vertices, isovalue, ms, note });
          this.#tellMemory();
        },
        barsChanged: (bars) => this.#emit({ kind: "scalarBars", bars }),
        failed: (error) => this.#tellError(error),
        beforeFrame: () => this.lattice.beforeFrame(),
        madeByRanks: ({ id }, made) => this.#emit({ kind: "layerRanks", id, made }),
      },
      () => this.#ranks?.team,
    );
    if (gpu.isLost) {
      host.detach();
      return undefined;
    }
    this.#host = host;
    host.viewer.resize(this.#viewport);
    host.viewer.setTheme(this.#theme);
    this.#layers.views = host.layers;
    if (this.#session?.isOpen) host.viewer.setGrid(this.#session.data.bounds);
    if (this.#camera) host.viewer.camera = this.#camera;
    this.#camera = undefined;
    this.lattice.kick();
    return host;
  }

  /** Continues with a new device when the present one is lost. */
  #watch(): void {
    const session = this.#open();
    session.device.gpu?.lost.catch((error: unknown) => {
      this.#tellError(error);
      void this.#recover(session).catch((failure: unknown) => this.#tellError(failure));
    });
  }

  async #recover(session: Session): Promise<void> {
    this.#camera = this.#host?.viewer.camera ?? this.#camera;
    this.#host?.detach();
    this.#host = undefined;
    this.#layers.views = undefined;
    this.#jobs.cancel();
    await this.#jobs.runAnyway("Restore the session", async (job) => {
      const device = await openPageDevice("auto");
      const failures: unknown[] = [];
      const fails = (error: unknown) => failures.push(error);
      const moved = session.moveTo(device, job).catch(fails);
      this.#watch();
      await moved;
      this.#hostReady = this.#createHost();
      await this.#hostReady.catch(fails);
      await this.#layers.show(session, job).catch(fails);
      // The loss of this device starts recovery again.
      if (failures.length > 0 ? await session.isLost() : device.gpu?.isLost) return;
      this.#emit({ kind: "device", device: device.summary, restored: device.gpu !== undefined });
      for (const error of failures) this.#tellError(error);
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

const firstLine = (text: string): string => `“${text.trim().split("\n")[0]}”`;
