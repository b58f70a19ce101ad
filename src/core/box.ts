/** Boxes of elements along x, y and z. */
import type { Triple } from "./grid.ts";

/** Elements [first, end) along x, y and z, x fastest; none where an end is not beyond its first. */
export interface Box {
  readonly first: Triple;
  readonly end: Triple;
}

export const wholeBox = (dims: Triple): Box => ({ first: [0, 0, 0], end: dims });

export const boxDims = ({ first, end }: Box): Triple => [
  Math.max(0, end[0] - first[0]),
  Math.max(0, end[1] - first[1]),
  Math.max(0, end[2] - first[2]),
];

export function boxCount(box: Box): number {
  const [nx, ny, nz] = boxDims(box);
  return nx * ny * nz;
}

export const mapAxes = (f: (axis: number) => number): Triple => [f(0), f(1), f(2)];

/** The number of a place among a box's elements. */
export function numberInBox(box: Box, place: Triple): number {
  const [nx, ny] = boxDims(box);
  const [x, y, z] = mapAxes((axis) => place[axis] - box.first[axis]);
  return x + nx * (y + ny * z);
}

/** Whether an inner box's elements lie one behind the other among those of the outer one. */
export function isOneRun(inner: Box, outer: Box): boolean {
  const [nx, ny, nz] = boxDims(inner);
  const [mx, my] = boxDims(outer);
  return nx === mx ? ny === my || nz <= 1 : ny <= 1 && nz <= 1;
}
