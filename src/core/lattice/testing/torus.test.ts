import { expect, it } from "vitest";
import { canonical, levels4x4 } from "./enumeration.ts";
import { criticalTemperature, infiniteLattice, torusEnergy } from "./torus.ts";

it("has the energy of a torus that all of its states have, and of a large one the infinite lattice's", () => {
  const levels = levels4x4();
  for (const temperature of [1.5, criticalTemperature, 4]) {
    const energy = canonical(levels, temperature).reduce((sum, level) => sum + level.p * level.energy, 0);
    expect(torusEnergy([4, 4], temperature)).toBeCloseTo(energy / 16, 6);
  }
  for (const temperature of [2, 3]) {
    expect(torusEnergy([96, 80], temperature)).toBeCloseTo(infiniteLattice(temperature).energy, 6);
  }
  expect(torusEnergy([4, 8], 2.5)).toBeCloseTo(torusEnergy([8, 4], 2.5), 8);
});
