import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Field, makeField } from "../../../core/field.ts";
import { type Grid, gridBounds, type Triple } from "../../../core/grid.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import { countEdges, enclosedVolume, eulerCharacteristic, surfaceArea } from "../../../core/mesh-measures.ts";
import { expectArraysClose } from "../../../core/testing/compare.ts";
import { isosurface } from "../../../cpu/surfaces/isosurface.ts";
import {
  crowdedGrid,
  cubeGrid,
  sample,
  sphere,
  tangle,
  torus,
} from "../../../cpu/surfaces/testing/fields.ts";
import { randomCase } from "../../../cpu/surfaces/testing/random-fields.ts";
import { describeFacets } from "./describe-facets.ts";
import type { WeldedOptions } from "./mesh.ts";

/** One ulp of f32 at 1. */
const ulp = 2 ** -23;

/** Makes a welded isosurface, in the order of cells. */
export type MakeContour = (
  grid: Grid,
  field: Field,
  isovalue: number,
  options?: WeldedOptions,
) => Promise<TriangleMesh>;

/** The loop's triangles of the same edges; vertices where f32 arithmetic puts them. */
export async function expectAsByLoop(
  contour: MakeContour,
  grid: Grid,
  field: Field,
  isovalue: number,
  options: WeldedOptions = {},
): Promise<TriangleMesh> {
  const expected = await isosurface(grid, field, isovalue, options);
  const got = await contour(grid, field, isovalue, options);
  expect(got.indices).toEqual(expected.indices);
  const reach = Math.max(...gridBounds(grid).map(Math.abs));
  expectArraysClose(got.positions, expected.positions, { absolute: 4 * ulp * reach }, "positions");
  expectArraysClose(got.normals, expected.normals, { absolute: 2e-5 }, "normals");
  if (expected.scalars) {
    const most = Math.max(...expected.scalars.map(Math.abs));
    expectArraysClose(got.scalars ?? [], expected.scalars, { absolute: 4 * ulp * most }, "scalars");
  } else expect(got.scalars).toBeUndefined();
  return got;
}

/** What every implementation's isosurface is: that of the loop, and what is known of it from elsewhere. */
export function describeContour(name: string, contour: MakeContour, randomRuns: number): void {
  describeFacets(name, contour);
  describe(`isosurface: ${name}`, () => {
    it("of the tangle has 160 triangles and 72 vertices on 4³ cells at 0.5", async () => {
      const grid = cubeGrid([5, 5, 5]);
      const mesh = await expectAsByLoop(contour, grid, sample(grid, tangle), 0.5);
      expect([mesh.indices.length / 3, mesh.positions.length / 3]).toEqual([160, 72]);
      expect(eulerCharacteristic(mesh)).toBe(-8);
    });

    it.each([
      ["uniform", cubeGrid([20, 17, 23])],
      ["rectilinear", crowdedGrid([24, 22, 20])],
    ] as const)("is closed on a %s grid and has its Euler characteristic", async (_, grid) => {
      for (const [f, isovalue, expected] of [
        [sphere, 0.8, 2],
        [torus, 0.25, 0],
      ] as const) {
        const mesh = await expectAsByLoop(contour, grid, sample(grid, f), isovalue);
        expect(countEdges(mesh)).toMatchObject({ boundary: 0, irregular: 0 });
        expect(eulerCharacteristic(mesh)).toBe(expected);
      }
    });

    it("converges at second order in area and volume", async () => {
      const r = 0.8;
      const errors = [];
      for (const n of [13, 25]) {
        const grid = cubeGrid([n, n, n]);
        const mesh = await contour(grid, sample(grid, sphere), r);
        errors.push([
          Math.abs(surfaceArea(mesh) / (4 * Math.PI * r ** 2) - 1),
          Math.abs(enclosedVolume(mesh) / ((-4 / 3) * Math.PI * r ** 3) - 1),
        ]);
      }
      for (const measure of [0, 1]) {
        expect(Math.log2(errors[0][measure] / errors[1][measure])).toBeGreaterThan(1.8);
      }
    });

    it.each([
      [2, 20, 11],
      [20, 2, 11],
      [20, 11, 2],
      [2, 2, 2],
      [9, 9, 5],
      [10, 9, 6],
      [200, 3, 3],
    ] as Triple[])("is the loop's on %d × %d × %d points, open at the border", async (...dims) => {
      const grid = cubeGrid(dims);
      const field = sample(grid, (x, y, z) => x + 0.9 * y + 0.8 * z);
      expect(eulerCharacteristic(await expectAsByLoop(contour, grid, field, 0.1))).toBe(1);
    });

    it("is the loop's where values equal the isovalue, on any rectilinear grid", async () => {
      await fc.assert(
        fc.asyncProperty(randomCase(), async ({ grid, field, isovalue }) => {
          const mesh = await contour(grid, field, isovalue);
          const expected = await isosurface(grid, field, isovalue);
          expect(mesh.indices).toEqual(expected.indices);
          expectArraysClose(mesh.positions, expected.positions, { absolute: 1e-5 }, "positions");
          expect(countEdges(mesh)).toMatchObject({ boundary: 0, irregular: 0 });
        }),
        { numRuns: randomRuns },
      );
    });

    it("is the loop's for isovalues that f32 cannot hold, where values are the nearest f32", async () => {
      const grid = cubeGrid([4, 4, 4]);
      for (const isovalue of [0.1, -0.1, 0.3, -0.7]) {
        const field = sample(grid, () => 1);
        (field.data as Float32Array).fill(isovalue, 0, 32);
        await expectAsByLoop(contour, grid, field, isovalue);
      }
    });

    it("is the loop's for integers and a fractional, negative isovalue", async () => {
      const grid: Grid = { kind: "uniform", dims: [7, 8, 9], origin: [3, -5, 0], spacing: [0.5, 2, 1] };
      const data = Int8Array.from({ length: 504 }, (_, i) => ((i * 73) % 57) - 40);
      await expectAsByLoop(contour, grid, makeField(grid, "f", "node", 1, data), -10.5);
    });

    it("leaves out cells with a corner that is not finite", async () => {
      const grid = crowdedGrid([12, 13, 11]);
      const field = sample(grid, sphere);
      for (const [at, value] of [
        [700, Number.NaN],
        [911, Number.POSITIVE_INFINITY],
        [1040, Number.NEGATIVE_INFINITY],
        [400, Number.NaN],
      ]) {
        field.data[at] = value;
      }
      const mesh = await expectAsByLoop(contour, grid, field, 0.7);
      expect(countEdges(mesh).boundary).toBeGreaterThan(0);
      expect([...mesh.normals].every(Number.isFinite)).toBe(true);
    });

    it("contours one component and colours by another", async () => {
      const grid = cubeGrid([12, 10, 9]);
      const [f, g] = [sample(grid, sphere).data, sample(grid, (x, y, z) => 5 * x - y * z).data];
      const data = new Float32Array(2 * f.length);
      for (let i = 0; i < f.length; i++) data.set([Number(g[i]), Number(f[i])], 2 * i);
      const pair = makeField(grid, "pair", "node", 2, data);
      await expectAsByLoop(contour, grid, pair, 0.7, { component: 1, color: pair, colorComponent: 0 });
    });

    it("is empty outside the range, for constants and on flat grids", async () => {
      const grid = cubeGrid([9, 9, 9]);
      const flat = (
        [
          [1, 9, 9],
          [9, 1, 9],
          [9, 9, 1],
        ] as Triple[]
      ).map((dims): Grid => ({ kind: "uniform", dims, origin: [0, 0, 0], spacing: [1, 1, 1] }));
      const ramp = Float32Array.from({ length: 81 }, (_, i) => i);
      for (const [on, field, isovalue] of [
        [grid, sample(grid, sphere), -1],
        [grid, sample(grid, sphere), 99],
        [grid, sample(grid, () => 1), 1],
        [grid, sample(grid, () => Number.NaN), 1],
        ...flat.map((thin) => [thin, makeField(thin, "f", "node", 1, ramp), 40.5] as const),
      ] as const) {
        const mesh = await contour(on, field, isovalue);
        expect([mesh.indices.length, mesh.positions.length]).toEqual([0, 0]);
      }
    });
  });
}
