import type { Plane } from "./layers.ts";
import { emptyMesh, type TriangleMesh } from "./mesh.ts";

/**
 * The part of a mesh on a plane's positive side. Each edge that the plane cuts is cut once, so that what was closed is open
 * along the plane only.
 */
export function clipMesh(mesh: TriangleMesh, { origin, normal }: Plane): TriangleMesh {
  const { positions, indices } = mesh;
  const count = positions.length / 3;
  const distances = new Float64Array(count);
  for (let v = 0; v < count; v++) {
    for (let axis = 0; axis < 3; axis++)
      distances[v] += normal[axis] * (positions[3 * v + axis] - origin[axis]);
  }
  const made = new Vertices(mesh, distances);
  const corners: number[] = [];
  for (let at = 0; at < indices.length; at += 3) {
    const polygon: number[] = [];
    for (let side = 0; side < 3; side++) {
      const a = indices[at + side];
      const b = indices[at + ((side + 1) % 3)];
      if (distances[a] >= 0) polygon.push(made.keep(a));
      if (distances[a] >= 0 !== distances[b] >= 0) polygon.push(made.cut(a, b));
    }
    for (let last = 2; last < polygon.length; last++)
      corners.push(polygon[0], polygon[last - 1], polygon[last]);
  }
  return corners.length === 0 ? emptyMesh : made.mesh(corners);
}

/** The vertices of the clipped mesh: those that are kept, and those on cut edges. */
class Vertices {
  readonly #mesh: TriangleMesh;
  readonly #distances: Float64Array;
  /** Numbers of vertices, by their own or by both of their edge's ends. */
  readonly #kept = new Map<number, number>();
  readonly #cuts = new Map<number, number>();
  readonly #positions: number[] = [];
  readonly #normals: number[] = [];
  readonly #scalars: number[] = [];

  constructor(mesh: TriangleMesh, distances: Float64Array) {
    this.#mesh = mesh;
    this.#distances = distances;
  }

  keep(v: number): number {
    return known(this.#kept, v, () => this.#add(v, v, 0));
  }

  /** Computed from the lower vertex to the higher, whichever triangle asks. */
  cut(a: number, b: number): number {
    const [low, high] = a < b ? [a, b] : [b, a];
    const [d0, d1] = [this.#distances[low], this.#distances[high]];
    return known(this.#cuts, low * this.#distances.length + high, () => this.#add(low, high, d0 / (d0 - d1)));
  }

  mesh(corners: readonly number[]): TriangleMesh {
    return {
      positions: Float32Array.from(this.#positions),
      normals: Float32Array.from(this.#normals),
      scalars: this.#mesh.scalars && Float32Array.from(this.#scalars),
      indices: Uint32Array.from(corners),
    };
  }

  #add(a: number, b: number, t: number): number {
    const between = (values: Float32Array, i: number, j: number) =>
      t === 0 ? values[i] : values[i] + t * (values[j] - values[i]);
    const { positions, normals, scalars } = this.#mesh;
    const normal = [0, 1, 2].map((axis) => between(normals, 3 * a + axis, 3 * b + axis));
    const length = Math.hypot(...normal) || 1;
    for (let axis = 0; axis < 3; axis++) {
      this.#positions.push(between(positions, 3 * a + axis, 3 * b + axis));
      this.#normals.push(normal[axis] / length);
    }
    if (scalars) this.#scalars.push(between(scalars, a, b));
    return this.#positions.length / 3 - 1;
  }
}

function known(map: Map<number, number>, key: number, make: () => number): number {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
