import { describe, expect, it } from "vitest";
import { toCoordinates, toIndex } from "../../core/hypercube/coordinates.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import { parametersOf } from "../../core/lattice/models.ts";
import { prisonersDilemma } from "../../core/lattice/prisoners-dilemma/prisoners-dilemma.ts";
import { philoxReference } from "../../core/lattice/testing/philox.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { isSweep } from "../../gpu/testing/sweep.ts";
import { createHostSimulation } from "./simulation.ts";

/** A site and its neighbours, on a torus, some of them several times where it is short. */
function groupOf(lengths: readonly number[], site: number, hasDiagonals: boolean): number[] {
  const offsets = lengths.reduce<number[][]>(
    (all, _) => all.flatMap((o) => [-1, 0, 1].map((by) => [...o, by])),
    [[]],
  );
  const x = toCoordinates(lengths, site);
  return offsets
    .filter((offset) => hasDiagonals || offset.filter((by) => by !== 0).length <= 1)
    .map((offset) =>
      toIndex(
        lengths,
        x.map((value, axis) => (value + offset[axis] + lengths[axis]) % lengths[axis]),
      ),
    );
}

/** One step in plain loops. */
function played(
  lengths: readonly number[],
  strategies: Int8Array,
  b: number,
  hasDiagonals: boolean,
): Int8Array {
  const groups = Array.from(strategies, (_, site) => groupOf(lengths, site, hasDiagonals));
  const scores = groups.map((group, site) => {
    const met = group.reduce((sum, other) => sum + strategies[other], 0);
    return strategies[site] === 1 ? met : b * met;
  });
  return strategies.map((own, site) => {
    const best = Math.max(...groups[site].map((other) => scores[other]));
    const winners = groups[site].filter((other) => scores[other] === best).map((other) => strategies[other]);
    return winners.includes(own) ? own : 1 - own;
  });
}

describe("the prisoner's dilemma on the CPU", () => {
  // With b = 1.5 scores of both strategies are often equal.
  it.each([
    [[9], 1, 1.85],
    [[1], 1, 1.85],
    [[1, 11], 1, 1.5],
    [[5, 7], 1, 1.5],
    [[6, 5], 0, 1.25],
    [[5, 4, 3], 1, 1.3125],
    [[2, 6, 5], 0, 1.5],
    [[7, 1, 3], 0, 1.25],
    [[3, 1, 5], 1, 1.3125],
    [[3, 2, 4, 3], 1, 1.125],
    [[1, 2, 1, 5], 1, 1.5],
  ] as const)(
    "makes the same steps as plain loops on %j, diagonals: %d",
    async (lengths, diagonals, temptation) => {
      const seed = [7, 9] as const;
      const parameters = parametersOf(
        prisonersDilemma,
        { temptation, cooperators: 0.6, diagonals },
        lengths.length,
      );
      const plan = prisonersDilemma.on(lengths, parameters);
      const simulation = createHostSimulation(plan, { seed, start: "random", parameters });
      let expected: Int8Array = Int8Array.from({ length: countOf(lengths) }, (_, site) =>
        philoxReference([site, 0, 0, 1], seed)[0] < 0.6 * 2 ** 32 ? 1 : 0,
      );
      expectArraysClose(await simulation.field("strategy"), expected);
      for (let step = 0; step < 4; step++) {
        const [sums] = await simulation.run(1, parameters);
        const before = expected;
        expected = played(lengths, before, temptation, diagonals === 1);
        expectArraysClose(await simulation.field("strategy"), expected);
        expectArraysClose(
          await simulation.field("transition"),
          expected.map((now, site) => 2 * now + before[site]),
        );
        const { cooperators, changed } = plan.quantitiesOf(sums);
        expect(cooperators).toBeCloseTo(expected.reduce((sum, s) => sum + s, 0) / expected.length, 12);
        expect(changed).toBeCloseTo(
          expected.reduce((sum, s, site) => sum + Math.abs(s - before[site]), 0) / expected.length,
          12,
        );
      }
    },
  );

  it("has Nowak and May's part of cooperators", async () => {
    const parameters = parametersOf(prisonersDilemma, {}, 2);
    const side = isSweep ? 200 : 80;
    const plan = prisonersDilemma.on([side, side], parameters);
    const simulation = createHostSimulation(plan, { seed: [1, 0], start: "random", parameters });
    const series = (await simulation.run(isSweep ? 1000 : 250, parameters)).map(plan.quantitiesOf);
    const settled = series.slice(isSweep ? 200 : 100);
    const mean = settled.reduce((sum, { cooperators }) => sum + cooperators, 0) / settled.length;
    // About 12·ln 2 − 8 = 0.318 the part fluctuates, from almost all starts (Nowak and May 1992).
    expect(Math.abs(mean - (12 * Math.LN2 - 8))).toBeLessThan(0.02);
  });

  it("grows from one defector a pattern that is as symmetric as a square", async () => {
    const parameters = parametersOf(prisonersDilemma, {}, 2);
    const side = 41;
    const plan = prisonersDilemma.on([side, side], parameters);
    const simulation = createHostSimulation(plan, { seed: [1, 0], start: "spot", parameters });
    const defectors: number[] = [];
    for (let step = 1; step <= 12; step++) {
      await simulation.run(1, parameters);
      const found = await simulation.field("strategy");
      const mapped = (from: (x: number, y: number) => number) =>
        found.map((_, site) => found[from(site % side, Math.floor(site / side))]);
      expect(mapped((x, y) => y + side * x)).toEqual(found);
      expect(mapped((x, y) => side - 1 - x + side * y)).toEqual(found);
      defectors.push(found.filter((s) => s === 0).length);
    }
    // The defector's eight neighbours imitate it, then the square's corners grow.
    expect(defectors.slice(0, 2)).toEqual([9, 25]);
    expect(defectors.at(-1)).toBeGreaterThan(100);
  });
});
