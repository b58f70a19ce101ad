/** One figure of the bench of ranks. */
export interface Measured {
  readonly name: string;
  /** Nodes or sites along an edge, or elements. */
  readonly n: number;
  readonly ranks: number;
  /** Of the slowest rank. */
  readonly ms: number;
  /** Bytes that all ranks sent in a trial; 0 where that is not known. */
  readonly sentBytes: number;
  /** Sites that all ranks together update in that time, of a lattice. */
  readonly updates?: number;
}

/** A size of a case that was not measured, nor were the larger ones. */
export interface LeftOut extends Pick<Measured, "name" | "n" | "ranks"> {
  /** A sentence: the time that it would have taken, or the limit that it passed. */
  readonly why: string;
}

/** What a run of the bench writes. */
export interface MeasuredRanks {
  /** The machine, what carried messages, when, and whatever else the rows depend on. */
  readonly about: string;
  readonly rows: readonly Measured[];
  /** Not in files of former runs. */
  readonly leftOut?: readonly LeftOut[];
}
