/** Usual temperatures lie near transitions: a lattice has order a tenth below, and none a fifth above. */
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

it.each(isSweep ? cases : cases.slice(0, 3))("of %s on %j", { timeout: 120_000 }, async (model, size) => {
  const common = { size, sweeps: isSweep ? 300 : 100, device: "cpu" } as const;
  const { temperature: usual } = (await lattice.simulate(model, { ...common, sweeps: 1 })).parameters;
  const orderAt = async (temperature: number) =>
    (await lattice.simulate(model, { ...common, parameters: { temperature } })).measures.magnetization.mean;
  const [below, above] = [await orderAt(0.9 * usual), await orderAt(1.2 * usual)];
  expect(below).toBeGreaterThan(0.4);
  expect(above).toBeLessThan(0.25);
});
