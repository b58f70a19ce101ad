import { describe, expect, it } from "vitest";
import type { LatticeModelSummary, LatticeVariation } from "../../engine/api.ts";
import { curvesOf, readVariation, variationFor } from "./variation-form.ts";

const ising: LatticeModelSummary = {
  name: "ising",
  title: "Ising model",
  summary: "Spins.",
  parameters: [
    {
      name: "temperature",
      label: "Temperature",
      meaning: "T",
      unit: "J / k",
      default: 2.4,
      min: 0.01,
      max: 1000,
      isFixed: false,
    },
  ],
  starts: ["ordered"],
  fields: { spin: { label: "Spin", meaning: "1 or −1" } },
  quantities: {},
  measures: { energy: { label: "Energy", meaning: "energy a site", unit: "J per site" } },
};
const form = variationFor(ising, 2)!;

describe("readVariation", () => {
  it("runs evenly spaced values on each size", () => {
    expect(form).toMatchObject({ parameter: "temperature", from: "1.8", to: "3", sizes: "16 × 16, 32 × 32" });
    const reading = readVariation(ising, { ...form, count: "5" }, { temperature: 2 });
    expect(reading).toMatchObject({
      variation: {
        values: [1.8, 2.1, 2.4, 2.7, 3],
        sizes: [
          [16, 16],
          [32, 32],
        ],
        sweeps: 2000,
      },
    });
  });

  it.each([
    [{ from: "cold" }, "The first and the last value are numbers."],
    [{ sizes: "16 × , 32" }, "Write sizes as lengths, separated by commas, such as 16 × 16, 32 × 32."],
    [{ count: "1" }, "Give at least 2 values, and at most 400 runs of all sizes together."],
    [{ count: "300" }, "Give at least 2 values, and at most 400 runs of all sizes together."],
    [{ sweeps: "0" }, "The sweeps of a run are a whole number from 1 to 1,000,000."],
  ])("refuses %j", (change, problem) => {
    expect(readVariation(ising, { ...form, ...change }, {})).toEqual({ problem });
  });
});

it("draws a line for each size, and marks the exact critical point where it lies between the values", () => {
  const variation: LatticeVariation = {
    model: "ising",
    sizes: [
      [4, 4],
      [8, 8],
    ],
    parameter: "temperature",
    values: [2, 3],
    parameters: {},
    sweeps: 10,
    seed: 1,
  };
  const points = variation.sizes.flatMap((size) =>
    variation.values.map((value) => ({
      size,
      value,
      measures: { energy: { mean: -value, error: undefined } },
    })),
  );
  const { title, xName, yName, lines, mark } = curvesOf(ising, points, "energy", variation);
  expect([title, xName, yName]).toEqual(["Energy", "Temperature (J / k)", "Energy (J per site)"]);
  expect(lines.map(({ name, x, y }) => [name, x, y])).toEqual([
    ["4 × 4", [2, 3], [-2, -3]],
    ["8 × 8", [2, 3], [-2, -3]],
  ]);
  expect(lines[0].errors).toEqual([Number.NaN, Number.NaN]);
  expect(mark!.x).toBeCloseTo(2.269185, 6);
  expect(curvesOf(ising, points.slice(1, 2), "energy", variation).mark).toBeUndefined();
});
