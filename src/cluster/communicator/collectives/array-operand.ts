import { arrayOf, dtypeOf, type TypedArray } from "../../../core/dtype.ts";
import { bytesOf } from "../data.ts";
import type { Exchange } from "../exchange.ts";
import type { ElementReduction } from "../operators.ts";
import type { Operand } from "./operand.ts";

export const like = (array: TypedArray, length: number): TypedArray => new (arrayOf(dtypeOf(array)))(length);

/** An array whose elements are combined in place. Never changes the array it was given. */
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

  /** Takes over `value` as this rank's operand. */
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
