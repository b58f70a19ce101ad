import { describe, expect, it } from "vitest";
import { deviation } from "../core/lattice/testing/deviation.ts";
import { lattice } from "./crinkle.ts";

const cpu = { device: "cpu" } as const;

describe("lattice.simulate", () => {
  it("repeats exactly, whether or not it is watched, and differs by seed", async () => {
    const options = { size: [8, 4, 2], sweeps: 40, start: "random", ...cpu } as const;
    const first = await lattice.simulate("ising", options);
    const done: number[] = [];
    const again = await lattice.simulate("ising", { ...options, onProgress: (sweeps) => done.push(sweeps) });
    const other = await lattice.simulate("ising", { ...options, seed: 2 ** 32 + 1 });
    expect([again.fields, again.series]).toEqual([first.fields, first.series]);
    expect(other.series.energy).not.toEqual(first.series.energy);
    expect(done.at(-1)).toBe(40);
    expect(first.series.energy).toHaveLength(40);
    expect(new Set(first.fields.spin.values as Int8Array)).toEqual(new Set([1, -1]));
    expect(first.report).toMatchObject({ device: "cpu", description: "CPU" });
  });

  it("takes structure factors on the way, which are 1 of spins that do not see each other", async () => {
    const options = { size: [16, 16], sweeps: 330, parameters: { temperature: 1000 }, discard: 10, ...cpu };
    const { structure, series } = await lattice.simulate("ising-heat-bath", {
      ...options,
      structureEvery: 5,
    });
    expect((await lattice.simulate("ising-heat-bath", options)).series).toEqual(series);
    const { wavenumbers, values, domainSize, sweeps, domainSizes } = structure!;
    expect(wavenumbers).toHaveLength(8);
    expect(wavenumbers[7]).toBeCloseTo(Math.PI, 12);
    for (const value of values) expect(deviation(value, 1)).toBeLessThan(4);
    expect(sweeps).toHaveLength(66);
    expect([sweeps[0], sweeps[65]]).toEqual([5, 330]);
    expect(
      deviation(
        domainSize,
        domainSizes.slice(2).reduce((sum, size) => sum + size / 64, 0),
      ),
    ).toBeLessThan(1);
  });

  it("lists its models with parameters and measures", () => {
    const [ising] = lattice.models;
    expect(ising.name).toBe("ising");
    expect(ising.parameters.temperature.default).toBe(2.269);
    expect(Object.keys(ising.measures)).toContain("binder");
  });

  it.each([
    ["isnig", {}, "There is no model “isnig”. Did you mean ising?"],
    ["ising", { size: [5, 4] }, "The lattice [4,5] has an odd length along axis 0"],
    ["ising", { size: 16 }, "The option size is 16. Give an array of lengths."],
    ["ising", { sweeps: 0 }, "The option sweeps is 0. Give a whole number from 1 to 4294967295."],
    ["ising", { seed: -1 }, "The option seed is -1."],
    ["ising", { structureEvery: 11 }, "The option structureEvery is 11. Give a whole number from 1 to 10."],
    ["ising", { discard: 10 }, "The option discard is 10. Give a whole number from 0 to 9."],
    ["ising", { start: "hot" }, "There is no start “hot”. There is ordered, random."],
    [
      "potts",
      { parameters: { states: 2.5 } },
      "The parameter states is 2.5. It is a whole number from 2 to 12.",
    ],
    [
      "ising",
      { parameters: { temperature: -1 } },
      "The parameter temperature is -1. It is a number from 0.01 to 1000.",
    ],
    ["ising", { parameters: { temperatur: 2 } }, "Did you mean temperature?"],
    ["ising", { sweep: 3 }, "The options of lattice.simulate has no “sweep”. Did you mean “sweeps”?"],
  ])("refuses %s with %j", async (name, options, message) => {
    const given = { size: [4, 4], sweeps: 10, ...cpu, ...options };
    await expect(lattice.simulate(name, given as never)).rejects.toThrow(message);
  });

  it("ends where it is cancelled", async () => {
    const controller = new AbortController();
    const run = lattice.simulate("ising", {
      size: [64, 64],
      sweeps: 10_000_000,
      ...cpu,
      signal: controller.signal,
      onProgress: () => controller.abort(),
    });
    await expect(run).rejects.toThrow("The simulation was cancelled.");
  });
});

describe("lattice.vary", () => {
  it("measures each value on each size, as single runs with the seeds that follow", async () => {
    const options = { sweeps: 200, seed: 5, start: "random", ...cpu };
    const fractions: number[] = [];
    const seen: number[] = [];
    const { points, parameter, report } = await lattice.vary("ising", {
      ...options,
      sizes: [
        [4, 4],
        [8, 4],
      ],
      parameter: "temperature",
      values: [2, 3],
      onPoint: ({ value }) => seen.push(value),
      onProgress: (fraction) => fractions.push(fraction),
    });
    expect(points.map(({ size, value }) => [size, value])).toEqual([
      [[4, 4], 2],
      [[4, 4], 3],
      [[8, 4], 2],
      [[8, 4], 3],
    ]);
    expect([parameter, report.device, seen]).toEqual(["temperature", "cpu", [2, 3, 2, 3]]);
    expect(fractions.at(-1)).toBe(1);
    const { measures } = await lattice.simulate("ising", {
      ...options,
      size: [8, 4],
      seed: 8,
      parameters: { temperature: 3 },
    });
    expect(points[3].measures).toEqual(measures);
  });

  it.each([
    [{ sizes: [] }, "The option sizes is"],
    [{ values: ["hot"] }, "The option values is"],
    [{ parameter: "heat" }, "There is no parameter of ising “heat”."],
    [{ values: [2, -1] }, "The parameter temperature is -1."],
    [{ sizes: [[4, 4], [3]] }, "The lattice [3] has an odd length along axis 0"],
  ])("refuses %j before the first run", async (change, message) => {
    const options = { sizes: [[4, 4]], parameter: "temperature", values: [2], sweeps: 10, ...cpu, ...change };
    const onPoint = () => expect.unreachable();
    await expect(lattice.vary("ising", { ...options, onPoint } as never)).rejects.toThrow(message);
  });
});
