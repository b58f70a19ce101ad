import type { StrategyName } from "./strategies.ts";

/** Where the arrays of a run are before, between and after its kernels. */
export interface Residency {
  /**
   * Fields and tables of coordinates: "resident" on the device before and after the run; "sent" before the first kernel
   * that reads them and freed after the last; or "resent" for each kernel that reads them.
   */
  readonly inputs: "resident" | "sent" | "resent";
  /** Values that later kernels read: "freed" after the last of them, "kept" as long as the outputs, or "returned" to the host. */
  readonly temporaries: "freed" | "kept" | "returned";
  readonly outputs: "resident" | "returned";
}

/** Fields stay on the device, and so do results. */
export const resident: Residency = { inputs: "resident", temporaries: "freed", outputs: "resident" };

/** The same for kernels that are bound once and run again and again. */
export const residentAndBound: Residency = { ...resident, temporaries: "kept" };

const fromHostToHost: Residency = { inputs: "sent", temporaries: "freed", outputs: "returned" };

/** From host memory to host memory. */
export const hostResidency: Readonly<Record<StrategyName, Residency>> = {
  roundtrip: { inputs: "resent", temporaries: "returned", outputs: "returned" },
  staged: fromHostToHost,
  fusion: fromHostToHost,
  streamed: fromHostToHost,
};
