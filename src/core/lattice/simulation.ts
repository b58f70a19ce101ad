import type { LatticeArrays, Numbers } from "./model.ts";

/** Sets the sites that lie within `radius` of a position, around the borders too, to a value. */
export interface Stroke {
  /** A site coordinate along each axis, which need not be whole. */
  readonly position: readonly number[];
  /** In sites; below 1/2 it sets the nearest site alone. */
  readonly radius: number;
  readonly value: number;
}

/** A model's state on some device. Calls are made one after the other. */
export interface Simulation {
  /** Runs sweeps with these parameters; resolves to the sums after each of them. */
  run(sweeps: number, parameters: Numbers): Promise<readonly Numbers[]>;
  /** The model's arrays, which later sweeps may change. */
  read(): Promise<LatticeArrays>;
  /** A field of the plan's: its components side by side, site by site. Throws UnknownName. */
  field(name: string): Promise<Int8Array<ArrayBuffer> | Float32Array<ArrayBuffer>>;
  /** Resolves to what draws at once, between two sweeps. Both throw BadArgument: where the plan has no brush, for what it does not set. */
  brush(): Promise<(stroke: Stroke) => void>;
  dispose(): void;
}

/** What a simulation's later sweeps depend on. */
export interface SimulationState {
  readonly arrays: LatticeArrays;
  /** Sweeps that have been run. */
  readonly sweeps: number;
}

export interface SimulationOptions {
  /** Two words. */
  readonly seed: readonly [number, number];
  /** The start's name. */
  readonly start: string;
  readonly parameters: Numbers;
  /** Goes on from here instead of the start. */
  readonly state?: SimulationState | undefined;
}
