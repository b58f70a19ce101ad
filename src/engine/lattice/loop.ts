import type { Statistics } from "../../core/statistics.ts";
import type { LatticeNews } from "./api.ts";
import type { LivingLattice } from "./living-lattice.ts";

/** Between two news while it runs: twenty a second. */
const newsMs = 50;

/** Between two times that statistics and computed layers are brought up to date while it runs. */
const refreshMs = 500;

/** Between two pictures where nothing is drawn. */
const blindMs = 16;

export interface LoopHost {
  /** Whether sweeps may run now: not while a job reads the fields. */
  mayRun(): boolean;
  /** Asks for a picture; false where nothing is drawn. */
  invalidate(): boolean;
  /** The fields of the lattice have other values from now on. */
  changed(): void;
  /**
   * Takes statistics, and computes again what layers show of these fields, while no sweep runs. Calls nothing of the loop before it
   * resolves.
   */
  refresh(): Promise<Readonly<Record<string, Statistics>>>;
  tell(news: LatticeNews): void;
  failed(error: unknown): void;
}

/**
 * Runs a lattice between pictures: before each one its sweeps are submitted, and the next one is asked for. Without a picture a
 * timer takes the place of frames.
 */
export class LatticeLoop {
  readonly #lattice: LivingLattice;
  readonly #host: LoopHost;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #newsTimer: ReturnType<typeof setTimeout> | undefined;
  #refreshed = Number.NEGATIVE_INFINITY;
  /** Whether the state is newer than statistics and computed layers. */
  #isStale = false;
  #refreshing: Promise<void> | undefined;
  #statistics: Readonly<Record<string, Statistics>> | undefined;
  #isSuspended = false;
  #isClosed = false;

  constructor(lattice: LivingLattice, host: LoopHost) {
    this.#lattice = lattice;
    this.#host = host;
    lattice.onError = (error) => host.failed(error);
  }

  get isSuspended(): boolean {
    return this.#isSuspended;
  }

  set isSuspended(isSuspended: boolean) {
    this.#isSuspended = isSuspended;
    this.kick();
  }

  /** Goes on if there is something to do: after each change, and whenever a job has ended. */
  kick(): void {
    if (this.#isClosed) return;
    this.#tellLater();
    if (!this.#mayAdvance) return;
    if (this.#host.invalidate()) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.beforeFrame();
    }, blindMs);
  }

  /** Called before each picture. */
  beforeFrame(): void {
    if (!this.#mayAdvance) return;
    this.#lattice.advance();
    this.changed();
    // The frame has to begin before another can be asked for.
    queueMicrotask(() => this.kick());
    if (performance.now() - this.#refreshed > refreshMs) this.#refresh();
  }

  /** What is shown is no longer what it was, by sweeps or a stroke. */
  changed(): void {
    this.#isStale = true;
    this.#host.changed();
    this.#tellLater();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#newsTimer);
  }

  get #mayAdvance(): boolean {
    return !this.#isClosed && !this.#isSuspended && this.#lattice.isDue && this.#host.mayRun();
  }

  #tellLater(): void {
    this.#newsTimer ??= setTimeout(() => {
      this.#newsTimer = undefined;
      this.#tell();
    }, newsMs);
  }

  #tell(): void {
    const lattice = this.#lattice;
    const statistics = this.#statistics;
    this.#statistics = undefined;
    this.#host.tell({
      ...lattice.state,
      series: lattice.takeSeries(),
      ...(statistics ? { statistics } : {}),
    });
    const isResting = !lattice.isDue || this.#isSuspended;
    if (!isResting || lattice.isAhead) this.#tellLater();
    else if (this.#isStale) this.#refresh();
  }

  #refresh(): void {
    if (this.#refreshing || !this.#isStale) return;
    this.#isStale = false;
    this.#refreshing = this.#host
      .refresh()
      .then((statistics) => {
        this.#statistics = statistics;
      })
      .catch((error: unknown) => this.#host.failed(error))
      .finally(() => {
        this.#refreshing = undefined;
        this.#refreshed = performance.now();
        this.kick();
      });
  }
}
