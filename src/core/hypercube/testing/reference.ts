/** Transforms by plain loops over coordinates, as their definitions have them: what index maps are checked against. */
import type { Operation } from "../operations.ts";

export interface PlainArray {
  /** The fastest first. */
  readonly lengths: readonly number[];
  readonly values: readonly number[];
}

/** An array whose elements are 1, 2, 3 …: 0 is what is filled in. */
export const counted = (lengths: readonly number[]): PlainArray => ({
  lengths,
  values: Array.from({ length: lengths.reduce((n, length) => n * length, 1) }, (_, i) => i + 1),
});

function indexIn(lengths: readonly number[], at: readonly number[]): number {
  let index = 0;
  let stride = 1;
  for (const [axis, length] of lengths.entries()) {
    index += at[axis] * stride;
    stride *= length;
  }
  return index;
}

function placeIn(lengths: readonly number[], index: number): number[] {
  const at: number[] = [];
  let rest = index;
  for (const length of lengths) {
    at.push(rest % length);
    rest = Math.floor(rest / length);
  }
  return at;
}

/** Sends each element to its place; nowhere where that is undefined. */
function scattered(
  { lengths, values }: PlainArray,
  to: readonly number[],
  place: (at: number[]) => number[] | undefined,
): PlainArray {
  const result = new Array<number>(to.reduce((n, length) => n * length, 1)).fill(0);
  for (const [index, value] of values.entries()) {
    const target = place(placeIn(lengths, index));
    if (target?.every((x, axis) => x >= 0 && x < to[axis])) result[indexIn(to, target)] = value;
  }
  return { lengths: to, values: result };
}

const replaced = (at: readonly number[], axis: number, value: number): number[] =>
  at.map((x, i) => (i === axis ? value : x));

export function transformed(array: PlainArray, operation: Operation): PlainArray {
  const { lengths } = array;
  switch (operation.kind) {
    case "flip":
      return operation.axes.reduce(
        (now, axis) => scattered(now, lengths, (at) => replaced(at, axis, lengths[axis] - 1 - at[axis])),
        array,
      );
    case "shift": {
      const { axis, by } = operation;
      const length = lengths[axis];
      return scattered(array, lengths, (at) =>
        replaced(at, axis, (((at[axis] + by) % length) + length) % length),
      );
    }
    case "pshift":
      return scattered(array, lengths, (at) =>
        replaced(at, operation.axis, at[operation.axis] + operation.by),
      );
    case "pad":
    case "crop": {
      const { kind, axis } = operation;
      const [before, after] =
        kind === "pad" ? [operation.before, operation.after] : [-operation.before, -operation.after];
      const to = replaced(lengths, axis, lengths[axis] + before + after);
      return scattered(array, to, (at) => replaced(at, axis, at[axis] + before));
    }
    case "crinkle": {
      const { axis, step } = operation;
      const to = replaced(lengths, axis, Math.ceil(lengths[axis] / step) * step);
      const place = (i: number) => (i % step) * (to[axis] / step) + Math.floor(i / step);
      return scattered(array, to, (at) => replaced(at, axis, place(at[axis])));
    }
    case "uncrinkle": {
      const { axis, step } = operation;
      const part = lengths[axis] / step;
      return scattered(array, lengths, (at) =>
        replaced(at, axis, (at[axis] % part) * step + Math.floor(at[axis] / part)),
      );
    }
    case "transpose": {
      const [a, b] = operation.axes;
      const swapped = (list: readonly number[]) => replaced(replaced(list, a, list[b]), b, list[a]);
      return scattered(array, swapped(lengths), swapped);
    }
    case "permute": {
      const ordered = (list: readonly number[]) => operation.axes.map((axis) => list[axis]);
      return scattered(array, ordered(lengths), ordered);
    }
    case "tile": {
      const tile = operation.lengths;
      const to = [...tile, ...lengths.map((length, axis) => length / tile[axis])];
      return scattered(array, to, (at) => [
        ...at.map((x, axis) => x % tile[axis]),
        ...at.map((x, axis) => Math.floor(x / tile[axis])),
      ]);
    }
    case "untile": {
      const axes = lengths.length / 2;
      const to = lengths.slice(0, axes).map((length, axis) => length * lengths[axes + axis]);
      return scattered(array, to, (at) => to.map((_, axis) => at[axis] + lengths[axis] * at[axes + axis]));
    }
    case "morton":
      return scattered(array, [array.values.length], (at) => [mortonIndex(lengths, at)]);
    case "unmorton": {
      const to = operation.lengths;
      const places = array.values.map((_, index) => mortonIndex(to, placeIn(to, index)));
      return { lengths: to, values: places.map((place) => array.values[place]) };
    }
  }
}

/** Bit by bit from the lowest, of each axis that still has one. */
function mortonIndex(lengths: readonly number[], at: readonly number[]): number {
  let index = 0;
  let place = 1;
  for (let bit = 1; lengths.some((length) => length > bit); bit *= 2) {
    for (const [axis, length] of lengths.entries()) {
      if (length <= bit) continue;
      if (Math.floor(at[axis] / bit) % 2 === 1) index += place;
      place *= 2;
    }
  }
  return index;
}
