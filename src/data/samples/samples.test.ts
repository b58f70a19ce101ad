import { describe, expect, test } from "vitest";
import { isCancelled } from "../../core/errors.ts";
import { noJob } from "../../core/job.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { hydrogenOrbital } from "./hydrogen.ts";
import { hydrogenWaveFunction, orbitalExtent } from "./orbital.ts";
import { tangle } from "./tangle.ts";

describe("tangle", () => {
  test("is the formula on [−3, 3]³, x fastest", async () => {
    const { grid, fields } = await tangle(5, noJob);
    expect(grid).toEqual({
      kind: "uniform",
      dims: [5, 5, 5],
      origin: [-3, -3, -3],
      spacing: [1.5, 1.5, 1.5],
    });
    const expected = Array.from({ length: 125 }, (_, at) => {
      const [x, y, z] = [at % 5, Math.floor(at / 5) % 5, Math.floor(at / 25)].map((i) => -3 + 1.5 * i);
      return (x ** 4 - 5 * x ** 2 + y ** 4 - 5 * y ** 2 + z ** 4 - 5 * z ** 2 + 11.8) * 0.2 + 0.5;
    });
    expectArraysClose(fields[0].data as Float32Array, expected, { relative: 1e-6, absolute: 1e-6 });
  });

  // VTK 9.1 gives 160 triangles and 72 points for isovalue 0.5 of these values, with vtkFlyingEdges3D,
  // vtkMarchingCubes and vtkContourFilter alike; 72 is the number of grid edges that the surface crosses.
  test("crosses 72 edges of 4³ cells at 0.5", async () => {
    const { data } = (await tangle(5, noJob)).fields[0];
    let crossed = 0;
    for (let at = 0; at < 125; at++) {
      const inside = data[at] > 0.5;
      if (at % 5 < 4 && inside !== data[at + 1] > 0.5) crossed++;
      if (Math.floor(at / 5) % 5 < 4 && inside !== data[at + 5] > 0.5) crossed++;
      if (at < 100 && inside !== data[at + 25] > 0.5) crossed++;
    }
    expect(crossed).toBe(72);
  });

  test.each([1, 2.5, 4096, Number.NaN])("not with %f points", async (points) => {
    await expect(tangle(points, noJob)).rejects.toMatchObject({ tag: "BadArgument" });
  });

  test("can be cancelled, and reports progress", async () => {
    const controller = new AbortController();
    const fractions: number[] = [];
    const job = {
      signal: controller.signal,
      progress(fraction: number) {
        fractions.push(fraction);
        controller.abort();
      },
    };
    const error = await hydrogenOrbital(128, job).catch((reason: unknown) => reason);
    expect(isCancelled(error)).toBe(true);
    expect(fractions).toHaveLength(1);
    expect(fractions[0]).toBeGreaterThan(0);
    expect(fractions[0]).toBeLessThan(1);
  });
});

describe("hydrogen orbitals", () => {
  const shells = [
    { n: 1, l: 0, m: 0 },
    { n: 2, l: 0, m: 0 },
    { n: 2, l: 1, m: -1 },
    { n: 3, l: 2, m: 0 },
    { n: 3, l: 2, m: 2 },
    { n: 4, l: 2, m: 0 },
    { n: 4, l: 3, m: -2 },
    { n: 5, l: 1, m: 1 },
  ];

  test("closed forms", () => {
    const r = Math.hypot(0.3, -0.7, 1.1);
    expect(hydrogenWaveFunction({ n: 1, l: 0, m: 0 })(0.3, -0.7, 1.1)).toBeCloseTo(
      Math.exp(-r) / Math.sqrt(Math.PI),
      14,
    );
    const pz = (1.1 * Math.exp(-r / 2)) / (4 * Math.sqrt(2 * Math.PI));
    expect(hydrogenWaveFunction({ n: 2, l: 1, m: 0 })(0.3, -0.7, 1.1)).toBeCloseTo(pz, 14);
    const dz2 = ((3 * 1.1 ** 2 - r * r) * Math.exp(-r / 3)) / (81 * Math.sqrt(6 * Math.PI));
    expect(hydrogenWaveFunction({ n: 3, l: 2, m: 0 })(0.3, -0.7, 1.1)).toBeCloseTo(dz2, 14);
  });

  test.each(shells)("%j solves Schrödinger's equation with E = −1/(2n²)", (numbers) => {
    const wave = hydrogenWaveFunction(numbers);
    const h = 1e-3;
    for (const [x, y, z] of [
      [0.9, 0.4, -0.6],
      [-2.5, 3.1, 1.7],
      [4.2, -1.3, 6.6],
    ]) {
      const center = wave(x, y, z);
      const neighbours =
        wave(x + h, y, z) +
        wave(x - h, y, z) +
        wave(x, y + h, z) +
        wave(x, y - h, z) +
        wave(x, y, z + h) +
        wave(x, y, z - h);
      const energy = -0.5 * ((neighbours - 6 * center) / h ** 2) - center / Math.hypot(x, y, z);
      expect(Math.abs(energy + center / (2 * numbers.n ** 2))).toBeLessThan(1e-7);
    }
  });

  test.each(shells.filter(({ n }) => n > 1))("%j has probability 1 in its box", async (numbers) => {
    const { grid, fields } = await hydrogenOrbital(64, noJob, numbers);
    if (grid.kind !== "uniform") throw new Error("a uniform grid is expected");
    expect(grid.origin[0]).toBe(-orbitalExtent(numbers.n));
    const density = fields.find(({ name }) => name === "density")?.data as Float32Array;
    const total = density.reduce((sum, value) => sum + value, 0) * grid.spacing[0] ** 3;
    expect(Math.abs(total - 1)).toBeLessThan(0.02);
    const psi = fields.find(({ name }) => name === "psi")?.data as Float32Array;
    expectArraysClose(
      density,
      psi.map((value) => value * value),
      { relative: 1e-6, absolute: 1e-30 },
    );
  });

  test("other numbers are refused", async () => {
    for (const numbers of [
      { n: 0, l: 0, m: 0 },
      { n: 2, l: 2, m: 0 },
      { n: 3, l: 1, m: 2 },
      { n: 1.5, l: 0, m: 0 },
    ]) {
      await expect(hydrogenOrbital(8, noJob, numbers)).rejects.toMatchObject({ tag: "BadArgument" });
    }
  });
});
