import { allocate } from "../bytes/allocate.ts";

const blockRows = 1 << 16;

/** Numbers of rows whose count is not yet known, `width` per row, kept in blocks until they are joined. */
export class GrowingRows {
  readonly #width: number;
  readonly #what: string;
  readonly #blocks: Float64Array[] = [];
  #block: Float64Array = new Float64Array(0);
  #at = 0;

  constructor(width: number, what: string) {
    this.#width = width;
    this.#what = what;
  }

  /** Adds values[from] to values[from + width − 1]. */
  push(values: Float64Array, from: number): void {
    if (this.#at === this.#block.length) {
      this.#block = allocate("f64", blockRows * this.#width, this.#what) as Float64Array;
      this.#blocks.push(this.#block);
      this.#at = 0;
    }
    for (let c = 0; c < this.#width; c++) this.#block[this.#at++] = values[from + c];
  }

  /** All rows in one array; the blocks are released. */
  join(): Float64Array {
    const count = Math.max(0, this.#blocks.length - 1) * blockRows * this.#width + this.#at;
    const joined = allocate("f64", count, this.#what) as Float64Array;
    let at = 0;
    for (const block of this.#blocks) {
      const part = block.subarray(0, Math.min(block.length, count - at));
      joined.set(part, at);
      at += part.length;
    }
    this.#blocks.length = 0;
    return joined;
  }
}
