import type { Triple } from "../../core/grid.ts";
import { vertexBytes } from "../../core/marching-cubes/surface-records.ts";

/** Vertices and indices that a surface's buffers hold; indices are a multiple of 3. */
export interface Capacity {
  readonly vertices: number;
  readonly indices: number;
}

/** Two triangles a vertex on a closed surface. */
const indicesPerVertex = 6;

/** Room above the demand that made the buffers grow, so that a drag does not grow them at every step. */
const slack = 1.25;

const atLeast = 1024;

export function capacityFor(vertices: number, indices: number, largestBinding: number): Capacity {
  const triangles = Math.min(Math.ceil(indices / 3), Math.floor(largestBinding / 12));
  return {
    vertices: Math.min(Math.ceil(vertices), Math.floor(largestBinding / vertexBytes)),
    indices: 3 * triangles,
  };
}

/** A guess for a grid's first surface: half the sum of its box's three faces, about a tenth of the field. */
export function firstCapacity([nx, ny, nz]: Triple, largestBinding: number): Capacity {
  const vertices = Math.max(atLeast, 0.5 * (nx * ny + ny * nz + nz * nx));
  return capacityFor(vertices, vertices * indicesPerVertex, largestBinding);
}

export function fits(demand: Capacity, capacity: Capacity): boolean {
  return demand.vertices <= capacity.vertices && demand.indices <= capacity.indices;
}

/** Capacity for a demand that did not fit: never less than before, at most what the device can bind. */
export function grownCapacity(demand: Capacity, capacity: Capacity, largestBinding: number): Capacity {
  const grow = (wanted: number, had: number) => (wanted > had ? wanted * slack : had);
  return capacityFor(
    grow(demand.vertices, capacity.vertices),
    grow(demand.indices, capacity.indices),
    largestBinding,
  );
}

/** What holds either. */
export function joined(a: Capacity, b: Capacity): Capacity {
  return { vertices: Math.max(a.vertices, b.vertices), indices: Math.max(a.indices, b.indices) };
}
