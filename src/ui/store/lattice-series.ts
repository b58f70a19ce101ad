/** What is measured sweep by sweep, for charts of bounded size. */

/** Points of a chart at most; then neighbours are averaged. */
const maxPoints = 2048;

/** A quantity over the sweeps so far: means of as many successive sweeps as it takes to keep the number of points bounded. */
export class LatticeHistory {
  readonly #means = new Map<string, Float64Array>();
  readonly #pending = new Map<string, number>();
  #pendingCount = 0;
  #perPoint = 1;
  #points = 0;
  #first = 0;

  /** Sweeps of a point. */
  get perPoint(): number {
    return this.#perPoint;
  }

  get names(): readonly string[] {
    return [...this.#means.keys()];
  }

  /** What was measured after sweeps that follow those before; `first` is the number of the first of them. */
  add(first: number, quantities: Readonly<Record<string, ArrayLike<number>>>): void {
    const names = Object.keys(quantities);
    const count = names.length === 0 ? 0 : quantities[names[0]].length;
    if (count === 0) return;
    if (this.#means.size === 0) {
      for (const name of names) this.#means.set(name, new Float64Array(maxPoints));
      this.#first = first;
    }
    for (let k = 0; k < count; k++) {
      for (const name of this.#means.keys()) {
        this.#pending.set(name, (this.#pending.get(name) ?? 0) + quantities[name][k]);
      }
      if (++this.#pendingCount === this.#perPoint) this.#complete();
    }
  }

  /** The middles of the sweeps of each point. */
  sweeps(): Float64Array {
    const middle = this.#first + (this.#perPoint - 1) / 2;
    return Float64Array.from({ length: this.#points }, (_, k) => middle + k * this.#perPoint);
  }

  values(name: string): Float64Array {
    return this.#means.get(name)?.slice(0, this.#points) ?? new Float64Array(0);
  }

  #complete(): void {
    for (const [name, means] of this.#means) {
      means[this.#points] = (this.#pending.get(name) ?? 0) / this.#perPoint;
      this.#pending.set(name, 0);
    }
    this.#pendingCount = 0;
    if (++this.#points === maxPoints) this.#halve();
  }

  #halve(): void {
    for (const means of this.#means.values()) {
      for (let k = 0; k < maxPoints / 2; k++) means[k] = (means[2 * k] + means[2 * k + 1]) / 2;
    }
    this.#points = maxPoints / 2;
    this.#perPoint *= 2;
  }
}
