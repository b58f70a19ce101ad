import { describe, expect, it } from "vitest";
import { latticeModels, parametersOf } from "./models.ts";
import { isingTemperatures, kawasakiTemperatures } from "./temperature.ts";

/** Fisher and Gaunt's series in 1/q, with q = 2d neighbours, to the fifth order. */
function critical(axes: number): number {
  const q = 2 * axes;
  const terms = [1, -1, -4 / 3, -13 / 3, -979 / 45, -2009 / 15];
  return q * terms.reduce((sum, term, k) => sum + term / q ** k, 0);
}

describe("usual temperatures", () => {
  it("of the Ising model are at most three hundredths below its critical ones", () => {
    const known = [2 / Math.log(1 + Math.SQRT2), 4.51152, 6.6803, ...[5, 6, 7, 8, 9, 10].map(critical)];
    for (const [k, temperature] of isingTemperatures.slice(1).entries()) {
      expect(temperature).toBeLessThan(known[k]);
      expect(temperature / known[k]).toBeGreaterThan(0.97);
    }
  });

  it("of mixtures are two thirds of these", () => {
    for (const [k, temperature] of kawasakiTemperatures.slice(1).entries())
      expect(temperature / isingTemperatures[k + 1]).toBeCloseTo(2 / 3, 1);
  });
});

describe("parameters that depend on the number of axes", () => {
  it("are given for two axes as they are otherwise", () => {
    for (const { name, parameters } of latticeModels)
      for (const { default: usual, defaultByAxes } of Object.values(parameters))
        if (defaultByAxes) expect([name, defaultByAxes[1]]).toEqual([name, usual]);
  });

  it("fit every lattice that a model can have", () => {
    for (const model of latticeModels) {
      const most = { "ising-plain": 7, "ising-crinkled": 7, "kawasaki-bcc": 6, "lotka-volterra": 9 }[
        model.name
      ];
      for (let axes = 1; axes <= (most ?? 10); axes++) {
        // Multiples of what a model wants, in fewer than 2³² elements.
        const lengths = Array.from({ length: axes }, (_, axis) =>
          model.name === "ising-plain" && axis === 0 ? 16 : model.name === "kawasaki-bcc" ? 8 : 4,
        );
        const parameters = parametersOf(model, {}, axes);
        expect(() => model.on(lengths, parameters).constantsOf(parameters)).not.toThrow();
      }
    }
  });
});
