import type { Primitives } from "../core/primitives/primitives.ts";
import type { HostArray, ScalarType, Vector } from "../core/primitives/vector.ts";

/** Primitives over typed arrays. */
export interface CpuPrimitives extends Primitives {
  /** A vector over the caller's array, which is not copied and must not change while the vector is read. */
  adopt<T extends ScalarType>(type: T, data: HostArray<T>, components?: number): Vector<T>;
}

/** A part of a GPU buffer of 32-bit words. */
export interface BufferPart {
  readonly buffer: GPUBuffer;
  /** Bytes before its first word. */
  readonly offset: number;
  /** Bytes. */
  readonly size: number;
}

/**
 * Primitives on a GPU device of the program's own. Methods record, in the order of the calls, and return: what they have
 * recorded is submitted where a number or an array is read, every 64 methods, and by `flush`.
 */
export interface DevicePrimitives extends Primitives {
  /**
   * A vector over words of the caller's buffer (usage STORAGE | COPY_SRC), which is neither copied nor destroyed: it must live, and
   * stay as it is, while the vector is read. `offset` (bytes) is a multiple of 4, 0 where it is left out; `length` counts
   * elements, all that fit where it is left out. Throws BadArgument.
   */
  adopt<T extends ScalarType>(
    type: T,
    buffer: GPUBuffer,
    place?: { readonly offset?: number; readonly length?: number; readonly components?: number },
  ): Vector<T>;
  /**
   * Where a vector's words are, for commands of the program's own, until the vector is released; call `flush` before these are
   * submitted. Throws BadArgument for a view that is made up as it is read, of which `copy` makes a vector.
   */
  memory(vector: Vector): BufferPart;
  /** Submits what has been recorded, without waiting for it. */
  flush(): void;
  /** Gives the memory of released vectors and of workspace back to the device. */
  trim(): void;
  /** Frees everything, vectors too; the device stays. Methods throw from now on. */
  dispose(): void;
}
