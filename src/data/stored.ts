import { type Box, boxCount, boxDims, isOneRun, mapAxes, numberInBox, wholeBox } from "../core/box.ts";
import type { DType, TypedArray } from "../core/dtype.ts";
import type { DataSet, Field } from "../core/field.ts";
import { type Centering, type Grid, valueDims } from "../core/grid.ts";
import type { JobContext } from "../core/job.ts";
import { type DeferredArray, isDeferred } from "./bytes/deferred.ts";
import { reverseAxis } from "./orient.ts";

/** A field whose values are read, or generated, when they are asked for. */
export interface StoredField {
  readonly name: string;
  readonly centering: Centering;
  readonly components: number;
  readonly dtype: DType;
  /** The values of a box, which may share memory with the whole. Rejects with BadFile, OutOfMemory or Cancelled. */
  values(box: Box, job: JobContext): Promise<TypedArray>;
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
  for (const { values, ...field } of stored.fields) {
    const whole = wholeBox(valueDims(stored.grid, field.centering));
    fields.push({ ...field, data: await values(whole, job) });
  }
  return { ...stored, fields };
}

/** Data that are in memory. */
export function storedInMemory(dataSet: DataSet): StoredData {
  const { grid } = dataSet;
  return { ...dataSet, fields: dataSet.fields.map(({ data, ...field }) => storedField(grid, field, data)) };
}

/** A field of an array, x fastest; of a deferred one, along reversed axes if there are any. */
export function storedField(
  grid: Grid,
  field: Omit<StoredField, "values">,
  array: TypedArray | DeferredArray,
  reversed: readonly number[] = [],
): StoredField {
  const whole = wholeBox(valueDims(grid, field.centering));
  const { components } = field;
  async function stored(box: Box, job: JobContext): Promise<TypedArray> {
    const length = boxCount(box) * components;
    if (length > 0 && !isOneRun(box, whole)) {
      // Only ranks ask for boxes of other shapes.
      const { rowsOf } = await import("./box-rows.ts");
      return rowsOf(array, whole, box, components, job);
    }
    const from = length === 0 ? 0 : numberInBox(whole, box.first) * components;
    return isDeferred(array) ? array.read(from, from + length, job) : array.subarray(from, from + length);
  }
  if (!isDeferred(array)) return { ...field, values: stored };
  return {
    ...field,
    async values(box, job) {
      const at = (i: number, axis: number) => (reversed.includes(axis) ? whole.end[axis] - i : i);
      const [a, b] = [box.first, box.end].map((corner) => mapAxes((axis) => at(corner[axis], axis)));
      const values = await stored(
        {
          first: mapAxes((axis) => Math.min(a[axis], b[axis])),
          end: mapAxes((axis) => Math.max(a[axis], b[axis])),
        },
        job,
      );
      for (const axis of reversed) reverseAxis(values, boxDims(box), components, axis);
      return values;
    },
  };
}
