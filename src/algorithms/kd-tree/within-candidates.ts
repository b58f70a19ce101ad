import type { Candidates } from "./search.ts";

/** All points that were offered within a bound. */
export class WithinCandidates implements Candidates {
  readonly #ids: number[] = [];
  readonly #squares: number[] = [];
  #bound = Infinity;

  get count(): number {
    return this.#ids.length;
  }

  get bound(): number {
    return this.#bound;
  }

  /** Forgets all. Points of greater squares than the bound are passed over from now on. */
  restart(bound: number): void {
    this.#bound = bound;
    this.#ids.length = 0;
    this.#squares.length = 0;
  }

  offer(id: number, square: number): void {
    if (square > this.#bound) return;
    this.#ids.push(id);
    this.#squares.push(square);
  }

  /** The nearest first, and of equally near ones the lowest index. */
  inOrder(visit: (id: number, square: number) => void): void {
    const [ids, squares] = [this.#ids, this.#squares];
    const order = Array.from(ids.keys()).sort((a, b) => squares[a] - squares[b] || ids[a] - ids[b]);
    for (const at of order) visit(ids[at], squares[at]);
  }
}
