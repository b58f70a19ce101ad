import type { ElementRange } from "../../core/lattice/layers.ts";
import type { Numbers } from "../../core/lattice/model.ts";
import type { LatticePart, PassConstants } from "../../core/lattice/part.ts";

/** Sums of a part in the order in which they were taken. They come from the device while it goes on, as many at a time as it keeps. */
export class TakenSums {
  readonly #part: LatticePart | undefined;
  #sums: Numbers[] = [];
  #pending = 0;
  #coming: Promise<readonly Numbers[]> | undefined;

  /** None of a rank that has no part. */
  constructor(part: LatticePart | undefined) {
    this.#part = part;
  }

  async take(elements: ElementRange, constants: PassConstants): Promise<void> {
    const part = this.#part;
    if (!part) return;
    part.sum(elements, constants);
    if (++this.#pending === part.maxSums) await this.#fetch(part);
  }

  /** All sums. */
  async all(): Promise<readonly Numbers[]> {
    if (this.#part && this.#pending > 0) await this.#fetch(this.#part);
    await this.#receive();
    return this.#sums;
  }

  /** Fetches what is pending, after what was fetched before has come. */
  async #fetch(part: LatticePart): Promise<void> {
    this.#pending = 0;
    const coming = part.takeSums();
    coming.catch(() => {});
    await this.#receive();
    this.#coming = coming;
  }

  async #receive(): Promise<void> {
    const coming = this.#coming;
    this.#coming = undefined;
    if (coming) this.#sums.push(...(await coming));
  }
}
