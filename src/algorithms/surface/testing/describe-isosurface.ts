import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type Field, makeField } from "../../../core/field.ts";
import { type Grid, gridBounds, type Triple } from "../../../core/grid.ts";
import type { Primitives } from "../../../core/primitives/primitives.ts";
import { expectArraysClose } from "../../../core/testing/compare.ts";
import { isosurface } from "../../isosurface/isosurface.ts";
import {
  countEdges,
  enclosedVolume,
  eulerCharacteristic,
  facetNormal,
  surfaceArea,
} from "../../isosurface/measures.ts";
import { crowdedGrid, cubeGrid, sample, sphere, tangle, torus } from "../../isosurface/testing/fields.ts";
import { randomCase } from "../../isosurface/testing/random-fields.ts";
import { composedIsosurface } from "../isosurface.ts";
import { surfaceGrid } from "../surface-grid.ts";
import { componentOf, composedMesh, meshOf, type WeldedOptions, wordsOf } from "./mesh.ts";

/** One ulp of f32 at 1. */
const ulp = 2 ** -23;

/** What the composed isosurface is, on any primitives: that of the loop, and what only it offers. */
export function describeIsosurface(name: string, make: () => Promise<Primitives>, randomRuns: number): void {
  describe(`composed isosurface: ${name}`, () => {
    let p: Primitives;
    beforeAll(async () => {
      p = await make();
    });

    /** The same triangles of the same edges; vertices where f32 arithmetic puts them. */
    async function expectAsByLoop(grid: Grid, field: Field, isovalue: number, options: WeldedOptions = {}) {
      const due = await isosurface(grid, field, isovalue, options);
      const got = await composedMesh(p, grid, field, isovalue, options);
      expect(got.indices).toEqual(due.indices);
      const reach = Math.max(...gridBounds(grid).map(Math.abs));
      expectArraysClose(got.positions, due.positions, { absolute: 4 * ulp * reach }, "positions");
      expectArraysClose(got.normals, due.normals, { absolute: 2e-5 }, "normals");
      if (due.scalars) {
        const most = Math.max(...due.scalars.map(Math.abs));
        expectArraysClose(got.scalars ?? [], due.scalars, { absolute: 4 * ulp * most }, "scalars");
      }
      return got;
    }

    it("of the tangle has 160 triangles and 72 vertices on 4³ cells at 0.5", async () => {
      const grid = cubeGrid([5, 5, 5]);
      const mesh = await expectAsByLoop(grid, sample(grid, tangle), 0.5);
      expect([mesh.indices.length / 3, mesh.positions.length / 3]).toEqual([160, 72]);
      expect(eulerCharacteristic(mesh)).toBe(-8);
    });

    it.each([
      ["uniform", cubeGrid([20, 17, 23])],
      ["rectilinear", crowdedGrid([24, 22, 20])],
    ] as const)("is closed on a %s grid and has its Euler characteristic", async (_, grid) => {
      for (const [f, isovalue, due] of [
        [sphere, 0.8, 2],
        [torus, 0.25, 0],
      ] as const) {
        const mesh = await expectAsByLoop(grid, sample(grid, f), isovalue);
        expect(countEdges(mesh)).toMatchObject({ boundary: 0, irregular: 0 });
        expect(eulerCharacteristic(mesh)).toBe(due);
      }
    });

    it("converges at second order in area and volume", async () => {
      const r = 0.8;
      const errors = [];
      for (const n of [13, 25]) {
        const grid = cubeGrid([n, n, n]);
        const mesh = await composedMesh(p, grid, sample(grid, sphere), r);
        errors.push([
          Math.abs(surfaceArea(mesh) / (4 * Math.PI * r ** 2) - 1),
          Math.abs(enclosedVolume(mesh) / ((4 / 3) * Math.PI * r ** 3) - 1),
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
    ] as Triple[])("is the loop's on %d × %d × %d points, open at the border", async (...dims) => {
      const grid = cubeGrid(dims);
      const field = sample(grid, (x, y, z) => x + 0.9 * y + 0.8 * z);
      expect(eulerCharacteristic(await expectAsByLoop(grid, field, 0.1))).toBe(1);
    });

    it("is the loop's where values equal the isovalue, on any rectilinear grid", async () => {
      await fc.assert(
        fc.asyncProperty(randomCase(), async ({ grid, field, isovalue }) => {
          const mesh = await composedMesh(p, grid, field, isovalue);
          const due = await isosurface(grid, field, isovalue);
          expect(mesh.indices).toEqual(due.indices);
          expectArraysClose(mesh.positions, due.positions, { absolute: 1e-5 }, "positions");
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
        await expectAsByLoop(grid, field, isovalue);
      }
    });

    it("is the loop's for integers and a fractional, negative isovalue", async () => {
      const grid: Grid = { kind: "uniform", dims: [7, 8, 9], origin: [3, -5, 0], spacing: [0.5, 2, 1] };
      const data = Int8Array.from({ length: 504 }, (_, i) => ((i * 73) % 57) - 40);
      await expectAsByLoop(grid, makeField(grid, "f", "node", 1, data), -10.5);
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
      const mesh = await expectAsByLoop(grid, field, 0.7);
      expect(countEdges(mesh).boundary).toBeGreaterThan(0);
      expect([...mesh.normals].every(Number.isFinite)).toBe(true);
    });

    it("contours one component and colours by another", async () => {
      const grid = cubeGrid([12, 10, 9]);
      const [f, g] = [sample(grid, sphere).data, sample(grid, (x, y, z) => 5 * x - y * z).data];
      const data = new Float32Array(2 * f.length);
      for (let i = 0; i < f.length; i++) data.set([Number(g[i]), Number(f[i])], 2 * i);
      const pair = makeField(grid, "pair", "node", 2, data);
      await expectAsByLoop(grid, pair, 0.7, { component: 1, color: pair, colorComponent: 0 });
    });

    it("is empty outside the range, for constants, for no isovalue and on flat grids", async () => {
      const grid = cubeGrid([9, 9, 9]);
      const flat: Grid = { kind: "uniform", dims: [9, 9, 1], origin: [0, 0, 0], spacing: [1, 1, 1] };
      const ramp = makeField(
        flat,
        "f",
        "node",
        1,
        Float32Array.from({ length: 81 }, (_, i) => i),
      );
      for (const [on, field, isovalues] of [
        [grid, sample(grid, sphere), [-1]],
        [grid, sample(grid, sphere), [99]],
        [grid, sample(grid, sphere), []],
        [grid, sample(grid, () => 1), [1]],
        [grid, sample(grid, () => Number.NaN), [1]],
        [flat, ramp, [40.5]],
      ] as const) {
        const at = surfaceGrid(p, on);
        const values = p.fromHost("f32", componentOf(field));
        for (const isWelded of [false, true]) {
          const request = { isovalues, fields: [values], isWelded, hasCells: true };
          const surface = await composedIsosurface(p, at, values, request);
          const { positions, normals, fields, ids, indices, cells } = surface;
          for (const vector of [positions, normals, ids, ...fields, isWelded ? indices : ids, cells]) {
            expect(vector?.length).toBe(0);
          }
          surface.release();
        }
        at.release();
        values.release();
      }
    });

    it("makes several isovalues at a time as it makes each", async () => {
      const grid = crowdedGrid([11, 10, 12]);
      const field = sample(grid, sphere);
      const isovalues = [0.5, 0.85, 0.55];
      const on = surfaceGrid(p, grid);
      const values = p.fromHost("f32", componentOf(field));
      const together = await composedIsosurface(p, on, values, {
        isovalues,
        fields: [values],
        isWelded: true,
      });
      const mesh = await meshOf(p, together, on.center);
      const ids = await wordsOf(p, together.ids);
      together.release();
      const alone = [];
      for (const isovalue of isovalues) {
        alone.push(await composedMesh(p, grid, field, isovalue, { color: field }));
      }
      const positions = alone.flatMap((part) => [...part.positions]);
      expect([...mesh.positions]).toEqual(positions);
      expect([...(mesh.scalars ?? [])]).toEqual(alone.flatMap((part) => [...(part.scalars ?? [])]));
      let first = 0;
      const indices = alone.flatMap((part) => {
        const moved = [...part.indices].map((v) => v + first);
        first += part.positions.length / 3;
        return moved;
      });
      expect([...mesh.indices]).toEqual(indices);
      expect(Math.floor(ids[ids.length - 1] / (3 * 11 * 10 * 12))).toBe(2);
      on.release();
      values.release();
    });

    it("tells cells, interpolates any number of fields, and gives facets' normals", async () => {
      const grid = cubeGrid([9, 8, 10]);
      const field = sample(grid, tangle);
      const on = surfaceGrid(p, grid);
      const values = p.fromHost("f32", componentOf(field));
      // Linear fields: interpolation gives what they are at the vertices.
      const places = [0, 1, 2].map((d) => componentOf(sample(grid, (...at) => at[d])));
      const triples = Float32Array.from(
        { length: 3 * values.length },
        (_, w) => places[w % 3][Math.floor(w / 3)],
      );
      const fields = [
        p.fromHost("f32", triples, 3),
        ...places.map((along) => p.fromHost("f32", along)),
        values,
      ];
      const request = { isovalues: [0.5], fields, isFlat: true, hasCells: true };
      const surface = await composedIsosurface(p, on, values, request);
      const positions = await p.toHost(surface.positions);
      expect(surface.indices).toBeUndefined();
      expect(positions.length).toBeGreaterThan(900);
      const [xyz, x, y, z, level] = await Promise.all(surface.fields.map((vector) => p.toHost(vector)));
      expectArraysClose(xyz, positions, { absolute: 2e-7 }, "points");
      expect([...x].flatMap((_, v) => [x[v], y[v], z[v]])).toEqual([...xyz]);
      expectArraysClose(level, new Array(level.length).fill(0.5), { absolute: 1e-5 }, "level");

      const mesh = await meshOf(p, surface, [0, 0, 0]);
      const cells = await wordsOf(p, surface.cells);
      expect(cells.length).toBe(positions.length / 9);
      for (let t = 0; t < cells.length; t++) {
        const facet = facetNormal(mesh, t);
        const length = Math.hypot(...facet);
        for (let v = 3 * t; v < 3 * t + 3; v++) {
          const normal = mesh.normals.subarray(3 * v, 3 * v + 3);
          expect(Math.hypot(...normal)).toBeCloseTo(1, 5);
          if (length > 1e-6)
            expect(facet.reduce((sum, c, d) => sum + c * normal[d], 0)).toBeCloseTo(length, 7);
        }
        const cell = [cells[t] % 8, Math.floor(cells[t] / 8) % 7, Math.floor(cells[t] / 56)];
        for (let w = 9 * t; w < 9 * t + 9; w++) {
          const d = w % 3;
          const along = ((positions[w] + 1) / 2) * (grid.dims[d] - 1);
          expect(Math.abs(along - cell[d] - 0.5)).toBeLessThan(0.50001);
        }
      }
      surface.release();
      for (const vector of [on, ...fields]) vector.release();
    });

    it("refuses what it cannot make", async () => {
      const on = surfaceGrid(p, cubeGrid([3, 3, 3]));
      const [values, short] = [27, 26].map((n) => p.fromHost("f32", new Float32Array(n)));
      for (const [field, request] of [
        [values, { isovalues: [Number.NaN] }],
        [short, { isovalues: [1] }],
        [values, { isovalues: [1], fields: [short] }],
        [values, { isovalues: [1], isWelded: true, isFlat: true }],
      ] as const) {
        await expect(composedIsosurface(p, on, field, request)).rejects.toMatchObject({ tag: "BadArgument" });
      }
      const large = surfaceGrid(p, cubeGrid([1000, 1000, 1000]));
      const zeros = p.constant("f32", 1e9, 0);
      await expect(composedIsosurface(p, large, zeros, { isovalues: [1, 2] })).rejects.toMatchObject({
        tag: "TooLarge",
      });
      for (const vector of [on, large, values, short]) vector.release();
    });
  });
}
