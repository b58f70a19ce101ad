import type { TypedArray } from "../../../core/dtype.ts";
import { bytesOf } from "../data.ts";
import type { Exchange } from "../exchange.ts";
import type { Combining } from "./blocks.ts";
import { evenBounds } from "./tree.ts";

/**
 * Allreduce of a long array around a ring (Patarasuk & Yuan 2009), for commutative operators: each part
 * passes all ranks, which add their own, then the results go around once more. Takes 2 (p − 1) messages and
 * 2 (p − 1)/p of the array per rank. Does not change `given`.
 */
export async function ringAllreduce(
  exchange: Exchange,
  given: TypedArray,
  out: TypedArray,
  combine: Combining["combine"],
  group: number,
): Promise<void> {
  const { rank, size } = exchange;
  const bounds = evenBounds(given.length, size, group);
  const right = (rank + 1) % size;
  const left = (rank + size - 1) % size;
  const part = (array: TypedArray, k: number) => bytesOf(array.subarray(bounds[k], bounds[k + 1]));
  for (let step = 0; step < 2 * (size - 1); step++) {
    const leaving = (rank - step + 2 * size) % size;
    const coming = (rank - step - 1 + 2 * size) % size;
    await Promise.all([
      exchange.send(right, step, part(step === 0 ? given : out, leaving)),
      exchange.receiveInto(left, step, part(out, coming)),
    ]);
    if (step < size - 1) combine(given, out, bounds[coming], bounds[coming + 1]);
  }
  if (size === 1) bytesOf(out).set(bytesOf(given));
}
