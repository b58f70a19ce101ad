import { valueCount } from "../../../../core/grid.ts";
import type { StageTask } from "./task.ts";

/** Elements evaluated at a time: their intermediate values stay in the processor's cache. */
export const chunkElements = 1024;

/** What the threads that compute a stage together tell each other: places of the board. */
const next = 0;
const done = 1;
const stopped = 2;

/** The chunks of a stage, as threads take them: each takes the next one until there is none. */
export class ChunkBoard {
  readonly cells: Int32Array;
  readonly #elements: number;

  constructor(task: Pick<StageTask, "grid" | "centering">, cells: Int32Array) {
    this.cells = cells;
    this.#elements = valueCount(task.grid, task.centering);
  }

  /** Nobody has taken anything of it. */
  static of(task: Pick<StageTask, "grid" | "centering">, isShared: boolean): ChunkBoard {
    return new ChunkBoard(task, new Int32Array(isShared ? new SharedArrayBuffer(12) : new ArrayBuffer(12)));
  }

  /** The first element of a chunk that is the caller's to compute; undefined where none is left, or nobody wants them. */
  take(): number | undefined {
    if (Atomics.load(this.cells, stopped) !== 0) return undefined;
    const first = Atomics.add(this.cells, next, 1) * chunkElements;
    return first < this.#elements ? first : undefined;
  }

  finish(): void {
    Atomics.add(this.cells, done, 1);
  }

  /** No thread takes another chunk. */
  stop(): void {
    Atomics.store(this.cells, stopped, 1);
  }

  /** Elements of the chunks that are done. */
  get doneElements(): number {
    return Math.min(Atomics.load(this.cells, done) * chunkElements, this.#elements);
  }

  get isDone(): boolean {
    return this.doneElements === this.#elements;
  }

  lengthFrom(first: number): number {
    return Math.min(chunkElements, this.#elements - first);
  }
}
