import { describe, expect, it } from "vitest";
import type { LatticeModelSummary } from "../../engine/api.ts";
import { formFor, parseSize, readForm, sliderRange, withSize } from "./lattice-form.ts";

const temperature = {
  name: "temperature",
  label: "Temperature",
  meaning: "T",
  default: 2.269,
  defaultByAxes: [0.5, 2.269, 4.5],
  min: 0.01,
  max: 1000,
  isFixed: false,
};
const states = {
  name: "states",
  label: "Number of states q",
  meaning: "q",
  default: 3,
  min: 2,
  max: 12,
  isFixed: true,
};
const potts: LatticeModelSummary = {
  name: "potts",
  title: "Potts model",
  summary: "Sites in one of q states.",
  parameters: [temperature, states],
  starts: ["ordered", "random"],
  fields: { state: { label: "State", meaning: "the state" } },
  quantities: {},
  measures: { energy: { label: "Energy", meaning: "energy a site" } },
};

describe("parseSize", () => {
  it.each([
    ["256 × 256", [256, 256]],
    ["64x32X16", [64, 32, 16]],
    [" 8, 4 ", [8, 4]],
    ["12", [12]],
    ["12 x", undefined],
    ["0x4", undefined],
    ["4.5x4", undefined],
    ["", undefined],
  ])("reads %j", (text, lengths) => {
    expect(parseSize(text)).toEqual(lengths);
  });
});

describe("readForm", () => {
  const form = formFor(potts);
  it("asks for what the form says, which begins with the model's usual values", () => {
    expect(readForm(potts, { ...form, seed: "7" })).toEqual({
      request: {
        kind: "lattice",
        model: "potts",
        size: [256, 256],
        seed: 7,
        start: "ordered",
        parameters: { temperature: 2.269, states: 3 },
      },
    });
    expect(formFor(potts, { ...form, size: "8 × 8" })).toMatchObject({
      size: "8 × 8",
      start: "ordered",
    });
  });

  it.each([
    [{ size: "big" }, "Write the size as lengths, such as 256 × 256."],
    [{ size: "1 1 1 1 1 1 1 1 1 1 1" }, "A lattice has at most 10 axes."],
    [{ size: "65536 × 65536" }, "A lattice in the page has at most 2²⁸ sites."],
    [{ seed: "1.5" }, "The seed is a whole number from 0 on."],
    [{ parameters: { temperature: "hot", states: "3" } }, "Temperature: give a number from 0.01 to 1000."],
    [
      { parameters: { temperature: "2", states: "3.5" } },
      "Number of states q: give a whole number from 2 to 12.",
    ],
  ])("refuses %j", (change, problem) => {
    expect(readForm(potts, { ...form, ...change })).toEqual({ problem });
  });
});

describe("withSize", () => {
  it("has what is usual on the new axes, and keeps what a person wrote", () => {
    const form = formFor(potts);
    const cube = withSize(potts, form, "64 × 64 × 64");
    expect(cube).toMatchObject({ size: "64 × 64 × 64", parameters: { temperature: "4.5", states: "3" } });
    expect(withSize(potts, cube, "64 × 64").parameters.temperature).toBe("2.269");
    const own = { ...cube, parameters: { ...cube.parameters, temperature: "3" } };
    expect(withSize(potts, own, "64").parameters.temperature).toBe("3");
  });

  it("waits for a size that can be read", () => {
    const half = withSize(potts, formFor(potts), "64 × 64 ×");
    expect(half).toMatchObject({ size: "64 × 64 ×", parameters: { temperature: "2.269" } });
    expect(withSize(potts, half, "64 × 64 × 8").parameters.temperature).toBe("4.5");
    expect(formFor(potts, half).parameters.temperature).toBe("2.269");
  });
});

it("has sliders around usual values that reach the present one", () => {
  expect(sliderRange(temperature, 2, 2)).toEqual({ min: 0.01, max: 2.269 + 3 * 2.269 });
  expect(sliderRange(temperature, 2, 50).max).toBe(50);
  expect(sliderRange(temperature, 3, 5)).toEqual({ min: 0.01, max: 18 });
  expect(sliderRange({ min: -10, max: 10, default: 0 }, 2, 1)).toEqual({ min: -5, max: 5 });
});
