import { describe, expect, it } from "vitest";
import { canonical, levels4x4, pottsLevels } from "../core/lattice/testing/enumeration.ts";
import { isSweep } from "../gpu/testing/sweep.ts";
import { lattice } from "./crinkle.ts";

const cpu = { device: "cpu" } as const;
const levels = levels4x4();

/** The difference of a measure from its exact value, in standard errors. */
const off = ({ mean, error }: { readonly mean: number; readonly error: number | undefined }, exact: number) =>
  Math.abs(mean - exact) / error!;

/** Onsager's energy a site and Yang's magnetization of the infinite square lattice. */
function infinite(temperature: number) {
  const k = 2 / temperature;
  const modulus = (2 * Math.sinh(k)) / Math.cosh(k) ** 2;
  // The complete elliptic integral of the first kind, by the arithmetic-geometric mean.
  let [a, b] = [1, Math.sqrt(1 - modulus ** 2)];
  for (let i = 0; i < 40; i++) [a, b] = [(a + b) / 2, Math.sqrt(a * b)];
  const integral = Math.PI / (2 * a);
  return {
    energy: -(1 / Math.tanh(k)) * (1 + (2 / Math.PI) * (2 * Math.tanh(k) ** 2 - 1) * integral),
    magnetization: Math.sinh(k) > 1 ? (1 - Math.sinh(k) ** -4) ** (1 / 8) : 0,
  };
}

describe("lattice.simulate", () => {
  it.each([
    ["ising", [4, 4], {}, () => levels, [2.5, 1.5, 2, 3, 5]],
    ["ising-heat-bath", [4, 4], {}, () => levels, [2.5, 1.5, 2, 3, 5]],
    ["potts", [4, 2], { states: 3 }, () => pottsLevels([4, 2], 3), [1.1, 0.7, 1.5, 3]],
    ["ising-swendsen-wang", [4, 4], {}, () => levels, [2.5, 1.5, 2, 3, 5]],
    ["potts-swendsen-wang", [3, 2], { states: 3 }, () => pottsLevels([3, 2], 3), [1.1, 0.7, 3]],
  ] as const)(
    "agrees with the enumeration of all states: %s on %j",
    { timeout: 120_000 },
    async (name, size, fixed, levelsOf, temperatures) => {
      const all = levelsOf();
      const sites = size[0] * size[1];
      for (const temperature of isSweep ? temperatures : temperatures.slice(0, 1)) {
        const { measures } = await lattice.simulate(name, {
          size,
          sweeps: name.endsWith("wang") ? (isSweep ? 3000 : 600) : isSweep ? 200_000 : 6000,
          parameters: { temperature, ...fixed },
          seed: 11,
          discard: 100,
          ...cpu,
        });
        const levelsNow = canonical(all, temperature);
        const mean = (of: (energy: number, m: number) => number) =>
          levelsNow.reduce(
            (sum, { energy, magnetization, p }) => sum + p * of(energy / sites, magnetization / sites),
            0,
          );
        const [e, m] = [mean((energy) => energy), mean((_, size) => size)];
        expect(off(measures.energy, e)).toBeLessThan(3);
        expect(off(measures.magnetization, m)).toBeLessThan(3);
        const heat = (sites * (mean((energy) => energy ** 2) - e ** 2)) / temperature ** 2;
        expect(off(measures.heatCapacity, heat)).toBeLessThan(3.5);
        const m2 = mean((_, size) => size ** 2);
        expect(off(measures.susceptibility, (sites * (m2 - m ** 2)) / temperature)).toBeLessThan(3.5);
        const binder = 1 - mean((_, size) => size ** 4) / (3 * m2 ** 2);
        expect(off(measures.binder, binder)).toBeLessThan(3.5);
        if (isSweep && !name.endsWith("wang")) expect(measures.energy.error).toBeLessThan(0.003);
      }
    },
  );

  it.runIf(isSweep)(
    "has the Potts model's energy at its critical temperature",
    { timeout: 120_000 },
    async () => {
      for (const states of [2, 3]) {
        const { measures } = await lattice.simulate("potts", {
          size: [64, 64],
          sweeps: 8000,
          parameters: { states, temperature: 1 / Math.log(1 + Math.sqrt(states)) },
          ...cpu,
        });
        // −(1 + 1/√q) of the infinite lattice, by self-duality; of 64² sites it is lower by a few hundredths.
        const below = -(1 + 1 / Math.sqrt(states)) - measures.energy.mean;
        expect(below).toBeGreaterThan(-3 * measures.energy.error!);
        expect(below).toBeLessThan(0.03);
      }
    },
  );

  it.runIf(isSweep)(
    "visits states as often as detailed balance asks, by χ²",
    { timeout: 60_000 },
    async () => {
      const temperature = 4;
      const spacing = 20;
      const { series } = await lattice.simulate("ising", {
        size: [4, 4],
        sweeps: 400_000,
        parameters: { temperature },
        seed: 5,
        ...cpu,
      });
      const seen = new Map<string, number>();
      const samples = Math.floor(series.energy.length / spacing);
      for (let k = 0; k < samples; k++) {
        const at = spacing * k + spacing - 1;
        const key = `${Math.round(16 * series.energy[at])} ${Math.round(16 * Math.abs(series.magnetization[at]))}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      const common = canonical(levels, temperature).filter(({ p }) => p * samples >= 10);
      const squares = common.reduce((sum, { energy, magnetization, p }) => {
        const expected = p * samples;
        return sum + ((seen.get(`${energy} ${magnetization}`) ?? 0) - expected) ** 2 / expected;
      }, 0);
      // χ² of n levels has the mean n and the variance 2n.
      expect(common.length).toBeGreaterThan(20);
      expect(Math.abs(squares - common.length) / Math.sqrt(2 * common.length)).toBeLessThan(3);
    },
  );

  it.runIf(isSweep)(
    "has Binder cumulants that cross near the critical temperature in 3-D",
    { timeout: 240_000 },
    async () => {
      const binder = async (side: number, temperature: number) => {
        const { measures } = await lattice.simulate("ising", {
          size: [side, side, side],
          sweeps: 40_000,
          parameters: { temperature },
          ...cpu,
        });
        return { ...measures.binder, error: measures.binder.error! };
      };
      // T_c = 4.5115: below it the larger lattice has the larger cumulant, above it the smaller one.
      for (const [temperature, sign] of [
        [4.46, 1],
        [4.56, -1],
      ]) {
        const [small, large] = [await binder(6, temperature), await binder(14, temperature)];
        const difference = sign * (large.mean - small.mean);
        expect(difference / Math.hypot(small.error, large.error)).toBeGreaterThan(3);
      }
    },
  );

  it("agrees with Onsager and Yang far from the critical point", { timeout: 120_000 }, async () => {
    for (const temperature of isSweep ? [1.8, 2, 2.1, 2.6, 3] : [2]) {
      const { measures } = await lattice.simulate("ising", {
        size: isSweep ? [256, 256] : [64, 64],
        sweeps: isSweep ? 6000 : 1500,
        parameters: { temperature },
        start: temperature < 2.269 ? "ordered" : "random",
        seed: 3,
        ...cpu,
      });
      const exact = infinite(temperature);
      expect(off(measures.energy, exact.energy)).toBeLessThan(3);
      if (temperature < 2.269) expect(off(measures.magnetization, exact.magnetization)).toBeLessThan(3);
      else expect(measures.magnetization.mean).toBeLessThan(0.1);
    }
  });

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
    for (const value of values) expect(off(value, 1)).toBeLessThan(4);
    expect(sweeps).toHaveLength(66);
    expect([sweeps[0], sweeps[65]]).toEqual([5, 330]);
    expect(
      off(
        domainSize,
        domainSizes.slice(2).reduce((sum, size) => sum + size / 64, 0),
      ),
    ).toBeLessThan(1);
  });

  it.runIf(isSweep)("grows domains of a mixture as t^(1/3)", { timeout: 600_000 }, async () => {
    const [step, early, late] = [0.04, 5000, 40_000];
    const sizes = await Promise.all(
      [1, 2, 3].map(async (seed) => {
        const { structure } = await lattice.simulate("cahn-hilliard", {
          size: [192, 192],
          sweeps: late,
          parameters: { step },
          seed,
          structureEvery: early,
          ...cpu,
        });
        return [structure!.domainSizes[0], structure!.domainSizes.at(-1)!];
      }),
    );
    const exponents = sizes.map(([small, large]) => Math.log(large / small) / Math.log(late / early));
    const mean = exponents.reduce((sum, exponent) => sum + exponent / exponents.length, 0);
    expect(Math.abs(mean - 1 / 3)).toBeLessThan(0.05);
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
