import type { NumberArray } from "../../filters/filter.ts";

/** Where the arrays of an evaluation lie: in its thread's own memory, or where other threads see them too. */
export interface Memory {
  /** Arrays that hold anything: every value has to be written. */
  floats(length: number): Float32Array;
  doubles(length: number): Float64Array;
  /** The values where the evaluation needs them: themselves, or a copy. */
  hold(values: NumberArray): NumberArray;
  /** An array of the evaluation's as its caller gets it. */
  give(values: Float32Array | Float64Array): Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>;
  /** Nobody reads or writes the evaluation's arrays any more. */
  release(): void;
}

export const ownMemory: Memory = {
  floats: (length) => new Float32Array(length),
  doubles: (length) => new Float64Array(length),
  hold: (values) => values,
  give: (values) => values as Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>,
  release: () => {},
};

/**
 * Buffers of former evaluations by their size, until the garbage collector comes for them: fresh memory costs several
 * times what copying into it does, as the system clears it page by page.
 */
const spare = new Map<number, WeakRef<SharedArrayBuffer>[]>();

function takeSpare(bytes: number): SharedArrayBuffer | undefined {
  const kept = spare.get(bytes);
  for (let found = kept?.pop(); found; found = kept?.pop()) {
    const buffer = found.deref();
    if (buffer) return buffer;
  }
  return undefined;
}

function keepSpares(buffers: readonly SharedArrayBuffer[]): void {
  for (const [bytes, kept] of spare) {
    const alive = kept.filter((each) => each.deref());
    if (alive.length > 0) spare.set(bytes, alive);
    else spare.delete(bytes);
  }
  for (const buffer of buffers) {
    spare.set(buffer.byteLength, [...(spare.get(buffer.byteLength) ?? []), new WeakRef(buffer)]);
  }
}

export class SharedMemory implements Memory {
  #taken: SharedArrayBuffer[] = [];

  floats(length: number): Float32Array {
    return new Float32Array(this.#take(4 * length));
  }

  doubles(length: number): Float64Array {
    return new Float64Array(this.#take(8 * length));
  }

  hold(values: NumberArray): NumberArray {
    if (values.buffer instanceof SharedArrayBuffer) return values;
    const copy = values instanceof Float32Array ? this.floats(values.length) : this.doubles(values.length);
    copy.set(values);
    return copy;
  }

  give(values: Float32Array | Float64Array): Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> {
    return values instanceof Float32Array ? new Float32Array(values) : new Float64Array(values);
  }

  release(): void {
    keepSpares(this.#taken);
    this.#taken = [];
  }

  #take(bytes: number): SharedArrayBuffer {
    const buffer = takeSpare(bytes) ?? new SharedArrayBuffer(bytes);
    this.#taken.push(buffer);
    return buffer;
  }
}
