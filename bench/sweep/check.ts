import type { Primitives } from "../../src/core/primitives/primitives.ts";
import type { HostArray, ScalarType, Vector } from "../../src/core/primitives/vector.ts";

/** Vectors of one check, released after it. */
export class Held {
  readonly p: Primitives;
  readonly #vectors: Vector[] = [];

  constructor(p: Primitives) {
    this.p = p;
  }

  put<T extends ScalarType>(type: T, data: HostArray<T>, components = 1): Vector<T> {
    return this.hold(this.p.fromHost(type, data, components));
  }

  hold<V extends Vector>(vector: V): V {
    this.#vectors.push(vector);
    return vector;
  }

  async read<T extends ScalarType>(vector: Vector<T> | Promise<Vector<T>>): Promise<HostArray<T>> {
    return this.p.toHost(this.hold(await vector));
  }

  release(): void {
    for (const vector of this.#vectors.splice(0)) vector.release();
  }
}

/** Throws where elements differ. */
export function same(got: ArrayLike<number>, expected: ArrayLike<number>, what: string): void {
  if (got.length !== expected.length)
    throw new Error(`${what}: ${got.length} elements, expected ${expected.length}`);
  for (let i = 0; i < expected.length; i++) {
    if (got[i] !== expected[i])
      throw new Error(`${what}: element ${i} is ${got[i]}, expected ${expected[i]}`);
  }
}
