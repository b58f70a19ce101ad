import { CommunicatorError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";

/** What all ranks of a call must agree on, besides the operation. */
interface CallSignature {
  readonly root?: number;
  /** For reductions of arrays. */
  readonly dtype?: string;
  readonly count?: number;
  readonly operator?: string;
}

/** Sets the exchange's signature. */
export function signCall(exchange: Pick<Exchange, "setSignature">, call: CallSignature): void {
  exchange.setSignature(signatureOf(call));
}

/** A 32-bit hash (FNV-1a) of what all ranks must agree on, never 0. */
export function signatureOf({ root, dtype, count, operator }: CallSignature): number {
  let hash = 0x811c9dc5;
  for (const unit of `${root} ${dtype} ${count} ${operator}`) {
    hash = Math.imul(hash ^ (unit.codePointAt(0) as number), 0x01000193);
  }
  return hash >>> 0 || 1;
}

/** The error of a receive whose sender has a different signature. */
export function signatureMismatch(operation: string, rank: number, from: number): CommunicatorError {
  return new CommunicatorError({
    tag: "BadArgument",
    mpi: "MPI_ERR_ARG",
    operation,
    ranks: [from],
    problem: `Rank ${from} calls ${operation} with a different root, element type, length or operator than rank ${rank}.`,
    remedy: "Pass the same ones on all ranks.",
  });
}

/** Throws BadArgument (MPI_ERR_ROOT) if `root` is not a rank. */
export function checkRoot(exchange: Exchange, root: number, operation: string): void {
  if (Number.isInteger(root) && root >= 0 && root < exchange.size) return;
  throw new CommunicatorError({
    tag: "BadArgument",
    mpi: "MPI_ERR_ROOT",
    operation,
    problem: `The root ${root} of ${operation} is not a rank.`,
    remedy: `Ranks go from 0 to ${exchange.size - 1}.`,
  });
}

/** Throws BadArgument (MPI_ERR_COUNT) unless there is one part for each rank. */
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
    remedy: "Pass one part for each rank, in rank order; parts may be empty.",
  });
}
