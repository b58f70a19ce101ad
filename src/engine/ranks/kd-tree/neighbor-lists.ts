import type { NearestCandidates } from "../../../algorithms/kd-tree/nearest-candidates.ts";
import type { WithinCandidates } from "../../../algorithms/kd-tree/within-candidates.ts";

/** Neighbours of places, those of place i from starts[i] to starts[i + 1]: the nearest first, of equally near ones the lowest id. */
export interface NeighborLists {
  readonly starts: Uint32Array<ArrayBuffer>;
  readonly ids: Uint32Array<ArrayBuffer>;
  /** Squared distances. */
  readonly squares: Float64Array<ArrayBuffer>;
}

/** Lists that are written one after the other. */
export class NeighborListsBuilder {
  readonly #starts: Uint32Array<ArrayBuffer>;
  #ids = new Uint32Array(64);
  #squares = new Float64Array(64);
  #lists = 0;
  #length = 0;

  constructor(lists: number) {
    this.#starts = new Uint32Array(lists + 1);
  }

  /** Adds the list that was found. */
  add(found: NearestCandidates | WithinCandidates): void {
    const end = this.#length + found.count;
    if (end > this.#ids.length) {
      const room = Math.max(end, 2 * this.#ids.length);
      const [ids, squares] = [new Uint32Array(room), new Float64Array(room)];
      ids.set(this.#ids);
      squares.set(this.#squares);
      [this.#ids, this.#squares] = [ids, squares];
    }
    found.inOrder((id, square) => {
      this.#ids[this.#length] = id;
      this.#squares[this.#length++] = square;
    });
    this.#starts[++this.#lists] = this.#length;
  }

  done(): NeighborLists {
    const [ids, squares] = [this.#ids.slice(0, this.#length), this.#squares.slice(0, this.#length)];
    return { starts: this.#starts, ids, squares };
  }
}
