import { dtypeOf } from "../../../core/dtype.ts";
import type { Data } from "../communicator.ts";
import { isTypedArray } from "../data.ts";
import { CommunicatorError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import type { ElementReduction, Reduction } from "../operators.ts";
import { ArrayOperand } from "./array-operand.ts";
import { signCall } from "./call-signature.ts";
import { WholeOperand } from "./whole-operand.ts";

/** A rank's part of a reduction, and what it has received of another's. */
export interface Operand<D extends Data = Data> {
  send(exchange: Exchange, to: number, slot: number): Promise<void>;
  receive(exchange: Exchange, from: number, slot: number): Promise<void>;
  /** Own = received ∘ own: it comes of lower ranks. */
  joinLower(): void;
  /** Own = own ∘ received. */
  joinHigher(): void;
  /** Own = received. */
  take(): void;
  /** Received ∘ `later`, which changes, or received alone. */
  before(later: D | undefined): D;
  /** In memory that was not given. */
  result(): D;
}

/**
 * What a rank gives to a reduction of arrays' elements. Tells the exchange what all ranks must give alike. Throws
 * BadArgument where the operator is for other data (MPI_ERR_OP), or the length is no multiple of its group
 * (MPI_ERR_COUNT).
 */
export function elementsOf(
  exchange: Exchange,
  data: Data,
  { name, group, combine }: ElementReduction,
  operation: string,
  root?: number,
): ArrayOperand {
  const refuse = (mpi: "MPI_ERR_OP" | "MPI_ERR_COUNT", problem: string, remedy: string) =>
    new CommunicatorError({ tag: "BadArgument", mpi, operation, problem, remedy });
  if (!combine)
    throw refuse("MPI_ERR_OP", `${name} reduces no elements.`, "Define a reduction with element or combine.");
  if (!isTypedArray(data)) {
    const problem = `${operation} was given a value, where ${name} takes elements of typed arrays.`;
    throw refuse("MPI_ERR_OP", problem, "Give a typed array, or define a reduction with join.");
  }
  if (data.length % group !== 0) {
    const problem = `${operation} was given ${data.length} elements, where ${name} takes groups of ${group}.`;
    throw refuse("MPI_ERR_COUNT", problem, "Give whole groups.");
  }
  signCall(exchange, { root, dtype: dtypeOf(data), count: data.length, operator: name });
  return new ArrayOperand(data, combine);
}

/** The same of whole operands too, where the operator is for them. */
export function operandOf<D extends Data>(
  exchange: Exchange,
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
