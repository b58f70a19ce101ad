import type { Data } from "../communicator.ts";
import { copyData } from "../data.ts";
import type { Exchange } from "../exchange.ts";
import { receiveItem, sendItem } from "./items.ts";
import type { Operand } from "./operand.ts";
import { dataOf, itemOf } from "./packet.ts";

/** Operands of at most this many bytes are sent in one message together with their type. */
const packedBytes = 2 ** 14;

/** A whole value or array, possibly of changing length, that the caller's function joins with another. */
export class WholeOperand<D extends Data> implements Operand<D> {
  readonly join: (a: D, b: D) => D;
  readonly #operation: string;
  #value: D;
  #isOwn = false;
  #received: D | undefined;

  constructor(given: D, join: (a: D, b: D) => D, operation: string) {
    this.#value = given;
    this.join = join;
    this.#operation = operation;
  }

  send(exchange: Exchange, to: number, slot: number): Promise<void> {
    return sendItem(exchange, to, 2 * slot, itemOf(0, this.#value, this.#operation), packedBytes);
  }

  async receive(exchange: Exchange, from: number, slot: number): Promise<void> {
    this.#received = dataOf<D>(await receiveItem(exchange, from, 2 * slot));
  }

  joinLower(): void {
    this.#value = this.join(this.#received as D, this.#value);
    this.#isOwn = true;
  }

  joinHigher(): void {
    this.#value = this.join(this.#value, this.#received as D);
    this.#isOwn = true;
  }

  take(): void {
    this.#value = this.#received as D;
    this.#isOwn = true;
  }

  before(later: D | undefined): D {
    const received = this.#received as D;
    return later === undefined ? received : this.join(received, later);
  }

  result(): D {
    return this.#isOwn ? this.#value : copyData(this.#value);
  }
}
