import type { Statistics } from "../../core/statistics.ts";

/** Numbers by their names. */
export type Numbers = Readonly<Record<string, number>>;

/** Sets sites to a value, within a distance of a position: a disc in two dimensions, a ball in more, across the periodic borders, too. */
export interface LatticeStroke {
  /** Site coordinates, one for each axis of the lattice, which need not be whole. */
  readonly position: readonly number[];
  /** In sites; 0 sets the nearest site alone. */
  readonly radius: number;
  /** What `LatticeSummary.brush` allows. */
  readonly value: number;
}

/** A change that a person made after so many sweeps. */
export type LatticeChange =
  /** All parameters from then on. */
  | { readonly kind: "parameters"; readonly sweep: number; readonly parameters: Numbers }
  | { readonly kind: "stroke"; readonly sweep: number; readonly stroke: LatticeStroke };

/** The axes of a lattice that are seen. */
export interface LatticePlane {
  /** One to three different axes: the first is shown along x. */
  readonly axes: readonly number[];
  /** Where the other axes are cut: an index for each axis of the lattice; those of shown axes do not matter. */
  readonly at: readonly number[];
}

/** What makes a lattice: opened again it is the same to the bit. */
export interface LatticeRequest {
  readonly kind: "lattice";
  readonly model: string;
  /** The lengths, the fastest axis first, 1 to 10 of them. */
  readonly size: readonly number[];
  /** A whole number from 0 on, below 2⁵³ (1). */
  readonly seed?: number;
  /** The model's usual one where it is left out. */
  readonly start?: string;
  /** Those at the start that differ from the model's defaults. */
  readonly parameters?: Numbers;
  /** Sweeps to run, with the changes between them, before it is shown (0). */
  readonly sweeps?: number;
  /** In the order in which they were made. */
  readonly changes?: readonly LatticeChange[];
  /** The first three axes, through the middle of the others, where it is left out. */
  readonly plane?: LatticePlane;
}

/** What a person reads of something that has a name of its own. */
export interface Described {
  /** In place of the name. */
  readonly label: string;
  /** What it is, in a few words. */
  readonly meaning: string;
  /** What it is measured in, if anything. */
  readonly unit?: string;
}

export interface LatticeParameterSummary extends Described {
  readonly name: string;
  /** On two axes, where it depends on how many there are. */
  readonly default: number;
  /** On 1, 2, … axes, where it depends on how many there are. */
  readonly defaultByAxes?: readonly number[];
  readonly min: number;
  readonly max: number;
  /** A whole number that stays as it is while the lattice is open. */
  readonly isFixed: boolean;
}

export interface LatticeModelSummary {
  readonly name: string;
  /** What a person reads in place of the name. */
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  readonly parameters: readonly LatticeParameterSummary[];
  /** The usual one first. */
  readonly starts: readonly string[];
  /** Fields of the sites, by their names; the most telling one first. */
  readonly fields: Readonly<Record<string, Described>>;
  /** What is measured after each sweep. */
  readonly quantities: Readonly<Record<string, Described>>;
  /** What is measured of a whole run. */
  readonly measures: Readonly<Record<string, Described>>;
}

/** The values that strokes may set. */
export interface LatticeBrushLimits {
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
  /** What a person ought to know who draws. */
  readonly note?: string;
}

/** What is special of a data set that is a lattice. */
export interface LatticeSummary {
  readonly model: LatticeModelSummary;
  readonly size: readonly number[];
  readonly seed: number;
  readonly start: string;
  readonly plane: LatticePlane;
  /** Undefined where the model cannot be drawn on. */
  readonly brush: LatticeBrushLimits | undefined;
  /** What separates domains: a scalar of the fields, as an expression, and its values at their walls. */
  readonly domains: { readonly expression: string; readonly walls: readonly number[] } | undefined;
  readonly state: LatticeState;
}

export interface LatticeRun {
  readonly isRunning: boolean;
  /** Sweeps between two pictures, up to 1024: 0.25 is one for every four pictures. */
  readonly sweepsPerPicture: number;
}

/** What was measured after sweeps that follow one another, a site. */
export interface LatticeSeries {
  /** The number of the first of these sweeps, from 1 on. */
  readonly first: number;
  /** A number for each sweep, by the quantities' names; empty arrays where there was no sweep. */
  readonly quantities: Readonly<Record<string, Float64Array>>;
}

export interface LatticeState {
  readonly run: LatticeRun;
  /** Sweeps that have been run and measured. */
  readonly sweeps: number;
  /** All of them, as they are now. */
  readonly parameters: Numbers;
  /** Over the last second; 0 while it rests. */
  readonly sweepsPerSecond: number;
  readonly picturesPerSecond: number;
  /** Why what is open cannot be repeated exactly; undefined where it can. */
  readonly unrepeatable: string | undefined;
}

export interface LatticeNews extends LatticeState {
  /** The sweeps since the last news: none is left out, and none is reported twice. */
  readonly series: LatticeSeries;
  /** Of the shown fields, by their names, about twice a second and when it comes to rest. */
  readonly statistics?: Readonly<Record<string, Statistics>>;
}

/** Runs of a model at several values of a parameter, on several sizes, each with a seed of its own. */
export interface LatticeVariation {
  readonly model: string;
  readonly sizes: readonly (readonly number[])[];
  /** The parameter that varies, and its values. */
  readonly parameter: string;
  readonly values: readonly number[];
  /** The other parameters. */
  readonly parameters: Numbers;
  /** Of each run; the first fifth is not measured. */
  readonly sweeps: number;
  readonly seed: number;
}

/** What one of the runs has measured. */
export interface LatticePoint {
  readonly size: readonly number[];
  readonly value: number;
  /** With one standard error each; undefined of runs that are too short for one. */
  readonly measures: Readonly<Record<string, { readonly mean: number; readonly error: number | undefined }>>;
}

/** The first field of the sites that are shown, after so many sweeps. */
export interface LatticeReading {
  readonly sweeps: number;
  readonly field: string;
  /** Of the axes that are shown, the first the fastest. */
  readonly lengths: readonly number[];
  readonly components: number;
  /** Components side by side, site by site. */
  readonly values: Float32Array<ArrayBuffer>;
}

/** What the engine does with lattices. All but `models` and `vary` reject with BadArgument while no lattice is open. */
export interface LatticeApi {
  models(): Promise<readonly LatticeModelSummary[]>;
  /** A job with progress, which needs no open lattice and rests one that runs. Rejects with UnknownName, BadArgument, Cancelled. */
  vary(variation: LatticeVariation, onPoint: (point: LatticePoint) => void): Promise<readonly LatticePoint[]>;
  setRun(change: Partial<LatticeRun>): Promise<void>;
  /** Runs so many sweeps beside those that it runs by itself, and resolves to what was measured after them. */
  step(sweeps: number): Promise<LatticeSeries>;
  /** From the next sweep on; those that are left out stay. Rejects with UnknownName or BadArgument, and then changes nothing. */
  setParameters(parameters: Numbers): Promise<void>;
  draw(stroke: LatticeStroke): Promise<void>;
  /** Shows other sites along the same axes. */
  setPlace(at: readonly number[]): Promise<void>;
  /** While it runs, too: nothing waits for it. */
  read(): Promise<LatticeReading>;
  /** What repeats the lattice as it is now. */
  request(): Promise<LatticeRequest>;
}
