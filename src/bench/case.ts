import type { GpuContext } from "../gpu/device/context.ts";

/** What a run was asked for. */
export interface BenchOptions {
  /** Only cases whose name contains this; all where it is empty. */
  readonly filter: string;
  /** Sizes for a software adapter. */
  readonly isQuick: boolean;
  /** Replaces a case's own size: points per direction, planes, or whatever the case says. */
  readonly n: number | undefined;
}

export interface BenchContext extends BenchOptions {
  readonly gpu: GpuContext;
}

export interface Measurement {
  /** Elements that one repetition works on. */
  readonly n: number;
  /** Milliseconds of one repetition: the median of the batches. */
  readonly ms: number;
  /** Bytes that one repetition has to read and write at least. */
  readonly bytes: number;
  /** Whether the timed run's output was right. */
  readonly verified: boolean;
  /** The most bytes in buffers while it ran, where that is of interest. */
  readonly peak?: number;
}

export interface BenchCase {
  /** Group and name: "derived/q_criterion". */
  readonly name: string;
  run(context: BenchContext): Promise<Measurement>;
}

/** One line of the report. */
export interface BenchRow {
  readonly name: string;
  readonly n: number;
  readonly ms: number;
  /** 10⁹ bytes a second, of the bytes that the work needs at least. */
  readonly gbs: number;
  /** `gbs` over the rate of the same run's copy kernel where it moves about as many bytes. */
  readonly ratioToCopy: number;
  readonly verified: boolean;
  readonly peak?: number;
}
