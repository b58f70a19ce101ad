/**
 * A queue whose `shift` takes constant time. With plain arrays, sending 50,000 short messages at once took
 * six times as long per message.
 */
export class Fifo<T> {
  #items: (T | undefined)[] = [];
  #first = 0;

  get length(): number {
    return this.#items.length - this.#first;
  }

  /** The oldest remaining item. */
  get first(): T | undefined {
    return this.#items[this.#first];
  }

  push(item: T): void {
    this.#items.push(item);
  }

  shift(): T | undefined {
    const item = this.#items[this.#first];
    if (this.length === 0) return item;
    this.#items[this.#first++] = undefined;
    if (this.#first * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#first);
      this.#first = 0;
    }
    return item;
  }

  /** Removes and returns all items. */
  drain(): T[] {
    const rest = this.#items.slice(this.#first) as T[];
    this.#items = [];
    this.#first = 0;
    return rest;
  }
}
