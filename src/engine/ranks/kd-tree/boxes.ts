import type { KdTree } from "../../../core/kd-tree/kd-tree.ts";

/** Boxes are lists of their least coordinates, one for each axis, then the greatest. */
export function boxOf({ points, dimensions }: KdTree): Float32Array {
  const box = new Float32Array(2 * dimensions).fill(Infinity, 0, dimensions).fill(-Infinity, dimensions);
  for (let at = 0; at < points.length; at++) {
    const axis = at % dimensions;
    box[axis] = Math.min(box[axis], points[at]);
    box[dimensions + axis] = Math.max(box[dimensions + axis], points[at]);
  }
  return box;
}

/**
 * The squared distance from a place to the box that begins at an index of `boxes`: not greater than that of any point
 * within, as both are rounded.
 */
export function squareToBox(boxes: Float32Array, at: number, place: ArrayLike<number>): number {
  const dimensions = place.length;
  let square = 0;
  for (let axis = 0; axis < dimensions; axis++) {
    const [x, low, high] = [place[axis], boxes[at + axis], boxes[at + dimensions + axis]];
    if (x < low) square += (low - x) ** 2;
    else if (x > high) square += (x - high) ** 2;
  }
  return square;
}

/** That of the nearest of some boxes; ∞ where there are none. */
export function squareToBoxes(boxes: Float32Array, place: ArrayLike<number>): number {
  let nearest = Infinity;
  for (let at = 0; at < boxes.length; at += 2 * place.length)
    nearest = Math.min(nearest, squareToBox(boxes, at, place));
  return nearest;
}
