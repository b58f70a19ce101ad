import type { NumberArray } from "../../filters/filter.ts";

/** Where the arrays of an evaluation lie: in its thread's own memory, or where other threads see them too. */
export interface Memory {
  floats(length: number): Float32Array;
  doubles(length: number): Float64Array;
  /** The values where the evaluation needs them: themselves, or a copy. */
  hold(values: NumberArray): NumberArray;
  /** An array of the evaluation's as its caller gets it. */
  give(values: Float32Array): Float32Array<ArrayBuffer>;
}

export const ownMemory: Memory = {
  floats: (length) => new Float32Array(length),
  doubles: (length) => new Float64Array(length),
  hold: (values) => values,
  give: (values) => values as Float32Array<ArrayBuffer>,
};

export const sharedMemory: Memory = {
  floats: (length) => new Float32Array(new SharedArrayBuffer(4 * length)),
  doubles: (length) => new Float64Array(new SharedArrayBuffer(8 * length)),
  hold(values) {
    if (values.buffer instanceof SharedArrayBuffer) return values;
    const shared = new SharedArrayBuffer(values.byteLength);
    const copy = values instanceof Float32Array ? new Float32Array(shared) : new Float64Array(shared);
    copy.set(values);
    return copy;
  },
  give: (values) => new Float32Array(values),
};
