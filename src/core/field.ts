import { type DType, dtypeOf, type TypedArray } from "./dtype.ts";
import { CrinkleError } from "./errors.ts";
import { formatCount } from "./format.ts";
import { type Centering, type Grid, valueCount } from "./grid.ts";

/**
 * Values on a grid. `data` holds `components` values per node or cell, interleaved
 * (x, y, z of one point are neighbours), x-direction fastest, in the dtype of its source.
 * 1 component is a scalar, 2 or 3 a vector, 9 a row-major tensor; other counts are kept and addressed by index.
 */
export interface Field {
  readonly name: string;
  readonly centering: Centering;
  readonly components: number;
  readonly dtype: DType;
  readonly data: TypedArray;
  /**
   * What is taken off each component where its values are stored as f32, if this is a part of a field, which has to be stored
   * as the whole is; else it follows from the values.
   */
  readonly levels?: readonly number[];
  /** Whether f32 rounds values of the whole, or what they come from, if this is a part of a field; else it follows from the values. */
  readonly isWide?: boolean;
}

/** A grid with the fields that live on it. `notes` are sentences about what the reader had to decide. */
export interface DataSet {
  readonly name: string;
  readonly grid: Grid;
  readonly fields: readonly Field[];
  readonly notes: readonly string[];
}

/** Builds a field, or throws BadFile where the array's length is not what grid and components ask for. */
export function makeField(
  grid: Grid,
  name: string,
  centering: Centering,
  components: number,
  data: TypedArray,
): Field {
  checkLength(grid, name, centering, components, data.length);
  return { name, centering, components, dtype: dtypeOf(data), data };
}

/** Throws BadFile where the number of values is not what grid and components ask for. */
export function checkLength(
  grid: Grid,
  name: string,
  centering: Centering,
  components: number,
  length: number,
): void {
  const expected = valueCount(grid, centering) * components;
  if (length !== expected) {
    throw new CrinkleError({
      tag: "BadFile",
      problem: `The field “${name}” has ${formatCount(length)} values where its grid needs ${formatCount(expected)}.`,
      remedy: "The file is truncated, or its dimensions are wrong.",
    });
  }
}

export function fieldNamed(dataSet: DataSet, name: string): Field | undefined {
  return dataSet.fields.find((field) => field.name === name);
}
