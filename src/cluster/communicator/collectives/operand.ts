import { arrayOf, dtypeOf, type TypedArray } from "../../../core/dtype.ts";
import type { Data } from "../communicator.ts";
import { bytesOf, copyData, isTypedArray } from "../data.ts";
import { CommunicatorError } from "../errors.ts";
import type { Exchange } from "../exchange.ts";
import type { ElementReduction, Reduction } from "../operators.ts";
import { agreeOn } from "./agreement.ts";
import { dataOf, entryOf, itemApart, itemHere, itemOf, pack, unpack } from "./parcel.ts";

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

export const like = (array: TypedArray, length: number): TypedArray => new (arrayOf(dtypeOf(array)))(length);

/** An array whose elements are combined in place. What is given is never changed. */
export class ArrayOperand implements Operand<TypedArray> {
  readonly combine: NonNullable<ElementReduction["combine"]>;
  value: TypedArray;
  #isOwn = false;
  #other: TypedArray | undefined;

  constructor(given: TypedArray, combine: NonNullable<ElementReduction["combine"]>) {
    this.value = given;
    this.combine = combine;
  }

  send(exchange: Exchange, to: number, slot: number): Promise<void> {
    return exchange.send(to, slot, bytesOf(this.value));
  }

  receive(exchange: Exchange, from: number, slot: number): Promise<void> {
    return exchange.receiveInto(from, slot, bytesOf(this.#received()));
  }

  joinLower(): void {
    if (!this.#isOwn) this.value = this.value.slice();
    this.#isOwn = true;
    this.combine(this.#received(), this.value, 0, this.value.length);
  }

  joinHigher(): void {
    this.combine(this.value, this.#received(), 0, this.value.length);
    this.take();
  }

  take(): void {
    const received = this.#received();
    this.#other = this.#isOwn ? this.value : undefined;
    this.replace(received);
  }

  /** Own = `value`, which is this operand's from now on. */
  replace(value: TypedArray): void {
    this.value = value;
    this.#isOwn = true;
  }

  before(later: TypedArray | undefined): TypedArray {
    if (!later) return this.#received().slice();
    this.combine(this.#received(), later, 0, later.length);
    return later;
  }

  result(): TypedArray {
    return this.#isOwn ? this.value : this.value.slice();
  }

  #received(): TypedArray {
    this.#other ??= like(this.value, this.value.length);
    return this.#other;
  }
}

/** Operands of at most so many bytes are sent in one message with what they are. */
const packedBytes = 2 ** 14;

/** A whole value or array, which a function of one's own joins with another, and whose length may change. */
class WholeOperand<D extends Data> implements Operand<D> {
  readonly #operation: string;
  readonly #join: (a: D, b: D) => D;
  #value: D;
  #isOwn = false;
  #received: D | undefined;

  constructor(given: D, join: (a: D, b: D) => D, operation: string) {
    this.#value = given;
    this.#join = join;
    this.#operation = operation;
  }

  async send(exchange: Exchange, to: number, slot: number): Promise<void> {
    const item = itemOf(0, this.#value, this.#operation);
    const entry = entryOf(item, packedBytes);
    const sends = [exchange.send(to, 2 * slot, pack([entry]))];
    if (entry.way === "apart") sends.push(exchange.send(to, 2 * slot + 1, item.bytes));
    await Promise.all(sends);
  }

  async receive(exchange: Exchange, from: number, slot: number): Promise<void> {
    const [entry] = unpack(await exchange.receive(from, 2 * slot), 1, 1);
    const isHere = entry.way === "here";
    this.#received = dataOf<D>(
      isHere ? itemHere(entry) : itemApart(entry, await exchange.receive(from, 2 * slot + 1)),
    );
  }

  joinLower(): void {
    this.#value = this.#join(this.#received as D, this.#value);
    this.#isOwn = true;
  }

  joinHigher(): void {
    this.#value = this.#join(this.#value, this.#received as D);
    this.#isOwn = true;
  }

  take(): void {
    this.#value = this.#received as D;
    this.#isOwn = true;
  }

  before(later: D | undefined): D {
    const received = this.#received as D;
    return later === undefined ? received : this.#join(received, later);
  }

  result(): D {
    return this.#isOwn ? this.#value : copyData(this.#value);
  }
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
  agreeOn(exchange, { root, dtype: dtypeOf(data), count: data.length, operator: name });
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
  agreeOn(exchange, { root, operator: operator.name });
  return new WholeOperand(data, join, operation);
}
