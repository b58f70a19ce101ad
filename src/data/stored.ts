import type { DType, TypedArray } from "../core/dtype.ts";
import type { DataSet, Field } from "../core/field.ts";
import { type Centering, type Grid, type Triple, valueDims } from "../core/grid.ts";
import type { JobContext } from "../core/job.ts";
import { type DeferredArray, isDeferred } from "./bytes/deferred.ts";
import { reverseAxis } from "./orient.ts";

/** A field whose values are read, or generated, when they are asked for. */
export interface StoredField {
  readonly name: string;
  readonly centering: Centering;
  readonly components: number;
  readonly dtype: DType;
  /**
   * The values of the planes [first, end) along z, which may share memory with the whole. Rejects with BadFile, OutOfMemory
   * or Cancelled.
   */
  planes(first: number, end: number, job: JobContext): Promise<TypedArray>;
}

/** What a file holds, or a sample is: all but the values. */
export interface StoredData {
  readonly name: string;
  readonly grid: Grid;
  readonly fields: readonly StoredField[];
  readonly notes: readonly string[];
}

/** Reads all values. */
export async function wholeOf(stored: StoredData, job: JobContext): Promise<DataSet> {
  const fields: Field[] = [];
  for (const { planes, ...field } of stored.fields) {
    const [, , nz] = valueDims(stored.grid, field.centering);
    fields.push({ ...field, data: await planes(0, nz, job) });
  }
  return { ...stored, fields };
}

/** Data that are in memory. */
export function storedInMemory(dataSet: DataSet): StoredData {
  const { grid } = dataSet;
  return { ...dataSet, fields: dataSet.fields.map(({ data, ...field }) => storedField(grid, field, data)) };
}

/** A field of an array, whose planes lie one behind the other; of a deferred one, along reversed axes if there are any. */
export function storedField(
  grid: Grid,
  field: Omit<StoredField, "planes">,
  array: TypedArray | DeferredArray,
  reversed: readonly number[] = [],
): StoredField {
  const [nx, ny, nz] = valueDims(grid, field.centering);
  const plane = nx * ny * field.components;
  if (!isDeferred(array)) {
    return { ...field, planes: async (first, end) => array.subarray(first * plane, end * plane) };
  }
  return {
    ...field,
    async planes(first, end, job) {
      const [from, to] = reversed.includes(2) ? [nz - end, nz - first] : [first, end];
      const values = await array.read(from * plane, to * plane, job);
      const dims: Triple = [nx, ny, end - first];
      for (const axis of reversed) reverseAxis(values, dims, field.components, axis);
      return values;
    },
  };
}
