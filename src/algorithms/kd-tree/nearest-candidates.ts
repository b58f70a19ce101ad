import type { Candidates } from "./search.ts";

/** The k nearest of the points that were offered, the nearest first and of equally near ones the lowest index. */
export class NearestCandidates implements Candidates {
  readonly ids: Uint32Array<ArrayBuffer>;
  readonly squares: Float64Array<ArrayBuffer>;
  readonly #k: number;
  #limit = Infinity;
  #count = 0;

  constructor(k: number) {
    this.#k = k;
    this.ids = new Uint32Array(k);
    this.squares = new Float64Array(k);
  }

  /** How many there are, in the first elements of `ids` and `squares`. */
  get count(): number {
    return this.#count;
  }

  get bound(): number {
    return this.#count < this.#k ? this.#limit : (this.squares[this.#k - 1] ?? -1);
  }

  /** Forgets all. Points of greater squares than the limit are passed over from now on. */
  restart(limit: number): void {
    this.#limit = limit;
    this.#count = 0;
  }

  offer(id: number, square: number): void {
    const { ids, squares } = this;
    if (square > this.bound) return;
    let at = this.#count;
    if (at < this.#k) this.#count++;
    else if (square === squares[--at] && id > ids[at]) return;
    for (; at > 0 && (squares[at - 1] > square || (squares[at - 1] === square && ids[at - 1] > id)); at--) {
      squares[at] = squares[at - 1];
      ids[at] = ids[at - 1];
    }
    squares[at] = square;
    ids[at] = id;
  }

  /** The nearest first, and of equally near ones the lowest index. */
  inOrder(visit: (id: number, square: number) => void): void {
    for (let at = 0; at < this.#count; at++) visit(this.ids[at], this.squares[at]);
  }
}
