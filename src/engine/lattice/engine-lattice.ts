import { CrinkleError, isCancelled } from "../../core/errors.ts";
import type { EngineEvent } from "../api.ts";
import type { JobQueue } from "../jobs.ts";
import type { EngineLayers } from "../layers/engine-layers.ts";
import type { Session } from "../session.ts";
import type { ViewerHost } from "../viewer-host.ts";
import type {
  LatticeApi,
  LatticeModelSummary,
  LatticePoint,
  LatticeReading,
  LatticeRequest,
  LatticeRun,
  LatticeSeries,
  LatticeStroke,
  LatticeVariation,
  Numbers,
} from "./api.ts";
import type { LivingLattice } from "./living-lattice.ts";
import type { LatticeLoop } from "./loop.ts";

interface Parts {
  readonly jobs: JobQueue;
  readonly layers: EngineLayers;
  session(): Session;
  /** What draws; undefined where nothing does. */
  host(): ViewerHost | undefined;
  emit(event: EngineEvent): void;
  failed(error: unknown): void;
}

/** The lattice of an engine, if one is open, and the loop that runs it. */
export class EngineLattice implements LatticeApi {
  readonly #parts: Parts;
  #loop: LatticeLoop | undefined;
  #isHidden = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Other data have been opened: a lattice, or something else. */
  use(lattice: LivingLattice | undefined): void {
    this.#loop?.close();
    this.#loop = lattice && this.#loopOf(lattice);
    if (this.#loop) this.#loop.isSuspended = this.#isHidden;
  }

  /** Called before each picture. */
  beforeFrame(): void {
    this.#loop?.beforeFrame();
  }

  /** A job has ended, or there is a picture now. */
  kick(): void {
    this.#loop?.kick();
  }

  async models(): Promise<readonly LatticeModelSummary[]> {
    const { modelSummaries } = await import("./models.ts");
    return modelSummaries();
  }

  vary(
    variation: LatticeVariation,
    onPoint: (point: LatticePoint) => void,
  ): Promise<readonly LatticePoint[]> {
    const { jobs, session } = this.#parts;
    return jobs.run(`Vary ${variation.parameter}`, async (job) => {
      const { varyOnDevice } = await import("./vary.ts");
      return varyOnDevice(session().device.gpu, variation, onPoint, job);
    });
  }

  async setRun(change: Partial<LatticeRun>): Promise<void> {
    const { lattice } = this.#open();
    lattice.run = { ...lattice.state.run, ...change };
    this.kick();
  }

  async step(sweeps: number): Promise<LatticeSeries> {
    const series = this.#open().lattice.step(sweeps);
    this.kick();
    return series;
  }

  async setParameters(parameters: Numbers): Promise<void> {
    this.#open().lattice.setParameters(parameters);
    this.kick();
  }

  async draw(stroke: LatticeStroke): Promise<void> {
    const { lattice, loop } = this.#open();
    await lattice.draw(stroke);
    loop.changed();
  }

  async setPlace(at: readonly number[]): Promise<void> {
    const { lattice, loop } = this.#open();
    lattice.place = at;
    loop.changed();
  }

  async read(): Promise<LatticeReading> {
    return this.#open().lattice.readFirst();
  }

  async request(): Promise<LatticeRequest> {
    return this.#open().lattice.request;
  }

  /** Whether nobody sees the page, so that what runs rests. */
  set isHidden(isHidden: boolean) {
    this.#isHidden = isHidden;
    if (this.#loop) this.#loop.isSuspended = isHidden;
  }

  #loopOf(lattice: LivingLattice): LatticeLoop {
    const { jobs, emit } = this.#parts;
    return lattice.loop({
      mayRun: () => jobs.isIdle,
      invalidate: () => {
        const host = this.#parts.host();
        host?.viewer.invalidate();
        return host !== undefined;
      },
      changed: () => this.#parts.host()?.layers.fieldsChanged(),
      refresh: () => jobs.runQuietly(() => this.#refresh(lattice)),
      tell: (news) => emit({ kind: "lattice", news }),
      failed: (error) => this.#parts.failed(error),
    });
  }

  /** What is asked for in other data by the time of its turn, or on a lost device, is not needed any more. */
  async #refresh(lattice: LivingLattice) {
    const session = this.#parts.session();
    if (!session.isOpen || session.data.lattice !== lattice) return {};
    try {
      await session.refreshStatistics();
      await this.#parts.layers.recompute(session);
    } catch (error) {
      const isLost = error instanceof CrinkleError && error.tag === "DeviceLost";
      if (!isLost && !isCancelled(error)) throw error;
      return {};
    }
    return Object.fromEntries(
      session.data.dataSet.fields.map((field) => [field.name, session.data.statistics(field)]),
    );
  }

  #open(): { readonly lattice: LivingLattice; readonly loop: LatticeLoop } {
    const session = this.#parts.session();
    const lattice = session.isOpen ? session.data.lattice : undefined;
    if (lattice && this.#loop) return { lattice, loop: this.#loop };
    throw new CrinkleError({
      tag: "BadArgument",
      problem: "No lattice is open.",
      remedy: "Open one with a model and a size first.",
    });
  }
}
