/** A depth is better that takes so much less time. */
const better = 0.97;

/** Another depth is tried so often before the search stays where it is: machines are noisy. */
const attempts = 2;

/** The fastest of so many runs says how long a sweep takes. */
const runsOfDepth = 2;

type Direction = "deeper" | "shallower";

/**
 * How many layers ranks exchange at a time: many, and exchanges are rare; few, and little is computed twice. Begins with some, doubles them as
 * long as sweeps take less time, and halves them where doubling has never helped.
 */
export class DepthSearch {
  readonly #least: number;
  readonly #most: number;
  #depth: number;
  #best: { readonly depth: number; readonly ms: number } | undefined;
  #tried: Direction = "deeper";
  readonly #failed: Record<Direction, number> = { deeper: 0, shallower: 0 };
  #times: number[] = [];

  constructor(first: number, most: number, least = first) {
    this.#most = most;
    this.#least = Math.min(least, most);
    this.#depth = Math.min(Math.max(first, this.#least), most);
  }

  /** For the next run. */
  get depth(): number {
    return this.#depth;
  }

  /** What a sweep has taken with this depth, in a run with exchanges. */
  learn(sweepMs: number): void {
    this.#times.push(sweepMs);
    if (this.#times.length < runsOfDepth) return;
    const ms = Math.min(...this.#times);
    this.#times = [];
    const best = this.#best;
    if (best && this.#depth !== best.depth) {
      if (ms > better * best.ms) {
        this.#failed[this.#tried]++;
        this.#depth = best.depth;
        return;
      }
      this.#failed[this.#tried] = 0;
      this.#failed[this.#tried === "deeper" ? "shallower" : "deeper"] = attempts;
    }
    this.#best = { depth: this.#depth, ms };
    this.#tried = this.#failed.deeper < attempts && this.#depth < this.#most ? "deeper" : "shallower";
    if (this.#failed[this.#tried] === attempts) return;
    this.#depth =
      this.#tried === "deeper"
        ? Math.min(this.#most, 2 * this.#depth)
        : Math.max(this.#least, this.#depth >> 1);
  }
}
