import type { Estimate } from "./estimate.ts";
import type { StageTask } from "./task.ts";

/** Threads that help the CPU backend with a stage. They share memory with the caller's thread. */
export interface CpuWorkers {
  /** How many there are, beside the caller's; 0 where there are none to be had. */
  readonly size: number;
  /** Why there are none, as a sentence; undefined where nobody would miss them. */
  readonly problem?: string;
  /** Whether their help with a computation is likely to save time. */
  pays(estimate: Estimate): boolean;
  /** Hands a stage to all of them: each takes chunks from the board until none is left. */
  help(task: StageTask, board: Int32Array): Help;
}

/** The workers, the same each time, or none. */
export type WorkersOnDemand = () => Promise<CpuWorkers | undefined> | CpuWorkers | undefined;

export interface Help {
  /**
   * Resolves once the board says that all chunks are done. Throws Internal where a thread failed, or died, with a chunk
   * that it had taken.
   */
  finished(): Promise<void>;
}
