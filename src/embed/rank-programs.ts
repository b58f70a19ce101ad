/** What programs of several ranks import from "crinkle/ranks" (node/rank-programs.ts): every rank runs the program itself. */

import type { Communicator } from "../cluster/communicator/communicator.ts";
import type { ElementReduction } from "../cluster/communicator/operators.ts";
import type { Primitives } from "../core/primitives/primitives.ts";
import type { DistributedPrimitives } from "../distributed/api.ts";

export type { Communicator } from "../cluster/communicator/communicator.ts";
export type { Primitives } from "../core/primitives/primitives.ts";
export type { ScalarType, Vector } from "../core/primitives/vector.ts";
export type { DistributedPrimitives, DistributedVector } from "../distributed/api.ts";

export interface ProgramOptions {
  /** Ranks in all; 2 where it is left out. Ranks that an MPI launcher has started are as many as it says. */
  readonly count?: number;
  /** What each computes on: a GPU where there is one ("auto"), a GPU or nothing, or the CPU. */
  readonly device?: "auto" | "gpu" | "cpu";
  /** Hears which processes were started, and what keeps ranks from GPUs of their own; the standard error output where it is left out. */
  log?(line: string): void;
}

/** This process as one of the ranks that run the same program. */
export interface ProgramRank {
  /** All ranks. Where one is lost, calls reject with RankFailed or Revoked, and `shrink()` goes on with the others. */
  readonly world: Communicator;
  /** This rank's own primitives, on its device; on the CPU where its GPU is software, which is slower. */
  readonly local: Primitives;
  /** "NVIDIA H200", or "CPU". */
  readonly device: string;
  /** The end of the program on this rank: waits until all ranks that are left have called it. */
  close(): Promise<void>;
}

/**
 * Makes this process one of several that run the same program: those that mpirun, mpiexec or srun has launched; else this is
 * rank 0, and starts the others on this machine by its own command, with what they print passed on. Called once. Rejects with
 * Unreachable where one of them ends before it has joined, with Refused where MPI cannot be loaded, with NoWebGPU where a GPU
 * is wanted and missing, and with BadArgument when called again.
 */
export declare function joinRanks(options?: ProgramOptions): Promise<ProgramRank>;

/**
 * The primitives over the ranks of a communicator, each of which computes on its part by primitives of its own. Every rank calls
 * the same methods in the same order with the same arguments (`fromParts` aside), and gets the same numbers and errors. The
 * communicator is theirs alone: `world.dup()` makes one for each.
 */
export declare function createDistributedPrimitives(
  communicator: Communicator,
  local: Primitives,
): DistributedPrimitives;

/** Operators of the communicator's reductions, element by element; those of primitives are `operators`. */
export declare const reductions: Readonly<
  Record<"add" | "min" | "max" | "mul" | "and" | "or" | "xor", ElementReduction>
>;

export { all, around, own } from "../core/primitives/access.ts";
export { defineKernel } from "../core/primitives/kernel.ts";
export * as operators from "../core/primitives/operators.ts";
export { defineReduction, defineTally } from "../core/primitives/reduction.ts";
