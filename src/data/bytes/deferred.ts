import { bytesPerElement, type DType, type TypedArray } from "../../core/dtype.ts";
import type { JobContext } from "../../core/job.ts";
import { ByteCursor } from "./cursor.ts";
import type { ByteOrder } from "./order.ts";
import { Yielder } from "./yielder.ts";

/** An array whose elements are read or made when they are asked for. */
export interface DeferredArray {
  readonly dtype: DType;
  readonly length: number;
  /** Elements [from, to) in an array of their own. Rejects with BadFile, OutOfMemory or Cancelled. */
  read(from: number, to: number, job: JobContext): Promise<TypedArray>;
}

export const isDeferred = (array: TypedArray | DeferredArray): array is DeferredArray => "read" in array;

/**
 * The `length` numbers stored in `order` from the cursor's position on, and moves the cursor behind them. Throws BadFile if
 * the file ends sooner; `what` names the array in messages.
 */
export function deferredArray(
  cursor: ByteCursor,
  dtype: DType,
  length: number,
  order: ByteOrder,
  what: string,
): DeferredArray {
  const { source, position } = cursor;
  const width = bytesPerElement(dtype);
  cursor.requireBytes(length * width, what);
  cursor.seek(position + length * width);
  cursor.line = 0;
  return {
    dtype,
    length,
    read(from, to, job) {
      const yielder = new Yielder(job, `Reading ${source.name}`);
      const range = new ByteCursor(source, yielder, position + from * width, position + to * width, 0);
      return range.readArray(dtype, to - from, order, what);
    },
  };
}
