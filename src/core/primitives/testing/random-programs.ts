import fc from "fast-check";
import { expectArraysClose } from "../../testing/compare.ts";
import type { Primitives } from "../primitives.ts";
import type { ScalarType, Vector } from "../vector.ts";
import { randomElements, scalarTypes } from "./data.ts";
import { type Outcome, type Step, steps } from "./program-steps.ts";

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

/**
 * Runs a program step by step on both, and throws where a step's results differ: at all, or for rounded f32 by more
 * than both may be from the exact ones. Rounded results go on as the reference has them.
 */
async function compareProgram(
  reference: Primitives,
  tested: Primitives,
  { lengths, spread, seed, calls }: Program,
): Promise<void> {
  const held: Vector[] = [];
  const both = [reference, tested] as const;
  try {
    const pool: Twin[] = scalarTypes.map((type, k) => {
      const data = randomElements(type, lengths[k], seed + k, spread);
      const [x, y] = both.map((p) => p.fromHost(type, data));
      held.push(x, y);
      return [x, y];
    });
    for (const [k, call] of calls.entries()) {
      const step = steps[call.step];
      const twins = operandsOf(step, pool, call.picks);
      const [due, got] = [
        await step.run(
          reference,
          cut(
            reference,
            step,
            twins.map(([x]) => x),
          ),
          call.choice,
        ),
        await step.run(
          tested,
          cut(
            tested,
            step,
            twins.map(([, y]) => y),
          ),
          call.choice,
        ),
      ];
      held.push(...(due.vectors ?? []), ...(got.vectors ?? []));
      const what = `step ${k} (${call.step} of ${twins.map(([{ type, length }]) => `${length} ${type}`)})`;
      const tolerance = step.isRounded ? await roundingOf(reference, twins) : 0;
      pool.push(...(await compareOutcomes(both, due, got, tolerance, what, held)));
    }
  } finally {
    for (const vector of held) vector.release();
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

/** How far two results of f32 may be apart: twice the bound of sums, and a little for the rounding of each element. */
async function roundingOf(p: Primitives, twins: readonly Twin[]): Promise<number> {
  let magnitude = 16;
  for (const [vector] of twins) {
    if (vector.type !== "f32") continue;
    for (const x of await p.toHost(vector)) magnitude += 4 * Math.abs(x);
  }
  return 2 * (80 + longest / 4096) * 2 ** -24 * magnitude;
}

/** Twins of the results for the pool. */
async function compareOutcomes(
  both: readonly [Primitives, Primitives],
  due: Outcome,
  got: Outcome,
  rounding: number,
  what: string,
  held: Vector[],
): Promise<Twin[]> {
  expectArraysClose(got.numbers ?? [], due.numbers ?? [], { absolute: rounding }, `${what}: numbers`);
  const twins: Twin[] = [];
  for (const [k, x] of (due.vectors ?? []).entries()) {
    const y = (got.vectors ?? [])[k];
    if (y.type !== x.type || y.length !== x.length) {
      throw new Error(`${what}: result ${k} is ${y.length} ${y.type}, due ${x.length} ${x.type}`);
    }
    const words = await both[0].toHost(x);
    const isRounded = rounding > 0 && x.type === "f32";
    const tolerance = { absolute: isRounded ? rounding : 0 };
    expectArraysClose(await both[1].toHost(y), words, tolerance, `${what}: result ${k}`);
    const goesOn = isRounded ? await moved(both[0], both[1], x) : y;
    if (isRounded) held.push(goesOn);
    const length = Math.min(longest, x.length);
    twins.push([both[0].view(x, 0, length), both[1].view(goesOn, 0, length)]);
  }
  return twins;
}

async function moved<T extends ScalarType>(from: Primitives, to: Primitives, vector: Vector<T>) {
  return to.fromHost(vector.type, await from.toHost(vector));
}

/** Compares many random programs; the message of a failure has the smallest program that fails. */
export async function comparePrograms(
  reference: Primitives,
  tested: Primitives,
  { runs = 20, seed = 1, steps: most = 8 }: { runs?: number; seed?: number; steps?: number } = {},
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(programs(most), (program) => compareProgram(reference, tested, program)),
    { numRuns: runs, seed, includeErrorInReport: true },
  );
}
