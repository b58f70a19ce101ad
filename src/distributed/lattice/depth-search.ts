/** A depth is better that takes so much less time. */
const better = 0.97;

/** A greater depth is tried so often before the search stays where it is: machines are noisy. */
const attempts = 2;

/**
 * How many layers ranks exchange at a time: many, and exchanges are rare; few, and little is computed twice. Begins with some, and doubles them as long as sweeps
 * take less time.
 */
export class DepthSearch {
  readonly #most: number;
  #depth: number;
  #best: { readonly depth: number; readonly ms: number } | undefined;
  #failed = 0;

  constructor(first: number, most: number) {
    this.#most = most;
    this.#depth = Math.min(first, most);
  }

  /** For the next run. */
  get depth(): number {
    return this.#depth;
  }

  /** What a sweep has taken with this depth, in a run with several exchanges. */
  learn(ms: number): void {
    const best = this.#best;
    if (best && this.#depth !== best.depth && ms > better * best.ms) {
      this.#failed++;
      this.#depth = best.depth;
      return;
    }
    if (this.#depth !== best?.depth) this.#failed = 0;
    this.#best = { depth: this.#depth, ms };
    if (this.#failed < attempts) this.#depth = Math.min(this.#most, 2 * this.#depth);
  }
}
