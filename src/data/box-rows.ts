import { type Box, boxCount, boxDims } from "../core/box.ts";
import { valuesIn } from "../core/box-values.ts";
import { bytesPerElement, type TypedArray } from "../core/dtype.ts";
import { checkCancelled, type JobContext } from "../core/job.ts";
import { allocate } from "./bytes/allocate.ts";
import { type DeferredArray, isDeferred } from "./bytes/deferred.ts";

/** Bytes between two rows that are read, too: to read once more would take longer. */
const maxGapBytes = 2 ** 15;
/** Of rows that are read together with what is between them; a row alone may be longer. */
const maxRunBytes = 2 ** 22;

/**
 * A box's values, of which an array has those of the whole grid with so many components each, where they do not lie one behind the other:
 * of a deferred array they are read row by row along x, and neighbouring rows together. Rejects as the array does.
 */
export async function rowsOf(
  array: TypedArray | DeferredArray,
  whole: Box,
  box: Box,
  components: number,
  job: JobContext,
): Promise<TypedArray> {
  if (!isDeferred(array)) return valuesIn(array, whole, box, components);
  const length = boxCount(box) * components;
  const values = allocate(array.dtype, length, "a part of a field");
  const [nx, ny, nz] = boxDims(box);
  const [x, y, z] = box.first;
  const row = nx * components;
  const width = bytesPerElement(array.dtype);
  const [mx, my] = boxDims(whole);
  const startOf = (k: number) => (x + mx * (y + (k % ny) + my * (z + Math.floor(k / ny)))) * components;
  for (let first = 0, end = 0; first < ny * nz; first = end) {
    const from = startOf(first);
    let to = from + row;
    for (end = first + 1; end < ny * nz; end++) {
      const start = startOf(end);
      if ((start - to) * width > maxGapBytes || (start + row - from) * width > maxRunBytes) break;
      to = start + row;
    }
    checkCancelled(job, "Reading");
    const run = await array.read(from, to, job);
    for (let k = first; k < end; k++) {
      const at = startOf(k) - from;
      (values as Float64Array).set(run.subarray(at, at + row) as Float64Array, k * row);
    }
  }
  return values;
}
