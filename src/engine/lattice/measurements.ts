import type { LatticeSeries, Numbers } from "./api.ts";

/** Rates are taken over so long. */
const rateMs = 1000;

interface Moment {
  readonly time: number;
  readonly sweeps: number;
  readonly pictures: number;
}

/** What was measured after each sweep, until somebody takes it, and how fast sweeps come. */
export class Measurements {
  readonly #names: readonly string[];
  #first = 1;
  #taken: Record<string, number[]>;
  #count = 0;
  #moments: Moment[] = [];
  #pictures = 0;

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#taken = this.#none();
  }

  /** Sweeps that have been measured, with those before. */
  get sweeps(): number {
    return this.#first - 1 + this.#count;
  }

  add(quantities: Numbers): void {
    for (const name of this.#names) this.#taken[name].push(quantities[name]);
    this.#count++;
  }

  /** A picture was begun. */
  countPicture(): void {
    this.#pictures++;
    const time = performance.now();
    this.#moments.push({ time, sweeps: this.sweeps, pictures: this.#pictures });
    while (this.#moments[0].time < time - rateMs) this.#moments.shift();
  }

  /** Per second, over the last one; 0 where there has been no picture in it. */
  get rates(): { readonly sweeps: number; readonly pictures: number } {
    const now = performance.now();
    const [first] = this.#moments.filter(({ time }) => time >= now - rateMs);
    const seconds = first ? (now - first.time) / 1000 : 0;
    if (!(seconds > 0)) return { sweeps: 0, pictures: 0 };
    return {
      sweeps: (this.sweeps - first.sweeps) / seconds,
      pictures: (this.#pictures - first.pictures) / seconds,
    };
  }

  /** What has come since the last call. */
  take(): LatticeSeries {
    const first = this.#first;
    const quantities = Object.fromEntries(
      this.#names.map((name) => [name, Float64Array.from(this.#taken[name])]),
    );
    this.#first += this.#count;
    this.#count = 0;
    this.#taken = this.#none();
    return { first, quantities };
  }

  #none(): Record<string, number[]> {
    return Object.fromEntries(this.#names.map((name) => [name, []]));
  }
}
