import { beforeAll, describe, expect, it } from "vitest";
import type { Range } from "../../../core/closed-range.ts";
import { type Field, makeField } from "../../../core/field.ts";
import type { Grid, Triple } from "../../../core/grid.ts";
import { countEdges, enclosedVolume, facetNormal, surfaceArea } from "../../../core/mesh-measures.ts";
import type { Primitives } from "../../../core/primitives/primitives.ts";
import { hashedField, oracleGrid } from "../../../core/testing/hashed.ts";
import { cubeGrid, sample, sphere } from "../../../cpu/surfaces/testing/fields.ts";
import { surfaceGrid } from "../surface-grid.ts";
import { composedThreshold } from "../threshold.ts";
import { componentOf, meshOf, wordsOf } from "./mesh.ts";

/** Whether a cell, from its first node's indices, has all its corners in the range. */
function isKept(
  { dims: [nx, ny, nz] }: Grid,
  { data }: Field,
  [low, high]: Range,
  cell: readonly number[],
): boolean {
  const [i, j, k] = cell;
  if (i < 0 || j < 0 || k < 0 || i + 2 > nx || j + 2 > ny || k + 2 > nz) return false;
  return Array.from({ length: 8 }, (_, c) => {
    const value = Number(data[i + (c & 1) + nx * (j + ((c >> 1) & 1) + ny * (k + (c >> 2)))]);
    return Number.isFinite(value) && value >= low && value <= high;
  }).every(Boolean);
}

/** The cell of each exterior face of kept cells, cell by cell. */
function facesOf(grid: Grid, field: Field, range: Range): number[] {
  const [nx, ny, nz] = grid.dims.map((n) => n - 1);
  const cells: number[] = [];
  for (let cell = 0; cell < nx * ny * nz; cell++) {
    const at = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))];
    if (!isKept(grid, field, range, at)) continue;
    for (let axis = 0; axis < 3; axis++) {
      for (const step of [-1, 1]) {
        const other = at.map((c, d) => (d === axis ? c + step : c));
        if (!isKept(grid, field, range, other)) cells.push(cell);
      }
    }
  }
  return cells;
}

/** What the composed threshold is, on any primitives. */
export function describeThreshold(name: string, make: () => Promise<Primitives>): void {
  describe(`composed threshold: ${name}`, () => {
    let p: Primitives;
    beforeAll(async () => {
      p = await make();
    });

    async function kept(grid: Grid, field: Field, range: Range, isWelded = true) {
      const on = surfaceGrid(p, grid);
      const values = p.fromHost("f32", componentOf(field));
      const surface = await composedThreshold(p, on, values, range, {
        fields: [values],
        isWelded,
        hasCells: true,
      });
      const mesh = await meshOf(p, surface, on.center);
      const cells = await wordsOf(p, surface.cells);
      for (const held of [on, values, surface]) held.release();
      return { mesh, cells };
    }

    it.each([
      [8, 7, 9],
      [2, 6, 5],
      [6, 2, 5],
      [6, 5, 2],
      [2, 2, 2],
    ] as Triple[])(
      "shows the faces between kept cells and others on %d × %d × %d points",
      async (...dims) => {
        const grid = oracleGrid("rectilinear", dims);
        const field = hashedField(grid);
        (field.data as Float32Array)[3] = Number.NaN;
        (field.data as Float32Array)[6] = Number.POSITIVE_INFINITY;
        for (const range of [
          [4, 96],
          [17, 100],
          [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
          [50, 40],
        ] as const) {
          const { mesh, cells } = await kept(grid, field, range, false);
          const expected = facesOf(grid, field, range);
          expect([...cells]).toEqual(expected.flatMap((cell) => [cell, cell]));
          expect(mesh.indices.length).toBe(6 * expected.length);
          for (let t = 0; t < cells.length; t++) {
            const facet = facetNormal(mesh, t);
            const length = Math.hypot(...facet);
            for (const v of mesh.indices.subarray(3 * t, 3 * t + 3)) {
              const along = facet.reduce((sum, c, d) => sum + c * mesh.normals[3 * v + d], 0);
              expect(along / length).toBeCloseTo(1, 5);
            }
          }
        }
      },
    );

    it("encloses the kept cells' volume, with the nodes' values", async () => {
      const grid = cubeGrid([9, 10, 11]);
      const field = sample(grid, sphere);
      const { mesh } = await kept(grid, field, [0, 0.9]);
      const cell = (2 / 8) * (2 / 9) * (2 / 10);
      const [nx, ny, nz] = [8, 9, 10];
      let cells = 0;
      for (let c = 0; c < nx * ny * nz; c++) {
        const at = [c % nx, Math.floor(c / nx) % ny, Math.floor(c / (nx * ny))];
        if (isKept(grid, field, [0, 0.9], at)) cells++;
      }
      expect(cells).toBeGreaterThan(50);
      expect(enclosedVolume(mesh)).toBeCloseTo(cells * cell, 5);
      for (let v = 0; v < mesh.positions.length / 3; v++) {
        const [x, y, z] = mesh.positions.subarray(3 * v, 3 * v + 3);
        expect(mesh.scalars?.[v]).toBeCloseTo(Math.hypot(x, y, z), 5);
      }
      const whole = await kept(grid, field, [0, 9]);
      expect(surfaceArea(whole.mesh)).toBeCloseTo(24, 4);
      // One vertex for a node and direction: the six sides are apart.
      expect(whole.mesh.positions.length / 3).toBe(2 * (9 * 10 + 10 * 11 + 9 * 11));
      // Each side ends at its own border: four sides of each pair of extents, twice.
      expect(countEdges(whole.mesh)).toMatchObject({ boundary: 8 * (8 + 9 + 10), irregular: 0 });
    });

    it("takes both ends of the range, and refuses an end that is no number", async () => {
      const grid = cubeGrid([2, 2, 2]);
      const field = makeField(grid, "f", "node", 1, Float32Array.of(1, 1, 1, 1, 2, 2, 2, 2));
      expect((await kept(grid, field, [1, 2])).mesh.indices.length).toBe(36);
      expect((await kept(grid, field, [1, 2 - 1e-9])).mesh.indices.length).toBe(0);
      expect((await kept(grid, field, [1 + 1e-9, 2])).mesh.indices.length).toBe(0);
      await expect(kept(grid, field, [Number.NaN, 2])).rejects.toMatchObject({ tag: "BadArgument" });
    });
  });
}
