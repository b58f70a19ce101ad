import { expect, it } from "vitest";
import { ising } from "./ising/ising.ts";
import { binLength, measuresOf } from "./statistics.ts";

/** Numbers of a normal distribution, the same ones every time. */
function* normals(): Generator<number, never> {
  let state = 12345;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  for (;;) yield Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** An autoregressive series of variance 1, each value of which remembers this part of the one before. */
function series(length: number, memory: number): Float64Array {
  const noise = normals();
  let value = noise.next().value;
  return Float64Array.from({ length }, () => {
    value = memory * value + Math.sqrt(1 - memory ** 2) * noise.next().value;
    return value;
  });
}

it("bins longer where a series remembers more", () => {
  expect(binLength(series(16384, 0))).toBeLessThanOrEqual(4);
  expect(binLength(series(16384, 0.9))).toBeGreaterThanOrEqual(32);
});

it("has the error of the mean of correlated values, and of functions of means", () => {
  const memory = 0.9;
  const values = series(65536, memory);
  const quantities = Array.from(values, (x) => ({ energy: 3 + 0.1 * x, magnetization: 1 }));
  const found = measuresOf(ising, quantities, { sites: 16, parameters: { temperature: 2 } });
  // The variance of the mean is that of independent values times (1 + memory) / (1 − memory).
  const error = 0.1 * Math.sqrt((1 + memory) / (1 - memory) / values.length);
  expect(found.energy.error! / error).toBeGreaterThan(0.8);
  expect(found.energy.error! / error).toBeLessThan(1.25);
  expect(Math.abs(found.energy.mean - 3)).toBeLessThan(4 * error);
  // N · 0.1² / T², whose relative error is that of a variance, √(2 (1 + memory²) / (1 − memory²) / n).
  const relative = Math.sqrt((2 * (1 + memory ** 2)) / (1 - memory ** 2) / values.length);
  const { mean, error: ofHeat } = found.heatCapacity;
  expect(Math.abs(mean / 0.04 - 1)).toBeLessThan(4 * relative);
  expect(ofHeat! / (0.04 * relative)).toBeGreaterThan(0.7);
  expect(ofHeat! / (0.04 * relative)).toBeLessThan(1.4);
});

it("has no error of a few values", () => {
  const quantities = Array.from({ length: 20 }, () => ({ energy: -2, magnetization: 1 }));
  const { energy, binder } = measuresOf(ising, quantities, { sites: 16, parameters: { temperature: 2 } });
  expect(energy).toEqual({ mean: -2, error: undefined });
  expect(binder.mean).toBeCloseTo(2 / 3, 12);
});
