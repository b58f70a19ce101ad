import { CrinkleError, type ErrorTag } from "../../core/errors.ts";

/** MPI's error classes that calls here end with. */
export type MpiError =
  | "MPI_ERR_ARG"
  | "MPI_ERR_BUFFER"
  | "MPI_ERR_COMM"
  | "MPI_ERR_COUNT"
  | "MPI_ERR_TYPE"
  | "MPI_ERR_TAG"
  | "MPI_ERR_RANK"
  | "MPI_ERR_ROOT"
  | "MPI_ERR_OP"
  | "MPI_ERR_TRUNCATE"
  | "MPI_ERR_REQUEST"
  | "MPI_ERR_PROC_FAILED"
  | "MPI_ERR_REVOKED"
  | "MPI_ERR_OTHER";

export interface CommunicatorErrorParts {
  readonly tag: ErrorTag;
  readonly mpi: MpiError;
  readonly problem: string;
  readonly remedy?: string;
  readonly operation?: string;
  readonly epoch?: number;
  readonly ranks?: readonly number[];
}

/** An error of a communicator's call, with the name that MPI has for it. */
export class CommunicatorError extends CrinkleError {
  readonly mpi: MpiError;
  /** The call that ended: "allreduce". */
  readonly operation: string | undefined;
  readonly epoch: number | undefined;
  /** The ranks that it speaks of: those that failed. */
  readonly ranks: readonly number[];

  constructor({ mpi, operation, epoch, ranks = [], ...parts }: CommunicatorErrorParts) {
    super(parts);
    this.mpi = mpi;
    this.operation = operation;
    this.epoch = epoch;
    this.ranks = ranks;
  }
}

const listed = (ranks: readonly number[]) => `${ranks.length === 1 ? "Rank" : "Ranks"} ${ranks.join(", ")}`;

/** `ranks` as the communicator numbers them; none where those that failed are not of it. */
export function rankFailed(operation: string, ranks: readonly number[], epoch: number): CommunicatorError {
  return new CommunicatorError({
    tag: "RankFailed",
    mpi: "MPI_ERR_PROC_FAILED",
    problem: `${ranks.length === 0 ? "A rank of another communicator" : listed(ranks)} failed during ${operation} (epoch ${epoch}).`,
    remedy: "Go on with the others by shrink().",
    operation,
    epoch,
    ranks,
  });
}

export const freed = (operation: string) =>
  new CommunicatorError({
    tag: "BadArgument",
    mpi: "MPI_ERR_COMM",
    problem: `${operation} was called on a communicator that was freed.`,
    remedy: "Call it before free(), or on another communicator: dup() makes one.",
    operation,
  });

export function revoked(operation: string, by: number | undefined, epoch: number): CommunicatorError {
  return new CommunicatorError({
    tag: "Revoked",
    mpi: "MPI_ERR_REVOKED",
    problem: `${by === undefined ? "The communicator" : `Rank ${by}`} ${by === undefined ? "was revoked" : "revoked the communicator"} during ${operation} (epoch ${epoch}).`,
    operation,
    epoch,
  });
}
