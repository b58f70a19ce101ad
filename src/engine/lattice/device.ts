import type { Field } from "../../core/field.ts";
import type { Simulation, Stroke } from "../../core/lattice/simulation.ts";
import type { FieldValue } from "../derived.ts";
import type { LatticePlane, Numbers } from "./api.ts";

/** Is called with the sums of sweeps in their order. */
export type OnSums = (sums: readonly Numbers[]) => void;

/** A lattice on some device, and the fields of its shown sites, whose memory stays. */
export interface LatticeDevice {
  readonly simulation: Simulation;
  /**
   * Begins up to so many sweeps and shows what they end in; nothing is waited for. Returns how many it has begun: fewer where
   * more would take long, none while it is busy.
   */
  advance(sweeps: number, parameters: Numbers): number;
  /** Resolves when the sums of all sweeps that were begun have been reported. */
  measured(): Promise<void>;
  /** Shows the present state, after a stroke or at another place. */
  show(plane: LatticePlane): void;
  /** What draws at once, once it is compiled; undefined until `prepareBrush` has resolved. */
  readonly draw: ((stroke: Stroke) => void) | undefined;
  prepareBrush(): Promise<void>;
  /** A shown field where it lies. */
  value(name: string): FieldValue | undefined;
  /** A shown field as it is now, in host memory. */
  read(name: string): Promise<Field>;
  dispose(): void;
}
