import { cancelled } from "../../core/errors.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { LatticeSeries, Numbers } from "./api.ts";

/** Somebody waits for sweeps, and for what was measured after them. */
interface Step {
  readonly first: number;
  readonly last: number;
  readonly quantities: Readonly<Record<string, number[]>>;
  resolve(series: LatticeSeries): void;
  reject(error: unknown): void;
}

/** Sweeps that were asked for one by one, beside those that a lattice runs by itself. */
export class Steps {
  readonly #names: readonly string[];
  #waiting: Step[] = [];

  /** The names of what is measured. */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  /** The number of the last sweep that somebody waits for; 0 where nobody waits. */
  get last(): number {
    return Math.max(0, ...this.#waiting.map(({ last }) => last));
  }

  /**
   * Resolves when so many sweeps more have been run and measured than have been begun or asked for. Throws BadArgument; rejects with
   * Cancelled where the lattice is closed before.
   */
  ask(sweeps: number, begun: number): Promise<LatticeSeries> {
    if (!Number.isInteger(sweeps) || sweeps < 1)
      throw badArgument(`The number of sweeps to run is ${sweeps}.`, "Give a whole number from 1 on.");
    const first = Math.max(begun, this.last) + 1;
    return new Promise((resolve, reject) => {
      const quantities = Object.fromEntries(this.#names.map((name) => [name, []]));
      this.#waiting.push({ first, last: first + sweeps - 1, quantities, resolve, reject });
    });
  }

  /** Hears of each sweep what was measured after it. */
  measured(sweep: number, quantities: Numbers): void {
    for (const step of this.#waiting) {
      if (sweep < step.first || sweep > step.last) continue;
      for (const name of this.#names) step.quantities[name].push(quantities[name]);
    }
    const ended = this.#waiting.filter(({ last }) => last <= sweep);
    if (ended.length === 0) return;
    this.#waiting = this.#waiting.filter(({ last }) => last > sweep);
    for (const { first, quantities, resolve } of ended) {
      const series = Object.entries(quantities).map(
        ([name, values]) => [name, Float64Array.from(values)] as const,
      );
      resolve({ first, quantities: Object.fromEntries(series) });
    }
  }

  close(): void {
    for (const { reject } of this.#waiting) reject(cancelled("The lattice"));
    this.#waiting = [];
  }
}
