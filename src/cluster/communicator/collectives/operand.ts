import { dtypeOf } from "../../../core/dtype.ts";
import type { Data } from "../communicator.ts";
import { isTypedArray } from "../data.ts";
import { CommunicatorError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import type { ElementReduction, Reduction } from "../operators.ts";
import { ArrayOperand } from "./array-operand.ts";
import { signCall } from "./call-signature.ts";
import { WholeOperand } from "./whole-operand.ts";

/** A rank's operand of a reduction, and the operand it has most recently received. */
export interface Operand<D extends Data = Data> {
  send(exchange: Exchange, to: number, slot: number): Promise<void>;
  receive(exchange: Exchange, from: number, slot: number): Promise<void>;
  /** Own = received ∘ own: the received operand comes from lower ranks. */
  joinLower(): void;
  /** Own = own ∘ received. */
  joinHigher(): void;
  /** Own = received. */
  take(): void;
  /** Returns received ∘ `later`, computed in `later`, or received alone. */
  before(later: D | undefined): D;
  /** In memory other than that of the data that was given. */
  result(): D;
}

/**
 * A rank's operand of an elementwise reduction; signs the call. Throws BadArgument if the operator does not
 * take such data (MPI_ERR_OP) or the length is not a multiple of its group (MPI_ERR_COUNT).
 */
export function elementsOf(
  exchange: Pick<Exchange, "setSignature">,
  data: Data,
  { name, group, combine }: ElementReduction,
  operation: string,
  root?: number,
): ArrayOperand {
  const refuse = (mpi: "MPI_ERR_OP" | "MPI_ERR_COUNT", problem: string, remedy: string) =>
    new CommunicatorError({ tag: "BadArgument", mpi, operation, problem, remedy });
  if (!combine)
    throw refuse(
      "MPI_ERR_OP",
      `${name} does not reduce elements.`,
      "Define a reduction with element or combine.",
    );
  if (!isTypedArray(data)) {
    const problem = `${operation} was given a value, but ${name} takes elements of typed arrays.`;
    throw refuse("MPI_ERR_OP", problem, "Pass a typed array, or define a reduction with join.");
  }
  if (data.length % group !== 0) {
    const problem = `${operation} was given ${data.length} elements, but ${name} takes groups of ${group}.`;
    throw refuse("MPI_ERR_COUNT", problem, "Pass whole groups.");
  }
  signCall(exchange, { root, dtype: dtypeOf(data), count: data.length, operator: name });
  return new ArrayOperand(data, combine);
}

/** The same, and whole operands for operators that take those. */
export function operandOf<D extends Data>(
  exchange: Pick<Exchange, "setSignature">,
  data: D,
  operator: Reduction<D>,
  operation: string,
  root?: number,
): ArrayOperand | WholeOperand<D> {
  const isArray = isTypedArray(data);
  const ofValues = operator.ofValues as ((a: Data, b: Data) => Data) | undefined;
  const join = operator.join ?? (isArray ? undefined : (ofValues as Reduction<D>["join"]));
  if (!join || (isArray && operator.combine)) return elementsOf(exchange, data, operator, operation, root);
  signCall(exchange, { root, operator: operator.name });
  return new WholeOperand(data, join, operation);
}
