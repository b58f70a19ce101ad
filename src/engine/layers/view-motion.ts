/** Milliseconds without a change after which what was changing rests. */
const restMs = 150;

/** Whether what pictures are asked for still changes, as while a camera is turned or an isovalue is dragged. */
export class ViewMotion {
  readonly #rested: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waiting: (() => void)[] = [];

  /** `rested` is called when the change is over. */
  constructor(rested: () => void) {
    this.#rested = rested;
  }

  get isMoving(): boolean {
    return this.#timer !== undefined;
  }

  /** Something has changed. */
  move(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.stop();
      this.#rested();
    }, restMs);
  }

  /** Resolves when nothing changes any more. */
  async atRest(): Promise<void> {
    if (this.isMoving) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Ends the change without a word. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
