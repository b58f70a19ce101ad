import { describe, expect, it } from "vitest";
import { neighbor } from "../../core/hypercube/coordinates.ts";
import { ginzburgLandau } from "../../core/lattice/ginzburg-landau/ginzburg-landau.ts";
import { parametersOf } from "../../core/lattice/models.ts";
import { laplacian, squaredSlopes } from "../../core/lattice/testing/stencil.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { createHostSimulation } from "./simulation.ts";

const begin = (lengths: readonly number[], given: Readonly<Record<string, number>> = {}) => {
  const parameters = parametersOf(ginzburgLandau, given, lengths.length);
  const plan = ginzburgLandau.on(lengths, parameters);
  return {
    plan,
    parameters,
    simulation: createHostSimulation(plan, { seed: [4, 0], start: "random", parameters }),
  };
};

/** Real and imaginary parts. */
function partsOf(psi: ArrayLike<number>): [Float64Array, Float64Array] {
  const part = (c: number) => Float64Array.from({ length: psi.length / 2 }, (_, i) => psi[2 * i + c]);
  return [part(0), part(1)];
}

/** The plaquettes around which the phase turns, by the differences of phases. */
function vorticesOf(lengths: readonly number[], [re, im]: readonly Float64Array[]): number {
  const phase = re.map((value, i) => Math.atan2(im[i], value));
  const wrapped = (from: number, to: number) => {
    const turn = phase[to] - phase[from];
    return turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI));
  };
  let count = 0;
  for (let site = 0; site < phase.length; site++) {
    for (let a = 0; a < lengths.length; a++) {
      for (let b = a + 1; b < lengths.length; b++) {
        const beside = neighbor(lengths, site, a, 1)!;
        const across = neighbor(lengths, beside, b, 1)!;
        const above = neighbor(lengths, site, b, 1)!;
        const around = [site, beside, across, above, site];
        const turn = around.slice(1).reduce((sum, to, k) => sum + wrapped(around[k], to), 0);
        count += Math.abs(Math.round(turn / (2 * Math.PI)));
      }
    }
  }
  return count;
}

describe("Ginzburg–Landau on the CPU", () => {
  it.each([
    [[11], {}],
    [[1], {}],
    [[7, 1], { dispersion: 1, shift: 0.5, step: 0.01 }],
    [[8, 9], { dispersion: 1.5, shift: -0.8, step: 0.01 }],
    [[4, 5, 6], { dispersion: -0.5, shift: 0.4, step: 0.01 }],
    [[1, 5, 3], { dispersion: 0.5, shift: 0.4, step: 0.01 }],
    [[5, 3, 2, 7], { dispersion: 0.5, shift: -0.4, step: 0.01 }],
  ])("steps as plain loops in double precision do on %j with %j", async (lengths, given) => {
    const { plan, parameters, simulation } = begin(lengths, { noise: 0.9, ...given });
    const { dispersion: b, shift: c, step } = parameters;
    let [re, im] = partsOf(await simulation.field("psi"));
    for (let n = 0; n < 20; n++) {
      const [spreadRe, spreadIm] = [laplacian(lengths, re), laplacian(lengths, im)];
      const density = re.map((value, i) => value ** 2 + im[i] ** 2);
      const next = (
        own: Float64Array,
        other: Float64Array,
        sign: number,
        [near, far]: readonly Float64Array[],
      ) =>
        own.map(
          (value, i) =>
            value + step * (value - density[i] * (value - sign * c * other[i]) + near[i] - sign * b * far[i]),
        );
      [re, im] = [next(re, im, 1, [spreadRe, spreadIm]), next(im, re, -1, [spreadIm, spreadRe])];
    }
    const sums = await simulation.run(10, parameters);
    const psi = Float64Array.from({ length: 2 * re.length }, (_, i) => [re, im][i % 2][i >> 1]);
    expectArraysClose(await simulation.field("psi"), psi, { absolute: 5e-6 });
    const { density, energy, vortices } = plan.quantitiesOf(sums.at(-1)!);
    const squares = re.map((value, i) => value ** 2 + im[i] ** 2);
    expect(density).toBeCloseTo(squares.reduce((sum, value) => sum + value, 0) / re.length, 5);
    const wells = squares.reduce((sum, value) => sum + (1 - value) ** 2 / 2, 0);
    const slopes = squaredSlopes(lengths, re) + squaredSlopes(lengths, im);
    expect(energy).toBeCloseTo((wells + slopes) / re.length, 5);
    expect(vortices * re.length).toBeCloseTo(vorticesOf(lengths, partsOf(await simulation.field("psi"))), 4);
    if (lengths.filter((length) => length > 2).length > 1) expect(vortices).toBeGreaterThan(0);
  });

  it("relaxes: its energy never rises, and its vortices vanish in pairs", async () => {
    const lengths = [32, 32];
    const { plan, parameters, simulation } = begin(lengths);
    const series = (await simulation.run(400, parameters)).map(plan.quantitiesOf);
    for (const [k, { energy, vortices }] of series.entries()) {
      expect(Math.round(vortices * 1024) % 2).toBe(0);
      if (k > 0) expect(energy).toBeLessThan(series[k - 1].energy + 1e-7);
    }
    expect(series.at(-1)!.vortices).toBeLessThan(0.3 * series[20].vortices);
    const density = await simulation.field("density");
    const phase = await simulation.field("phase");
    const [re, im] = partsOf(await simulation.field("psi"));
    for (const k of [0, 500, 1023]) {
      expect(density[k]).toBeCloseTo(re[k] ** 2 + im[k] ** 2, 6);
      expect(phase[k]).toBeCloseTo(Math.atan2(im[k], re[k]), 6);
    }
  });

  it("refuses steps that are unstable", () => {
    const { plan, parameters } = begin([8, 8]);
    expect(() => plan.constantsOf({ ...parameters, dispersion: 2 })).toThrow(
      "Steps of 0.05 are unstable with dispersion 2 and shift 0 along 2 axes. Give a step of at most 0.04.",
    );
  });
});
