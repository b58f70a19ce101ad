import { beforeAll, describe, expect, it } from "vitest";
import { type Grid, gridBounds, type Triple } from "../../../core/grid.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import type { Primitives } from "../../../core/primitives/primitives.ts";
import { expectArraysClose } from "../../../core/testing/compare.ts";
import { hashedField, oracleGrid } from "../../../core/testing/hashed.ts";
import { countEdges, facetNormal, surfaceArea } from "../../isosurface/measures.ts";
import { crowdedGrid, cubeGrid } from "../../isosurface/testing/fields.ts";
import { type Cutter, composedCut } from "../cut.ts";
import { surfaceGrid } from "../surface-grid.ts";
import { componentOf, meshOf } from "./mesh.ts";

const plane = (origin: Triple, normal: Triple): Cutter => ({ kind: "plane", plane: { origin, normal } });
const sphere = (center: Triple, radius: number): Cutter => ({ kind: "sphere", center, radius });

/** vtkCutter of VTK 9.1 (triangles on) on `hashedField`: sums over the points; area by vtkMassProperties. */
const oracles = [
  {
    kind: "uniform",
    cutter: plane([5.3, 4.7, 3.9], [1, -0.7, 0.45]),
    points: 201,
    triangles: 344,
    area: 104.07689436253713,
    scalars: 9526.974700212479,
  },
  {
    kind: "uniform",
    cutter: plane([5, 0, 0], [1, 0, 0]),
    points: 99,
    triangles: 160,
    area: 80,
    scalars: 5024,
  },
  {
    kind: "rectilinear",
    cutter: sphere([5.3, 4.7, 3.9], 3.3),
    points: 66,
    triangles: 128,
    area: 119.629131043274,
    scalars: 3310.1739292144775,
  },
] as const;

/** What the composed cut is, on any primitives. */
export function describeCut(name: string, make: () => Promise<Primitives>): void {
  describe(`composed cut: ${name}`, () => {
    let p: Primitives;
    beforeAll(async () => {
      p = await make();
    });

    async function cut(grid: Grid, cutter: Cutter): Promise<TriangleMesh> {
      const on = surfaceGrid(p, grid);
      const values = p.fromHost("f32", componentOf(hashedField(grid)));
      const surface = await composedCut(p, on, cutter, { fields: [values], isWelded: true });
      const mesh = await meshOf(p, surface, on.center);
      for (const held of [on, values, surface]) held.release();
      return mesh;
    }

    it.each(oracles)("is VTK's of a $kind grid by a $cutter.kind", async (due) => {
      const grid = oracleGrid(due.kind, [13, 11, 9]);
      const mesh = await cut(grid, due.cutter);
      expect([mesh.positions.length / 3, mesh.indices.length / 3]).toEqual([due.points, due.triangles]);
      expect(surfaceArea(mesh) / due.area).toBeCloseTo(1, 5);
      const sum = Array.from(mesh.scalars ?? []).reduce((all, value) => all + value, 0);
      expect(sum / due.scalars).toBeCloseTo(1, 5);
    });

    it("has a plane's area, lies on it and faces along its normal", async () => {
      for (const [grid, normal, area] of [
        [cubeGrid([9, 12, 10]), [-1, -1, -1], 3 * Math.sqrt(3)],
        [crowdedGrid([11, 8, 9]), [0, 3, 4], 4 / 0.8],
        [cubeGrid([9, 12, 10]), [1e-30, 0, 0], 4],
      ] as const) {
        const mesh = await cut(grid, plane([0, 0, 0], normal));
        expect(surfaceArea(mesh)).toBeCloseTo(area, 4);
        const length = Math.hypot(...normal);
        for (let v = 0; v < mesh.positions.length; v += 3) {
          const [x, y, z] = mesh.positions.subarray(v, v + 3);
          expect(Math.abs(x * normal[0] + y * normal[1] + z * normal[2])).toBeLessThan(1e-6 * length);
          const due = normal.map((c) => c / length);
          expectArraysClose(mesh.normals.subarray(v, v + 3), due, { absolute: 1e-6 });
        }
        for (let t = 0; t < mesh.indices.length / 3; t++) {
          const facing = facetNormal(mesh, t).reduce((sum, c, axis) => sum + c * normal[axis], 0);
          expect(facing).toBeGreaterThanOrEqual(0);
        }
        expect(countEdges(mesh).irregular).toBe(0);
      }
    });

    it("is closed around a sphere, whose normals point outwards", async () => {
      const grid = crowdedGrid([14, 13, 15]);
      const mesh = await cut(grid, sphere([0.1, -0.1, 0], 0.7));
      expect(countEdges(mesh)).toMatchObject({ boundary: 0, irregular: 0 });
      for (let v = 0; v < mesh.positions.length; v += 3) {
        const way = [0.1, -0.1, 0].map((c, d) => mesh.positions[v + d] - c);
        const due = way.map((c) => c / Math.hypot(...way));
        expectArraysClose(mesh.normals.subarray(v, v + 3), due, { absolute: 1e-5 });
        expect(Math.abs(Math.hypot(...way) - 0.7)).toBeLessThan(0.02);
      }
    });

    it("is empty beyond the grid, and refuses what is no cutter", async () => {
      const grid = cubeGrid([5, 4, 3]);
      const [, far] = gridBounds(grid);
      expect((await cut(grid, plane([far, 0, 0], [1, 0, 0]))).indices.length).toBe(0);
      for (const cutter of [
        plane([0, 0, 0], [0, 0, 0]),
        plane([Number.NaN, 0, 0], [1, 0, 0]),
        sphere([0, 0, 0], 0),
        sphere([0, 0, Number.POSITIVE_INFINITY], 1),
      ]) {
        await expect(cut(grid, cutter)).rejects.toMatchObject({ tag: "BadArgument" });
      }
    });
  });
}
