import { CommunicatorError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";

/** What all ranks of a call give alike, beside the operation. */
interface CallSignature {
  readonly root?: number;
  /** Of arrays that are reduced. */
  readonly dtype?: string;
  readonly count?: number;
  readonly operator?: string;
}

/** Tells the exchange what must be alike: 32 bits, never 0 (FNV-1a). */
export function signCall(exchange: Exchange, { root, dtype, count, operator }: CallSignature): void {
  let hash = 0x811c9dc5;
  for (const unit of `${root} ${dtype} ${count} ${operator}`) {
    hash = Math.imul(hash ^ (unit.codePointAt(0) as number), 0x01000193);
  }
  exchange.setSignature(hash >>> 0 || 1);
}

/** What a receive rejects with where the sender's signature is another. */
export function signatureMismatch(operation: string, rank: number, from: number): CommunicatorError {
  return new CommunicatorError({
    tag: "BadArgument",
    mpi: "MPI_ERR_ARG",
    operation,
    ranks: [from],
    problem: `Rank ${from} calls ${operation} with another root, element type, length or operator than rank ${rank}.`,
    remedy: "Give the same ones on all ranks.",
  });
}

/** Throws BadArgument (MPI_ERR_ROOT) where there is no such rank. */
export function checkRoot(exchange: Exchange, root: number, operation: string): void {
  if (Number.isInteger(root) && root >= 0 && root < exchange.size) return;
  throw new CommunicatorError({
    tag: "BadArgument",
    mpi: "MPI_ERR_ROOT",
    operation,
    problem: `The root ${root} of ${operation} is no rank.`,
    remedy: `Ranks go from 0 to ${exchange.size - 1}.`,
  });
}

/** Throws BadArgument (MPI_ERR_COUNT) where there is not one part for each rank. */
export function checkParts(
  exchange: Exchange,
  parts: readonly unknown[] | undefined,
  operation: string,
): asserts parts is readonly unknown[] {
  if (parts?.length === exchange.size) return;
  throw new CommunicatorError({
    tag: "BadArgument",
    mpi: "MPI_ERR_COUNT",
    operation,
    problem: `${operation} was given ${parts ? `${parts.length} parts` : "nothing to send"} for ${exchange.size} ranks.`,
    remedy: "Give one part for each rank, in their order; parts may be empty.",
  });
}
