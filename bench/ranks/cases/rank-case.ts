import type { Communicator } from "../../../src/cluster/communicator/communicator.ts";
import type { GpuContext } from "../../../src/gpu/device/context.ts";

/** A rank, with what it computes on. */
export interface BenchRank {
  readonly communicator: Communicator;
  /** Undefined where it computes on its CPU. */
  readonly gpu: GpuContext | undefined;
  /** Bytes that this rank has sent so far; undefined where that is not known. */
  readonly sent: (() => number) | undefined;
  /** Submits what its primitives have recorded. */
  readonly flush?: () => void;
}

export interface GpuRank extends BenchRank {
  readonly gpu: GpuContext;
}

/** What one rank has measured. */
export interface Timed {
  /** Of this rank, or of all where they compute together. */
  readonly ms: number;
  /** Bytes that this rank sent in a trial. */
  readonly sentBytes: number;
  /** Sites that all ranks together update in that time. */
  readonly updates?: number;
}

/** Runs on all ranks at the same time, each with a device and a part of the data. */
export interface RankCase<Rank extends BenchRank = GpuRank> {
  readonly name: string;
  /** Nodes along an edge (3 dimensions), sites along one (2), or elements. */
  readonly sizes: readonly number[];
  readonly dimensions: 1 | 2 | 3;
  /** What was measured, by what is added to the case's name: nothing, or more words. */
  run(rank: Rank, n: number): Promise<Readonly<Record<string, Timed>>>;
}
