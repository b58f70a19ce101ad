import fc from "fast-check";
import type { Primitives } from "../primitives.ts";
import type { Vector } from "../vector.ts";
import { randomElements, scalarTypes } from "./data.ts";
import { absolute } from "./operators.ts";
import { type Step, steps } from "./program-steps.ts";

/** One step: its name, which vectors of the pool it takes (any whole numbers), and a choice of its own. */
export interface Call {
  readonly step: string;
  readonly picks: readonly number[];
  readonly choice: number;
}

/** Steps over a pool of vectors, which begins with one of each type and to which every result is added. */
export interface Program {
  /** Lengths of the first vectors: u32, i32, f32. */
  readonly lengths: readonly number[];
  /** How many different numbers they hold. */
  readonly spread: number;
  readonly seed: number;
  readonly calls: readonly Call[];
}

/** Vectors of the pool are cut to it. */
const longest = 4096;

/** Programs of up to `most` steps, over vectors of up to `length` elements at first. */
export function programs(most = 8, length = 1500): fc.Arbitrary<Program> {
  const whole = fc.nat({ max: 2 ** 16 });
  return fc.record({
    lengths: fc.tuple(...scalarTypes.map(() => fc.nat({ max: length }))),
    spread: fc.constantFrom(2, 50, 2 ** 12),
    seed: whole,
    calls: fc.array(
      fc.record({
        step: fc.constantFrom(...Object.keys(steps)),
        picks: fc.tuple(whole, whole, whole),
        choice: whole,
      }),
      { minLength: 1, maxLength: most },
    ),
  });
}

/** The same vector in the reference and in what is tested. */
type Twin = readonly [reference: Vector, tested: Vector];

/** Results to be compared, and of f32 how far apart they may be. */
interface Comparison {
  readonly what: string;
  readonly twin: Twin;
  readonly tolerances?: ArrayLike<number>;
}

/** Runs programs on both; remembers what it made, and what is still to be compared. */
class Comparer {
  readonly both: readonly [Primitives, Primitives];
  readonly #held: Vector[] = [];
  readonly #expected: Comparison[] = [];

  constructor(reference: Primitives, tested: Primitives) {
    this.both = [reference, tested];
  }

  /**
   * Throws where a step's results differ: at all, or for sums of f32 by more than both may be from the exact ones.
   * Such results go on as the reference has them. What is tested is read at the end, so that steps can follow each
   * other in one submission.
   */
  async run({ lengths, spread, seed, calls }: Program): Promise<void> {
    const pool: Twin[] = scalarTypes.map((type, k) => {
      const data = randomElements(type, lengths[k], seed + k, spread);
      return this.#twin(...this.both.map((p) => p.fromHost(type, data)));
    });
    try {
      for (const [k, call] of calls.entries()) pool.push(...(await this.#step(k, call, pool)));
    } finally {
      for (const { what, twin, tolerances } of this.#expected) {
        const [expected, got] = await Promise.all(twin.map((vector, k) => this.both[k].toHost(vector)));
        expectWithin(got, expected, tolerances, what);
      }
    }
  }

  release(): void {
    for (const vector of this.#held.splice(0)) vector.release();
  }

  #twin(...vectors: readonly Vector[]): Twin {
    this.#held.push(...vectors);
    return [vectors[0], vectors[1]];
  }

  /** Twins of a step's results for the pool. */
  async #step(k: number, { step: name, picks, choice }: Call, pool: readonly Twin[]): Promise<Twin[]> {
    const [reference, tested] = this.both;
    const step = steps[name];
    const twins = operandsOf(step, pool, picks);
    const what = `step ${k} (${name} of ${twins.map(([{ type, length }]) => `${length} ${type}`)})`;
    const operands = this.both.map((p, side) =>
      cut(
        p,
        step,
        twins.map((twin) => twin[side]),
      ),
    );
    const expected = await step.run(reference, operands[0], choice);
    const got = await step.run(tested, operands[1], choice);
    this.#held.push(...(expected.vectors ?? []), ...(got.vectors ?? []));
    const bounds = await this.#bounds(step, operands[0], choice);
    expectWithin(got.numbers ?? [], expected.numbers ?? [], bounds?.numbers, `${what}: numbers`);
    const results: Twin[] = [];
    for (const [r, x] of (expected.vectors ?? []).entries()) {
      const y = (got.vectors ?? [])[r];
      if (y.type !== x.type || y.length !== x.length) {
        throw new Error(`${what}: result ${r} is ${y.length} ${y.type}, expected ${x.length} ${x.type}`);
      }
      const tolerances = x.type === "f32" ? bounds?.vectors[r] : undefined;
      this.#expected.push({ what: `${what}: result ${r}`, twin: [x, y], tolerances });
      let goesOn = y;
      if (tolerances?.some((tolerance) => tolerance > 0)) {
        goesOn = tested.fromHost(x.type, await reference.toHost(x));
        this.#held.push(goesOn);
      }
      const length = Math.min(longest, x.length);
      results.push([reference.view(x, 0, length), tested.view(goesOn, 0, length)]);
    }
    return results;
  }

  /** How far apart the results of a step that adds f32 may be, from what it makes of their magnitudes. */
  async #bounds({ summed, run }: Step, operands: readonly Vector[], choice: number) {
    if (summed === undefined || operands[summed].type !== "f32") return undefined;
    const [p] = this.both;
    const magnitudes = await p.transform(operands[summed], absolute, "f32");
    this.#held.push(magnitudes);
    const { vectors = [], numbers = [] } = await run(p, operands.with(summed, magnitudes), choice);
    this.#held.push(...vectors);
    const words = await Promise.all(vectors.map((vector) => p.toHost(vector)));
    return { numbers: numbers.map(toleranceOf), vectors: words.map((sums) => Array.from(sums, toleranceOf)) };
  }
}

/**
 * How far apart two sums of f32 may be whose magnitudes' sum is given: whole numbers (programs know no others) are exact
 * as far as f32 holds them, and each is within the bound of sums beyond.
 */
function toleranceOf(magnitude: number): number {
  return magnitude <= 2 ** 24 ? 0 : 2 * (80 + longest / 4096) * 2 ** -24 * magnitude;
}

function expectWithin(
  got: ArrayLike<number>,
  expected: ArrayLike<number>,
  tolerances: ArrayLike<number> | undefined,
  what: string,
): void {
  if (got.length !== expected.length)
    throw new Error(`${what}: ${got.length} elements, expected ${expected.length}`);
  for (let i = 0; i < expected.length; i++) {
    const tolerance = tolerances?.[i] ?? 0;
    if (Object.is(got[i], expected[i]) || Math.abs(got[i] - expected[i]) <= tolerance) continue;
    throw new Error(
      `${what}: element ${i} of ${expected.length} is ${got[i]}, expected ${expected[i]} ± ${tolerance}`,
    );
  }
}

/** Vectors of the pool that suit a step. */
function operandsOf({ operands }: Step, pool: readonly Twin[], picks: readonly number[]): Twin[] {
  const twins: Twin[] = [];
  for (const [k, operand] of operands.entries()) {
    const type = operand === "like" ? twins[0][0].type : operand;
    const suitable = pool.filter(([vector]) => type === "any" || vector.type === type);
    twins.push(suitable[picks[k] % suitable.length]);
  }
  return twins;
}

function cut(p: Primitives, { isEven }: Step, vectors: readonly Vector[]): readonly Vector[] {
  if (!isEven) return vectors;
  const length = Math.min(...vectors.map((vector) => vector.length));
  return vectors.map((vector) => p.view(vector, 0, length));
}

/**
 * Compares many random programs; the message of a failure has the smallest program that fails. Of an implementation over
 * ranks, `tested` is all of them, which run each program at the same time.
 */
export async function comparePrograms(
  reference: Primitives,
  tested: Primitives | readonly Primitives[],
  { runs = 20, seed = 1, steps: most = 8 }: { runs?: number; seed?: number; steps?: number } = {},
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(programs(most), async (program) => {
      const runs = ("name" in tested ? [tested] : tested).map(async (p) => {
        const comparer = new Comparer(reference, p);
        try {
          await comparer.run(program);
        } finally {
          comparer.release();
        }
      });
      const failure = (await Promise.allSettled(runs)).find(({ status }) => status === "rejected");
      if (failure?.status === "rejected") throw failure.reason;
    }),
    { numRuns: runs, seed, includeErrorInReport: true },
  );
}
