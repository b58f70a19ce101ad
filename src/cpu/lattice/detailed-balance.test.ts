/**
 * Detailed balance of single passes: in equilibrium a state becomes another one as often as that one becomes the first. A whole sweep
 * keeps the equilibrium, but without this symmetry.
 */
import { describe, expect, it } from "vitest";
import type { LatticePlan, Numbers, Pass } from "../../core/lattice/model.ts";
import { modelNamed, parametersOf } from "../../core/lattice/models.ts";
import { isSweep } from "../../gpu/testing/sweep.ts";
import { createHostSimulation } from "./simulation.ts";

/** Sweeps between two samples, which are nearly independent then. */
const spacing = 4;

/** A pair of states counts if one became the other so often at least: its difference is nearly normal then. */
const fewest = 10;

interface Case {
  readonly name: string;
  readonly size: readonly number[];
  readonly given: Numbers;
  /** Whether it takes too long for every run of the tests. */
  readonly isLong?: boolean;
  /** Names of the arrays that hold the state between two sweeps. */
  readonly state: readonly string[];
  /** Where a pass does not change the state in place: by the name of the array that it reads, the one that it writes. */
  readonly into?: Readonly<Record<string, string>>;
  /** The class of states that one belongs to, from what is measured of it; each is its own where this is left out. */
  readonly classOf?: (quantities: Numbers) => string;
}

const cases: readonly Case[] = [
  { name: "ising", size: [2, 2], given: { temperature: 5 }, state: ["black", "white"] },
  { name: "ising", size: [4, 2], given: { temperature: 5 }, state: ["black", "white"], isLong: true },
  { name: "ising-heat-bath", size: [2, 2], given: { temperature: 5 }, state: ["black", "white"] },
  {
    name: "ising-crinkled",
    size: [4, 2],
    given: { temperature: 5 },
    state: ["black", "white"],
    isLong: true,
  },
  { name: "potts", size: [2, 2], given: { temperature: 2, states: 3 }, state: ["black", "white"] },
  {
    name: "kawasaki",
    size: [8],
    given: { temperature: 2, concentration: 3 / 8 },
    state: ["even"],
    into: { even: "odd" },
  },
  {
    name: "kawasaki",
    size: [4, 4],
    given: { temperature: 4, concentration: 2 / 16 },
    isLong: true,
    state: ["even"],
    into: { even: "odd" },
  },
  {
    name: "heisenberg",
    size: [4, 2],
    given: { temperature: 1.5 },
    state: ["black_xy", "black_z", "white_xy", "white_z"],
    classOf: ({ energy, magnetization }) => `${Math.floor(4 * energy)} ${Math.floor(4 * magnetization)}`,
  },
];

type Transitions = Map<string, Map<string, number>>;

/** Lets passes, or sweeps of some, work on the states that sweeps of the model go through, and counts what becomes what by each. */
async function transitionsOf(
  { given, name, size, state, into = {}, classOf }: Case,
  sweepsOf: (plan: LatticePlan) => readonly (readonly Pass[])[],
  samples: number,
): Promise<readonly Transitions[]> {
  const model = modelNamed(name);
  const parameters = parametersOf(model, given, size.length);
  const plan = model.on(size, parameters);
  const begin = (sweep: readonly Pass[], seed: number) =>
    createHostSimulation({ ...plan, sweep }, { seed: [seed, 0], start: model.start, parameters });
  const chain = begin(plan.sweep, 1);
  const from = await chain.read();
  const all = await Promise.all(
    sweepsOf(plan).map(async (passes, k) => {
      const simulation = begin(passes, 2 + k);
      const results = state.map((array) => (passes.length === 1 ? (into[array] ?? array) : array));
      return { simulation, results, arrays: await simulation.read(), seen: new Map() as Transitions };
    }),
  );
  await chain.run(200, parameters);
  for (let n = 0; n < samples; n++) {
    const before = (await chain.run(spacing, parameters))[spacing - 1];
    const one = classOf?.(plan.quantitiesOf(before)) ?? state.map((array) => from[array].join()).join();
    for (const { simulation, results, arrays, seen } of all) {
      for (const array of state) arrays[array].set(from[array]);
      const [after] = await simulation.run(1, parameters);
      const other =
        classOf?.(plan.quantitiesOf(after)) ?? results.map((array) => arrays[array].join()).join();
      const counts = seen.get(one) ?? new Map<string, number>();
      counts.set(other, (counts.get(other) ?? 0) + 1);
      seen.set(one, counts);
    }
  }
  return all.map(({ seen }) => seen);
}

/** χ² of the differences between there and back, and of how many pairs it is the sum. */
function asymmetryOf(seen: Transitions) {
  let [chiSquare, pairs, counted] = [0, 0, 0];
  for (const [one, counts] of seen) {
    for (const [other, there] of counts) {
      const back = seen.get(other)?.get(one) ?? 0;
      // Each pair once, where there is no way back too.
      if (other === one || (back > 0 && other < one) || there + back < fewest) continue;
      chiSquare += (there - back) ** 2 / (there + back);
      pairs++;
      counted += there + back;
    }
  }
  return { chiSquare, pairs, counted, deviation: (chiSquare - pairs) / Math.sqrt(2 * pairs) };
}

/** The pass, from the arrays that hold the state into others where it does not change them in place. */
function alone(pass: Pass, into: Readonly<Record<string, string>> = {}): Pass {
  const [held] = Object.keys(into);
  return held === undefined ? pass : { ...pass, arrays: { spins: held, next: into[held] } };
}

describe("detailed balance", () => {
  it.for(cases.filter(({ isLong }) => isSweep || !isLong))(
    "holds for each pass of $name on $size",
    { timeout: 600_000 },
    async (one, { annotate }) => {
      const all = await transitionsOf(
        one,
        ({ sweep }) => (isSweep ? sweep : sweep.slice(0, 2)).map((pass) => [alone(pass, one.into)]),
        isSweep ? 10_000 : 1500,
      );
      for (const [k, seen] of all.entries()) {
        const { chiSquare, pairs, counted, deviation } = asymmetryOf(seen);
        await annotate(
          `pass ${k}: χ² = ${chiSquare} of ${pairs} pairs, ${counted} transitions, ${deviation}`,
        );
        expect(pairs).toBeGreaterThan(4);
        expect(deviation).toBeLessThan(3.5);
      }
    },
  );

  it("is missed by a whole sweep of the checkerboard", async () => {
    const [seen] = await transitionsOf(cases[0], ({ sweep }) => [sweep], isSweep ? 10_000 : 3000);
    expect(asymmetryOf(seen).deviation).toBeGreaterThan(isSweep ? 50 : 5);
  });
});
