import { beforeAll, expect, it } from "vitest";
import type { Primitives } from "../../primitives.ts";
import type { HostArray, ScalarType, Vector } from "../../vector.ts";

/** Makes the implementation under test: primitives, or those of each rank where it runs over ranks. */
export type Make = () => Promise<Primitives | readonly Primitives[]>;

/** The implementation under test, and the lengths that it is tried at. */
export interface Subject {
  readonly sizes: readonly number[];
  /** The primitives of each rank; one alone where the implementation knows none. */
  ranks(): readonly Primitives[];
}

/** Makes the implementation before the tests of the surrounding suite. */
export function subjectOf(make: Make, sizes: readonly number[]): Subject {
  let made: readonly Primitives[] | undefined;
  beforeAll(async () => {
    made = ranksOf(await make());
  });
  return {
    sizes,
    ranks: () => {
      if (!made) throw new Error("The primitives are made before the tests.");
      return made;
    },
  };
}

export const ranksOf = (made: Primitives | readonly Primitives[]): readonly Primitives[] =>
  "name" in made ? [made] : made;

/** Runs a body on all ranks at the same time. */
export async function onAllRanks(
  ranks: readonly Primitives[],
  body: (p: Primitives, rank: number) => Promise<void>,
): Promise<void> {
  await Promise.all(ranks.map(body));
}

/** Vectors of a test: what it puts, and what results it reads. */
export class Bag {
  readonly primitives: Primitives;
  readonly #held: Vector[] = [];

  constructor(primitives: Primitives) {
    this.primitives = primitives;
  }

  put<T extends ScalarType>(type: T, data: HostArray<T>, components = 1): Vector<T> {
    return this.hold(this.primitives.fromHost(type, data, components));
  }

  u32(data: ArrayLike<number>): Vector<"u32"> {
    return this.put("u32", Uint32Array.from(data));
  }

  hold<V extends Vector>(vector: V): V {
    this.#held.push(vector);
    return vector;
  }

  /** Releases a result after reading it. */
  async take<T extends ScalarType>(result: Vector<T> | Promise<Vector<T>>): Promise<HostArray<T>> {
    const vector = await result;
    try {
      const words = await this.primitives.toHost(vector);
      expect(words.length).toBe(vector.length * vector.components);
      return words;
    } finally {
      vector.release();
    }
  }

  /** Expects a result to be elements, to the bit but for the bits of NaN. */
  async expect(
    result: Vector | Promise<Vector>,
    expected: ArrayLike<number>,
    what: string,
    components = 1,
  ): Promise<void> {
    const vector = await result;
    expect(vector.length, `${what}: length`).toBe(expected.length / components);
    expect(vector.components, `${what}: components`).toBe(components);
    expectSame(await this.take(vector), expected, what);
  }

  release(): void {
    for (const vector of this.#held.splice(0)) vector.release();
  }
}

/** Expects the same numbers; NaN is NaN, and −0 is not +0. */
function expectSame(got: ArrayLike<number>, expected: ArrayLike<number>, what: string): void {
  expect(got.length, `${what}: length`).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) {
    if (Object.is(got[i], expected[i])) continue;
    expect.fail(`${what}: element ${i} of ${expected.length} is ${got[i]}, expected ${expected[i]}`);
  }
}

/** A test with a bag of its own, or one of each rank's. */
export function check(subject: Subject, name: string, body: (bag: Bag) => Promise<void>): void {
  it(name, () =>
    onAllRanks(subject.ranks(), async (p) => {
      const bag = new Bag(p);
      try {
        await body(bag);
      } finally {
        bag.release();
      }
    }),
  );
}
