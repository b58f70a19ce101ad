import { expect, it } from "vitest";
import { stridesOf } from "../../core/hypercube/shape.ts";
import { modelNamed, parametersOf } from "../../core/lattice/models.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { createHostSimulation } from "./simulation.ts";

const simulate = (name: string, lengths: readonly number[], given = {}) => {
  const model = modelNamed(name);
  const parameters = parametersOf(model, given, lengths.length);
  const plan = model.on(lengths, parameters);
  return createHostSimulation(plan, { seed: [3, 4], start: model.start, parameters });
};

/** Whether a site lies within the radius of a position on a ring along each axis. */
function isNear(lengths: readonly number[], site: number, position: readonly number[], radius: number) {
  const squares = stridesOf(lengths).map((stride, axis) => {
    const [length, away] = [lengths[axis], Math.floor(site / stride) - position[axis]];
    const apart = ((away % length) + length) % length;
    return Math.min(apart, length - apart) ** 2;
  });
  return squares.reduce((sum, square) => sum + square, 0) <= radius * radius;
}

it.each([
  ["ising", [8], "spin", -1],
  ["ising", [66, 4], "spin", -1],
  ["ising-heat-bath", [6, 4, 2, 6], "spin", -1],
  ["potts", [20, 4, 6], "state", 2],
  ["gray-scott", [7, 5], "v", 0.375],
  ["cahn-hilliard", [9, 8], "phi", -0.5],
  ["ginzburg-landau", [9, 8], "density", 1],
  ["ising-plain", [16, 4], "spin", -1],
  ["ising-plain", [32, 2, 6], "spin", -1],
  ["ising-crinkled", [12, 4, 6], "spin", -1],
  ["kawasaki", [8, 4], "spin", -1],
  ["kawasaki-bcc", [8, 4], "corner", 1],
  ["kawasaki-bcc", [8, 4], "centre", 1],
  ["lotka-volterra", [9, 8], "species_1", 1.75],
  ["prisoners-dilemma", [9, 7], "strategy", 0],
] as const)(
  "%s on %j is drawn on within a radius of any position, around the borders too",
  async (name, lengths, field, value) => {
    const simulation = simulate(name, lengths);
    const draw = await simulation.brush();
    for (const [position, radius] of [
      [lengths.map(() => 0.4), 2.3],
      [lengths.map((length) => 2 * length - 2.8), 0],
    ] as const) {
      const before = await simulation.field(field);
      draw({ position, radius, value });
      const from = radius === 0 ? position.map(Math.round) : position;
      const expected = Float32Array.from(before, (was, site) =>
        isNear(lengths, site, from, radius) ? value : was,
      );
      expectArraysClose(Float32Array.from(await simulation.field(field)), expected);
      expect(expected).not.toEqual(Float32Array.from(before));
    }
  },
);

it("draws on vectors along z, and on nothing but the prey of a chain", async () => {
  const spins = simulate("heisenberg", [6, 4]);
  await spins.run(2, { temperature: 2 });
  const before = await spins.field("spin");
  (await spins.brush())({ position: [1, 2], radius: 1.5, value: -1 });
  const drawn = Array.from({ length: 24 }, (_, site) => isNear([6, 4], site, [1, 2], 1.5));
  expect(drawn.filter(Boolean).length).toBe(9);
  expectArraysClose(
    Float32Array.from(await spins.field("spin")),
    Float32Array.from(before, (was, k) => (drawn[Math.floor(k / 3)] ? [0, 0, -1][k % 3] : was)),
  );
  const chain = simulate("lotka-volterra", [5, 4], { species: 3 });
  const others = [await chain.field("species_2"), await chain.field("species_3")];
  (await chain.brush())({ position: [0, 0], radius: 9, value: 0.5 });
  expect([await chain.field("species_2"), await chain.field("species_3")]).toEqual(others);
  expect(new Set(await chain.field("species_1"))).toEqual(new Set([0.5]));
});

it("keeps the number of spins that drawing has made up, where it is conserved", async () => {
  const parameters = { temperature: 1.5, concentration: 0.5 };
  const simulation = simulate("kawasaki", [8, 8], parameters);
  const up = async () => (await simulation.field("spin")).filter((spin) => spin > 0).length;
  expect(await up()).toBe(32);
  (await simulation.brush())({ position: [3, 3], radius: 9, value: 1 });
  (await simulation.brush())({ position: [3, 3], radius: 0, value: -1 });
  expect(await up()).toBe(63);
  await simulation.run(3, parameters);
  expect(await up()).toBe(63);
});

it("refuses what a brush does not set", async () => {
  const draw = await simulate("potts", [4, 4], { states: 3 }).brush();
  const stroke = { position: [0, 0], radius: 1, value: 1 };
  expect(() => draw({ ...stroke, value: 3 })).toThrow("whole number from 0 to 2");
  expect(() => draw({ ...stroke, position: [0] })).toThrow("2 coordinates");
  expect(() => draw({ ...stroke, radius: -1 })).toThrow("-1");
});
