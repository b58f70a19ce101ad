import type { Recorder } from "../../compute/recorder.ts";
import type { Count, View } from "../../compute/view.ts";
import type { GpuContext } from "../../device/context.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import type { ScanKernel } from "./options.ts";
import { createTiles } from "./tiles.ts";

export type { ScanKernel } from "./options.ts";

export interface ScanOperands {
  /** Not used where heads are counted. */
  readonly input?: View;
  /** In another buffer than everything that is read. */
  readonly output: View;
  /** Keys or head flags, where the kernel has segments. */
  readonly segments?: View;
  /** The output's length where it is left out. */
  readonly count?: Count;
  /** What exclusive scans (and their segments) begin with; the operator's identity otherwise. */
  readonly init?: number;
  /** The first element's, where positions are sought; 0 where it is left out. */
  readonly firstPosition?: number;
  /** Where the kernel goes on: what the scan before left, or zeros, and where this leaves it; `carryWords` each. */
  readonly carried?: View;
  readonly carry?: View;
}

export interface Scan {
  /** Encodes the scan. Throws BadArgument or TooLarge before it records anything. */
  record(recorder: Recorder, operands: ScanOperands): void;
}

/**
 * Inclusive and exclusive scans, segmented ones too, of any associative operator: what is combined stays in order. A
 * locating operator's give positions, as u32.
 * Chained: one dispatch, 8 bytes an element, and 4 of its segment's key; reduce-then-scan reads everything twice.
 * Floating-point results depend on how tiles are grouped, which chained scans decide as they run; each is within
 * (80 + n / tile) · 2⁻²⁴ of the exact one, relative to the scan of the elements' magnitudes, for sums;
 * a tile has 4096 elements, or 1024 on software adapters.
 * `silent` makes every so manyth tile of a chained scan post nothing: a simulated stall.
 */
export async function createScan(
  gpu: GpuContext,
  kernel: ScanKernel,
  strategy: PrimitiveStrategy,
  silent = 0,
): Promise<Scan> {
  const tiles = await createTiles(gpu, kernel, strategy, silent);
  return {
    record(recorder, operands) {
      tiles.record(recorder, "A scan", operands, operands.count ?? operands.output.length);
    },
  };
}
