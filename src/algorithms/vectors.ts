import type { Vector } from "../core/primitives/vector.ts";

/** Vectors that a part of an algorithm makes and that end with it, but for those it hands out. */
export class Vectors {
  readonly #held = new Set<Vector>();

  /** Holds a vector until `release`. */
  async hold<V extends Vector>(made: V | Promise<V>): Promise<V> {
    const vector = await made;
    this.#held.add(vector);
    return vector;
  }

  /** The vector outlives this. */
  handOut<V extends Vector>(vector: V): V {
    this.#held.delete(vector);
    return vector;
  }

  /** Releases some early. */
  drop(vectors: readonly Vector[]): void {
    for (const vector of vectors) if (this.#held.delete(vector)) vector.release();
  }

  release(): void {
    for (const vector of this.#held) vector.release();
    this.#held.clear();
  }
}

/** What `work` returns, after the vectors that it held have been released. */
export async function withVectors<R>(work: (vectors: Vectors) => Promise<R>): Promise<R> {
  const vectors = new Vectors();
  try {
    return await work(vectors);
  } finally {
    vectors.release();
  }
}
