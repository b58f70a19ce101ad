/** Critical temperatures, where Binder's cumulants of two sizes cross. */
import { describe, expect, it } from "vitest";
import { type CurvePoint, crossingOf } from "../core/lattice/testing/crossing.ts";
import { criticalTemperature } from "../core/lattice/testing/torus.ts";
import { isSweep } from "../gpu/testing/sweep.ts";
import { lattice } from "./crinkle.ts";

const around = (middle: number, step: number) => [-2, -1, 0, 1, 2].map((k) => middle + k * step);

/** Cumulants of each size. */
async function cumulants(
  model: string,
  sizes: readonly (readonly number[])[],
  values: readonly number[],
  sweeps: number,
): Promise<readonly CurvePoint[][]> {
  const { points } = await lattice.vary(model, {
    sizes,
    parameter: "temperature",
    values,
    sweeps,
    seed: 31,
    device: "cpu",
  });
  return sizes.map((_, k) =>
    points.slice(k * values.length, (k + 1) * values.length).map(({ value, measures: { binder } }) => ({
      value,
      mean: binder.mean,
      error: binder.error!,
    })),
  );
}

describe("Binder's cumulants", () => {
  it("are larger on the larger lattice below the critical temperature, and smaller above it", async () => {
    const [small, large] = await cumulants(
      "ising",
      [
        [4, 4],
        [8, 8],
      ],
      [1.9, 3],
      1200,
    );
    for (const [k, sign] of [1, -1].entries()) {
      const rise = sign * (large[k].mean - small[k].mean);
      expect(rise / Math.hypot(large[k].error, small[k].error)).toBeGreaterThan(3);
    }
  });

  it.runIf(isSweep).for([
    // Onsager, Phys. Rev. 65, 117, 1944.
    ["ising", [16, 32], 2, around(2.27, 0.01), 400_000, criticalTemperature],
    // Ferrenberg, Xu and Landau, Phys. Rev. E 97, 043301, 2018.
    ["ising-swendsen-wang", [8, 12, 16], 3, around(4.5115, 0.02), 6000, 1 / 0.221654626],
    ["potts-swendsen-wang", [8, 16], 2, around(0.995, 0.012), 3000, 1 / Math.log(1 + Math.sqrt(3))],
  ] as const)(
    "of %s with sides of %j in %d dimensions cross at the critical temperature",
    { timeout: 2_400_000 },
    async ([model, sides, axes, values, sweeps, critical], { annotate }) => {
      const curves = await cumulants(
        model,
        sides.map((side) => new Array<number>(axes).fill(side)),
        values,
        sweeps,
      );
      for (const [k, small] of curves.slice(0, -1).entries()) {
        const { value, error, misfit } = crossingOf(small, curves.at(-1)!);
        await annotate(
          `${sides[k]} and ${sides.at(-1)}: ${value} ± ${error}, misfit ${misfit}, known ${critical}`,
        );
        expect(misfit).toBeLessThan(3);
        expect(error).toBeLessThan(0.005 * critical);
        expect(Math.abs(value - critical) / error).toBeLessThan(3);
      }
      for (const [k, side] of sides.entries())
        await annotate(
          `${side}: ${curves[k].map(({ value, mean, error }) => `${value} ${mean} ± ${error}`).join("; ")}`,
        );
    },
  );
});
