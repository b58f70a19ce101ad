/** Usual values are those at which there is something to see: temperatures lie near transitions, and no strategy dies out. */
import { expect, it } from "vitest";
import { isSweep } from "../gpu/testing/sweep.ts";
import { lattice } from "./crinkle.ts";

const cases = [
  ["ising", [8, 8, 8, 8]],
  ["potts", [10, 10, 10]],
  ["heisenberg", [10, 10, 10]],
  ["ising", [32, 32]],
  ["ising", [12, 12, 12]],
  ["ising", [6, 6, 6, 6, 6]],
  ["potts", [24, 24]],
  ["potts", [6, 6, 6, 6]],
  ["heisenberg", [6, 6, 6, 6]],
  ["heisenberg", [4, 4, 4, 4, 4]],
] as const;

// A lattice has order a tenth below, and none a fifth above.
it.each(isSweep ? cases : cases.slice(0, 3))(
  "temperatures of %s on %j lie near transitions",
  { timeout: 120_000 },
  async (model, size) => {
    const common = { size, sweeps: isSweep ? 300 : 100, device: "cpu" } as const;
    const { temperature: usual } = (await lattice.simulate(model, { ...common, sweeps: 1 })).parameters;
    const orderAt = async (temperature: number) =>
      (await lattice.simulate(model, { ...common, parameters: { temperature } })).measures.magnetization.mean;
    const [below, above] = [await orderAt(0.9 * usual), await orderAt(1.2 * usual)];
    expect(below).toBeGreaterThan(0.4);
    expect(above).toBeLessThan(0.25);
  },
);

it("of substances let a spot on four axes grow", async () => {
  const { series } = await lattice.simulate("gray-scott", {
    size: [12, 12, 12, 12],
    sweeps: 40,
    device: "cpu",
  });
  expect(series.v.at(-1)).toBeGreaterThan(3 * series.v[0]);
});

it.each([[64], [40, 40], [14, 14, 14], [8, 8, 8, 8], [5, 5, 5, 5, 5], [4, 4, 4, 4, 4, 4]])(
  "of players let both strategies last on %j …",
  async (...size) => {
    const { series } = await lattice.simulate("prisoners-dilemma", { size, sweeps: 30, device: "cpu" });
    const cooperators = series.cooperators.at(-1);
    expect(cooperators).toBeGreaterThan(0.1);
    expect(cooperators).toBeLessThan(0.95);
    expect(series.changed.at(-1)).toBeGreaterThan(0.02);
  },
);
