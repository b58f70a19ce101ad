/** What arrays hold of boxes. */
import { type Box, boxCount, boxDims, isOneRun, numberInBox } from "./box.ts";
import type { TypedArray } from "./dtype.ts";
import type { Triple } from "./grid.ts";

export const emptyBox: Box = { first: [0, 0, 0], end: [0, 0, 0] };

export const isEmptyBox = (box: Box): boolean => boxCount(box) === 0;

/** Whether a box has a place, given along x, y and z. */
export const isInBox = ({ first, end }: Box, place: Triple): boolean =>
  place.every((i, axis) => i >= first[axis] && i < end[axis]);

/** Whether all elements of a box are in another. */
export const isWithin = (inner: Box, outer: Box): boolean =>
  isEmptyBox(inner) ||
  inner.first.every((i, axis) => i >= outer.first[axis] && inner.end[axis] <= outer.end[axis]);

/** The place of a box's element of this number. */
export function placeInBox(box: Box, element: number): Triple {
  const [nx, ny] = boxDims(box);
  const { first } = box;
  return [
    first[0] + (element % nx),
    first[1] + (Math.floor(element / nx) % ny),
    first[2] + Math.floor(element / (nx * ny)),
  ];
}

/**
 * The values of an inner box, of which `data` has the outer one's with so many components each: in the memory of `data` where
 * they lie one behind the other, else copied.
 */
export function valuesIn<T extends TypedArray>(data: T, outer: Box, inner: Box, components: number): T {
  const length = boxCount(inner) * components;
  if (length === 0) return data.subarray(0, 0) as T;
  if (isOneRun(inner, outer)) {
    const from = numberInBox(outer, inner.first) * components;
    return data.subarray(from, from + length) as T;
  }
  const values = data.slice(0, length) as T;
  const row = boxDims(inner)[0] * components;
  forEachRow(outer, inner, (from, at) => {
    copy(values, at * components, data, from * components, row);
  });
  return values;
}

/** Puts an inner box's values among those of the outer one. */
export function putValues(
  whole: TypedArray,
  outer: Box,
  values: TypedArray,
  inner: Box,
  components: number,
): void {
  if (values.length === 0) return;
  if (isOneRun(inner, outer)) {
    copy(whole, numberInBox(outer, inner.first) * components, values, 0, values.length);
    return;
  }
  const row = boxDims(inner)[0] * components;
  forEachRow(outer, inner, (to, at) => {
    copy(whole, to * components, values, at * components, row);
  });
}

/** Calls `visit` with the number of each row's first element in the outer and in the inner box. */
function forEachRow(outer: Box, inner: Box, visit: (inOuter: number, inInner: number) => void): void {
  const [mx, my] = boxDims(outer);
  const [nx, ny, nz] = boxDims(inner);
  const start = numberInBox(outer, inner.first);
  let at = 0;
  for (let z = 0; z < nz; z++) {
    for (let y = 0; y < ny; y++, at += nx) visit(start + mx * (y + my * z), at);
  }
}

/** Arrays of one type: numbers or bigints. */
function copy(to: TypedArray, at: number, from: TypedArray, start: number, length: number): void {
  (to as Float64Array).set(from.subarray(start, start + length) as Float64Array, at);
}
