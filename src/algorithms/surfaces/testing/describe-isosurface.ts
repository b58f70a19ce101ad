import { beforeAll, describe, expect, it } from "vitest";
import { makeField } from "../../../core/field.ts";
import type { Grid } from "../../../core/grid.ts";
import { facetNormal } from "../../../core/mesh-measures.ts";
import type { Primitives } from "../../../core/primitives/primitives.ts";
import { expectArraysClose } from "../../../core/testing/compare.ts";
import { crowdedGrid, cubeGrid, sample, sphere, tangle } from "../../../cpu/surfaces/testing/fields.ts";
import { composedIsosurface } from "../isosurface.ts";
import { surfaceGrid } from "../surface-grid.ts";
import { describeContour } from "./describe-contour.ts";
import { componentOf, composedMesh, meshOf, wordsOf } from "./mesh.ts";

/** What the composed isosurface is, on any primitives: that of the loop, and what only it offers. */
export function describeIsosurface(name: string, make: () => Promise<Primitives>, randomRuns: number): void {
  describe(`composed isosurface: ${name}`, () => {
    let p: Primitives;
    describeContour(
      name,
      (grid, field, isovalue, options) => composedMesh(p, grid, field, isovalue, options),
      randomRuns,
    );
    beforeAll(async () => {
      p = await make();
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

    it("names cells, interpolates any number of fields, and gives facets' normals", async () => {
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
