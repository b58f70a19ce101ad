/** Structure factors of many states of a run, averaged. */
import { type Measured, measuredMean } from "./statistics.ts";
import { structureFactor } from "./structure-factor.ts";

export interface MeasuredStructure {
  /** Middles of shells of wave numbers, in radians a site. */
  readonly wavenumbers: Float64Array<ArrayBuffer>;
  /** The structure factor of each shell. */
  readonly values: readonly Measured[];
  /** In sites. */
  readonly domainSize: Measured;
  /** The sweeps after which samples were taken, all of the run, and the size of domains at each of them. */
  readonly sweeps: readonly number[];
  readonly domainSizes: Float64Array<ArrayBuffer>;
}

/** Takes samples after every `every`-th sweep; those of the first `discard` sweeps do not count in means. */
export class StructureSamples {
  readonly every: number;
  readonly #lengths: readonly number[];
  readonly #discard: number;
  readonly #sweeps: number[] = [];
  readonly #domainSizes: number[] = [];
  readonly #shells: Float64Array[] = [];
  #wavenumbers = new Float64Array(0);

  constructor(lengths: readonly number[], every: number, discard: number) {
    this.#lengths = lengths;
    this.every = every;
    this.#discard = discard;
  }

  add(sweep: number, values: ArrayLike<number>, components: number): void {
    const { wavenumbers, values: shells, domainSize } = structureFactor(this.#lengths, values, components);
    this.#wavenumbers = wavenumbers;
    this.#sweeps.push(sweep);
    this.#domainSizes.push(domainSize);
    if (sweep > this.#discard) this.#shells.push(shells);
  }

  measured(): MeasuredStructure {
    const first = this.#sweeps.findIndex((sweep) => sweep > this.#discard);
    return {
      wavenumbers: this.#wavenumbers,
      values: Array.from(this.#wavenumbers, (_, k) =>
        measuredMean(Float64Array.from(this.#shells, (shells) => shells[k])),
      ),
      domainSize: measuredMean(
        Float64Array.from(this.#domainSizes.slice(first < 0 ? this.#sweeps.length : first)),
      ),
      sweeps: this.#sweeps,
      domainSizes: Float64Array.from(this.#domainSizes),
    };
  }
}
