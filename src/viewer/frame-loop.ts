/** One drawn frame: its start, on `performance.now`'s clock, and how long the CPU worked on it. */
export interface FrameTime {
  readonly start: number;
  readonly ms: number;
}

export interface FrameScheduler {
  /** Calls back once, soon. */
  request(callback: () => void): void;
  /** Resolves when the GPU has finished the submitted work, or will never finish it. */
  gpuDone(): Promise<unknown>;
}

const kept = 512;
/** Maximum number of frames in flight: more would only add lag between a gesture and its picture. */
const maxInFlight = 2;

/** Draws on demand: any number of invalidations before a frame make one frame, and none makes none. */
export class FrameLoop {
  readonly #draw: () => void;
  readonly #scheduler: FrameScheduler;
  readonly #times: FrameTime[] = [];
  #count = 0;
  #isWanted = false;
  #isRequested = false;
  #inFlight = 0;
  /** When the GPU has finished the latest frame. */
  #landed: Promise<void> | undefined;
  #holds = 0;
  #lastHold: Promise<unknown> = Promise.resolve();
  #isStopped = false;
  #waiting: (() => void)[] = [];

  constructor(draw: () => void, scheduler: FrameScheduler) {
    this.#draw = draw;
    this.#scheduler = scheduler;
  }

  /** Number of frames drawn so far. */
  get count(): number {
    return this.#count;
  }

  /** The latest frames, oldest first, at most 512. */
  get times(): readonly FrameTime[] {
    const next = this.#count % kept;
    return [...this.#times.slice(next), ...this.#times.slice(0, next)];
  }

  invalidate(): void {
    this.#isWanted = true;
    this.#pump();
  }

  /** Invalidates, and resolves when the next frame has been submitted, or the loop has stopped. */
  drawn(): Promise<void> {
    if (this.#isStopped) return Promise.resolve();
    const done = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.invalidate();
    return done;
  }

  /**
   * Resolves when all that was asked for is on the display, or the loop has stopped: the frame that is wanted, if any, is drawn,
   * the GPU has finished it, and the display has had a turn since. Asks for no frame itself.
   */
  async shown(): Promise<void> {
    if (this.#isWanted) await this.drawn();
    await this.#landed;
    if (!this.#isStopped) await new Promise<void>((resolve) => this.#scheduler.request(resolve));
  }

  /** Runs `work` while no frame is drawn and no other such work runs; frames asked for meanwhile follow it. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.#holds++;
    const done = this.#lastHold.then(work);
    this.#lastHold = done.catch(() => {});
    try {
      return await done;
    } finally {
      this.#holds--;
      this.#pump();
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#release();
  }

  #pump(): void {
    if (!this.#isWanted || this.#isRequested || this.#isStopped) return;
    if (this.#holds > 0 || this.#inFlight >= maxInFlight) return;
    this.#isRequested = true;
    this.#scheduler.request(() => {
      this.#isRequested = false;
      if (this.#holds === 0 && !this.#isStopped) this.#frame();
    });
  }

  #frame(): void {
    this.#isWanted = false;
    const start = performance.now();
    try {
      this.#draw();
    } finally {
      this.#times[this.#count % kept] = { start, ms: performance.now() - start };
      this.#count++;
      this.#inFlight++;
      const landed = () => {
        this.#inFlight--;
        this.#pump();
      };
      this.#landed = this.#scheduler.gpuDone().then(landed, landed);
      this.#release();
    }
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

const doneOn = (device: GPUDevice) => () => Promise.race([device.queue.onSubmittedWorkDone(), device.lost]);

/** Schedules at once, for a viewer without a canvas: its frames only submit the work that pictures show. */
export function offscreenScheduler(device: GPUDevice): FrameScheduler {
  return { request: (callback) => void setTimeout(callback), gpuDone: doneOn(device) };
}

/** Schedules with the display's frames; in a hidden tab, which has none, a few times per second. */
export function frameScheduler(device: GPUDevice): FrameScheduler {
  return {
    request(callback) {
      let isDone = false;
      const once = () => {
        if (isDone) return;
        isDone = true;
        clearTimeout(timer);
        cancelAnimationFrame(frame);
        callback();
      };
      const timer = setTimeout(once, 250);
      const frame = requestAnimationFrame(once);
    },
    gpuDone: doneOn(device),
  };
}
