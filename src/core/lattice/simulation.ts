import type { LatticeArrays, Numbers } from "./model.ts";

/** A model's state on some device. Calls are made one after the other. */
export interface Simulation {
  /** Runs sweeps with these parameters; resolves to the sums after each of them. */
  run(sweeps: number, parameters: Numbers): Promise<readonly Numbers[]>;
  /** The model's arrays, which later sweeps may change. */
  read(): Promise<LatticeArrays>;
  /** A field of the plan's: its components side by side, site by site. Throws UnknownName. */
  field(name: string): Promise<Int8Array<ArrayBuffer> | Float32Array<ArrayBuffer>>;
  dispose(): void;
}

export interface SimulationOptions {
  /** Two words. */
  readonly seed: readonly [number, number];
  /** The start's name. */
  readonly start: string;
  readonly parameters: Numbers;
}
