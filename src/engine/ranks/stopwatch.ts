/** Milliseconds that a rank spent. What is neither reading nor computing is spent on messages, and on waiting for them. */
export interface RankTimes {
  readonly read: number;
  readonly compute: number;
  readonly communicate: number;
}

/** Measures what a rank's part of a job spends its time on. */
export class Stopwatch {
  /** Bytes of files that the rank has read. */
  bytesRead = 0;
  readonly #ms = { read: 0, compute: 0, communicate: 0 };

  get times(): RankTimes {
    return { ...this.#ms };
  }

  async time<T>(what: keyof RankTimes, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    try {
      return await work();
    } finally {
      this.#ms[what] += performance.now() - start;
    }
  }
}
