import type { TypedArray } from "./api.ts";

/** A parameter of a model. */
export interface LatticeParameter {
  /** What a person reads in place of its name, such as “Diffusion of U”. */
  readonly label: string;
  /** What it is, in a few words. */
  readonly meaning: string;
  /** What it is measured in, if anything. */
  readonly unit?: string;
  /** On two axes, where it depends on how many there are. */
  readonly default: number;
  /** On 1, 2, … axes, where it depends on how many there are. */
  readonly defaultByAxes?: readonly number[];
  readonly min: number;
  readonly max: number;
  /** A whole number. */
  readonly isFixed?: boolean;
}

/** A model that can be simulated. */
export interface LatticeModelInfo {
  readonly name: string;
  /** What a person reads in place of its name. */
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  readonly parameters: Readonly<Record<string, LatticeParameter>>;
  /** What is measured, with its meaning. */
  readonly measures: Readonly<Record<string, string>>;
}

export interface SimulateOptions {
  /** The lattice's lengths, the fastest axis first, 1 to 10 of them. */
  readonly size: readonly number[];
  readonly sweeps: number;
  /** A whole number from 0 on, below 2⁵³ (1). */
  readonly seed?: number;
  /** Parameters that differ from the model's defaults. */
  readonly parameters?: Readonly<Record<string, number>>;
  /** How it begins: “ordered”, “random”, “spot” or “separated”, as the model allows (its usual start). */
  readonly start?: string;
  /** Sweeps at the beginning that do not count in measures (a fifth). */
  readonly discard?: number;
  /** Sweeps after each of which the structure factor of the first field is taken (never). */
  readonly structureEvery?: number;
  /** "auto" takes a GPU where there is one, else the CPU. */
  readonly device?: "auto" | "gpu" | "cpu" | GPUDevice;
  /** Is called with the number of sweeps that are done. */
  readonly onProgress?: (sweeps: number) => void;
  readonly signal?: AbortSignal;
}

/** Runs of one parameter's values, on one size after the other. */
export interface VaryOptions extends Omit<SimulateOptions, "size" | "structureEvery" | "onProgress"> {
  /** Lengths of each lattice, the fastest axis first. */
  readonly sizes: readonly (readonly number[])[];
  /** The parameter's name. */
  readonly parameter: string;
  readonly values: readonly number[];
  /** Is called with each point when its run has ended. */
  readonly onPoint?: (point: VariedPoint) => void;
  /** Is called with the part that is done, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

export interface VariedPoint {
  readonly size: readonly number[];
  /** Of the parameter. */
  readonly value: number;
  readonly measures: Readonly<Record<string, LatticeMeasure>>;
}

export interface Varied {
  readonly model: string;
  readonly parameter: string;
  /** All values on the first size, then those on the next. */
  readonly points: readonly VariedPoint[];
  readonly report: Simulated["report"];
  readonly notes: readonly string[];
}

export interface LatticeMeasure {
  readonly mean: number;
  /** One standard error, by binning; undefined of runs that are too short for one. */
  readonly error: number | undefined;
}

/** Averages over the states that `structureEvery` chose, without those of discarded sweeps. */
export interface LatticeStructure {
  /** Middles of shells of wave numbers, in radians a site: multiples of 2π / L up to π, L the longest length. */
  readonly wavenumbers: Float64Array<ArrayBuffer>;
  /** S(k) = |Σ_x (f(x) − ⟨f⟩) exp(−ik·x)|² / N, averaged over the wave vectors of each shell. */
  readonly values: readonly LatticeMeasure[];
  /** 2π Σ S(k) / Σ |k| S(k), in sites. */
  readonly domainSize: LatticeMeasure;
  /** Sweeps, discarded ones included, with the size of domains after each. */
  readonly sweeps: readonly number[];
  readonly domainSizes: Float64Array<ArrayBuffer>;
}

export interface LatticeFieldValues {
  /** How many values a site has: they lie side by side. */
  readonly components: number;
  readonly values: TypedArray;
}

export interface Simulated {
  readonly model: string;
  /** With the defaults of those that were not given. */
  readonly parameters: Readonly<Record<string, number>>;
  readonly measures: Readonly<Record<string, LatticeMeasure>>;
  /** What was measured after each sweep, a site, the discarded ones included. */
  readonly series: Readonly<Record<string, Float64Array<ArrayBuffer>>>;
  /** Where it was asked for. */
  readonly structure: LatticeStructure | undefined;
  /** The last state: fields of values for each site, axis 0 the fastest, the most telling field first. */
  readonly fields: Readonly<Record<string, LatticeFieldValues>>;
  readonly report: {
    readonly device: "gpu" | "cpu";
    /** The adapter's name, or “CPU”. */
    readonly description: string;
    readonly ms: number;
  };
  readonly notes: readonly string[];
}

/** Living models on periodic lattices of 1 to 10 dimensions. All throws are CrinkleError. */
export interface Lattice {
  readonly models: readonly LatticeModelInfo[];
  /**
   * Runs a model and measures it after each sweep. The state depends on model, size, parameters, start, seed and sweeps alone, not on the
   * device. Throws UnknownName, BadArgument, TooLarge, OutOfMemory, NoWebGPU, DeviceLost, Cancelled.
   */
  simulate(model: string, options: SimulateOptions): Promise<Simulated>;
  /**
   * Runs a model at each value of a parameter, on each of the sizes, with the seeds from the given one on, and measures each run: its points
   * draw curves of energy or order, and Binder cumulants that cross at a critical temperature. Throws as `simulate` does.
   */
  vary(model: string, options: VaryOptions): Promise<Varied>;
}
