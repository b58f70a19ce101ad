import { CrinkleError, type ErrorTag } from "../../core/errors.ts";

/** MPI's error classes that calls here reject with. */
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

/** An error of a communicator call, with its MPI error class. */
export class CommunicatorError extends CrinkleError {
  readonly mpi: MpiError;
  /** The call that failed, such as "allreduce". */
  readonly operation: string | undefined;
  readonly epoch: number | undefined;
  /** The ranks that the error is about, such as those that failed. */
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

/** `ranks` are numbered as in the communicator; empty if those that failed are not in it. */
export function rankFailed(operation: string, ranks: readonly number[], epoch: number): CommunicatorError {
  return new CommunicatorError({
    tag: "RankFailed",
    mpi: "MPI_ERR_PROC_FAILED",
    problem: `${ranks.length === 0 ? "A rank of another communicator" : listed(ranks)} failed during ${operation} (epoch ${epoch}).`,
    remedy: "Call shrink() to continue with the other ranks.",
    operation,
    epoch,
    ranks,
  });
}

export const freed = (operation: string) =>
  new CommunicatorError({
    tag: "BadArgument",
    mpi: "MPI_ERR_COMM",
    problem: `${operation} was called on a freed communicator.`,
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
