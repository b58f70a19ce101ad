import { edgeHigh, edgeLow } from "../cube.ts";

/** The share of each corner of a cell at a place in it, with coordinates in 0 … 1. */
export function cornerWeights([x, y, z]: readonly number[]): number[] {
  return Array.from(
    { length: 8 },
    (_, corner) =>
      ((corner & 1) === 1 ? x : 1 - x) * ((corner & 2) === 2 ? y : 1 - y) * ((corner & 4) === 4 ? z : 1 - z),
  );
}

/** Newton steps, and how far from the cell's faces they stay. */
const steps = 4;
const margin = 0.01;
const longestStep = 0.25;

/**
 * Where the inner vertex of a fan lies in its cell: the middle of the polygon's crossings, moved along the gradient
 * towards the trilinear surface. `values` are the corners' values less the isovalue.
 */
export function fanPlace(values: ArrayLike<number>, polygon: readonly number[]): number[] {
  const place = [0, 0, 0];
  for (const edge of polygon) {
    const low = edgeLow[edge];
    const share = values[low] / (values[low] - values[edgeHigh[edge]]);
    for (let d = 0; d < 3; d++)
      place[d] += (((low >> d) & 1) + (d === edge >> 2 ? share : 0)) / polygon.length;
  }
  for (let d = 0; d < 3; d++) place[d] = inside(place[d]);
  for (let step = 0; step < steps; step++) {
    const weights = cornerWeights(place);
    let value = 0;
    const gradient = [0, 0, 0];
    for (let corner = 0; corner < 8; corner++) {
      value += weights[corner] * values[corner];
      for (let d = 0; d < 3; d++) {
        const isHigh = ((corner >> d) & 1) === 1;
        gradient[d] += (weights[corner] / (isHigh ? place[d] : place[d] - 1)) * values[corner];
      }
    }
    const squared = gradient[0] ** 2 + gradient[1] ** 2 + gradient[2] ** 2;
    if (!(squared > 0)) return place;
    const length = Math.min(Math.abs(value) / Math.sqrt(squared), longestStep) / Math.sqrt(squared);
    for (let d = 0; d < 3; d++) {
      place[d] = inside(place[d] - Math.sign(value) * length * gradient[d]);
    }
  }
  return place;
}

const inside = (x: number): number => Math.min(Math.max(x, margin), 1 - margin);
