import { expect, it } from "vitest";
import { compileFunction } from "../../kernel/compile-js.ts";
import { parseFunctions } from "../../kernel/text/parse.ts";
import { boltzmannFactor, boltzmannText } from "./boltzmann.ts";
import { philoxText } from "./philox.ts";

it("has the probabilities of energies at temperatures to 10⁻⁶", () => {
  const { functions } = parseFunctions(`${boltzmannText}\n${philoxText}`);
  const boltzmann = compileFunction(functions.find(({ name }) => name === "boltzmann")!);
  const unit = 2 ** -24;
  let worst = 0;
  for (const temperature of [0.01, 0.1, 0.7, 1, 1.4429, 7, 100, 1000]) {
    const factor = boltzmannFactor(unit, temperature);
    for (let k = 0; k <= 400; k++) {
      // From one unit to 40, the largest energy that ten axes have.
      const rise = Math.round((40 / unit) ** (k / 400));
      const found = (boltzmann(rise, factor) as number) / 2 ** 32;
      worst = Math.max(worst, Math.abs(found - Math.exp((-rise * unit) / temperature)));
    }
    expect(boltzmann(0, factor)).toBe(2 ** 32 - 1);
  }
  expect(worst).toBeLessThan(1e-6);
  // A whole power of 1/2, and what is too improbable for 32 bits.
  expect(boltzmann(2 ** 24, boltzmannFactor(unit, 1 / Math.LN2))).toBe(2 ** 31 - 1);
  expect(boltzmann(40 * 2 ** 24, boltzmannFactor(unit, 0.01))).toBe(0);
});
