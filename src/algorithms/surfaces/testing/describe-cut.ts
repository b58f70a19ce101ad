import { describe, expect, it } from "vitest";
import { type Field, makeField } from "../../../core/field.ts";
import { type Bounds, type Grid, gridBounds, type Triple } from "../../../core/grid.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import {
  countEdges,
  enclosedVolume,
  eulerCharacteristic,
  facetNormal,
  surfaceArea,
} from "../../../core/mesh-measures.ts";
import { expectArraysClose } from "../../../core/testing/compare.ts";
import { hashedField, oracleGrid } from "../../../core/testing/hashed.ts";
import { crowdedGrid, cubeGrid, sample } from "../../../cpu/surfaces/testing/fields.ts";
import type { Cutter } from "../cut.ts";

/** Makes a welded cut, in the order of cells, coloured by a field where one is given. */
export type MakeCut = (grid: Grid, cutter: Cutter, field?: Field) => Promise<TriangleMesh>;

const plane = (origin: Triple, normal: Triple): Cutter => ({ kind: "plane", plane: { origin, normal } });
const sphere = (center: Triple, radius: number): Cutter => ({ kind: "sphere", center, radius });

const total = (values: ArrayLike<number>, first = 0, step = 1) => {
  let sum = 0;
  for (let i = first; i < values.length; i += step) sum += values[i];
  return sum;
};

/** Numbers in [0, 1), the same for each seed. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Of a plane's part in a box: a huge square on the plane, clipped by the box's six sides. */
function polygonArea(origin: readonly number[], normal: Triple, bounds: Bounds): number {
  const length = Math.hypot(...normal);
  const n = normal.map((c) => c / length);
  const least = n.reduce((best, c, axis) => (Math.abs(c) < Math.abs(n[best]) ? axis : best), 0);
  const cross = (p: readonly number[], q: readonly number[]) => [
    p[1] * q[2] - p[2] * q[1],
    p[2] * q[0] - p[0] * q[2],
    p[0] * q[1] - p[1] * q[0],
  ];
  const u = cross(
    n,
    [0, 1, 2].map((axis) => Number(axis === least)),
  );
  const v = cross(n, u);
  const corner = (s: number, t: number) => origin.map((c, axis) => c + 1000 * (s * u[axis] + t * v[axis]));
  let polygon = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
  for (let side = 0; side < 6; side++) {
    const axis = side >> 1;
    const inside = (p: readonly number[]) => (side % 2 === 0 ? 1 : -1) * (p[axis] - bounds[side]);
    polygon = polygon.flatMap((p, i) => {
      const next = polygon[(i + 1) % polygon.length];
      const [d, e] = [inside(p), inside(next)];
      const kept = d >= 0 ? [p] : [];
      if (d >= 0 === e >= 0) return kept;
      return [...kept, p.map((c, k) => c + (d / (d - e)) * (next[k] - c))];
    });
  }
  const sum = [0, 0, 0];
  for (let i = 2; i < polygon.length; i++) {
    const [p, q] = [polygon[i - 1], polygon[i]].map((corner) =>
      corner.map((c, axis) => c - polygon[0][axis]),
    );
    cross(p, q).forEach((c, axis) => {
      sum[axis] += c / 2;
    });
  }
  return Math.hypot(...sum);
}

/** vtkCutter of VTK 9.1 (triangles on) on `hashedField`: sums over the points; area by vtkMassProperties. */
const oracles = [
  {
    kind: "uniform",
    cutter: plane([5.3, 4.7, 3.9], [1, -0.7, 0.45]),
    points: 201,
    triangles: 344,
    area: 104.07689436253713,
    scalars: 9526.974700212479,
    positions: [1096.0349981039762, 1002.150000680238, 804.9666669219732],
  },
  {
    kind: "uniform",
    cutter: sphere([5.3, 4.7, 3.9], 3.3),
    points: 198,
    triangles: 392,
    area: 131.62419568621584,
    scalars: 10082.322798252106,
    positions: [1057.889113664627, 922.1108858585358, 773.1875180602074],
  },
  {
    kind: "uniform",
    cutter: plane([5, 0, 0], [1, 0, 0]),
    points: 99,
    triangles: 160,
    area: 80,
    scalars: 5024,
    positions: [495, 495, 396],
  },
  {
    kind: "rectilinear",
    cutter: plane([5.3, 4.7, 3.9], [1, -0.7, 0.45]),
    points: 194,
    triangles: 331,
    area: 443.98041813352336,
    scalars: 10180.706308841705,
    positions: [1455.206251874566, 1901.4500066041946, 1347.1527764201164],
  },
  {
    kind: "rectilinear",
    cutter: sphere([5.3, 4.7, 3.9], 3.3),
    points: 66,
    triangles: 128,
    area: 119.629131043274,
    scalars: 3310.1739292144775,
    positions: [342.2506220340729, 298.59520757198334, 238.69581198692322],
  },
] as const;

/** What every implementation's cut is. */
export function describeCut(name: string, cut: MakeCut): void {
  describe(`cut: ${name}`, () => {
    describe("as VTK cuts", () => {
      it.each(oracles)("a $kind grid by a $cutter.kind", async (expected) => {
        const grid = oracleGrid(expected.kind, [13, 11, 9]);
        const mesh = await cut(grid, expected.cutter, hashedField(grid));
        expect([mesh.positions.length / 3, mesh.indices.length / 3]).toEqual([
          expected.points,
          expected.triangles,
        ]);
        expect(surfaceArea(mesh) / expected.area).toBeCloseTo(1, 5);
        expect(total(mesh.scalars ?? []) / expected.scalars).toBeCloseTo(1, 5);
        const sums = [0, 1, 2].map((axis) => total(mesh.positions, axis, 3));
        expectArraysClose(sums, expected.positions, { relative: 1e-5 });
      });
    });

    describe("planes", () => {
      it("give their polygon's area, lie on it, and face against its normal, from any side", async () => {
        for (const grid of [cubeGrid([9, 12, 10]), crowdedGrid([11, 8, 9])]) {
          for (const [normal, area] of [
            [[1, 1, 1], 3 * Math.sqrt(3)],
            [[-1, -1, -1], 3 * Math.sqrt(3)],
            [[0, 3, 4], 4 / 0.8],
            [[1e-30, 0, 0], 4],
          ] as const) {
            const mesh = await cut(grid, plane([0, 0, 0], normal));
            expect(surfaceArea(mesh)).toBeCloseTo(area, 4);
            const length = Math.hypot(...normal);
            for (let v = 0; v < mesh.positions.length; v += 3) {
              const [x, y, z] = mesh.positions.subarray(v, v + 3);
              expect(Math.abs(x * normal[0] + y * normal[1] + z * normal[2])).toBeLessThan(1e-6 * length);
              expectArraysClose(
                mesh.normals.subarray(v, v + 3),
                normal.map((c) => -c / length),
                { absolute: 1e-6 },
              );
            }
            for (let t = 0; t < mesh.indices.length / 3; t++) {
              const facing = facetNormal(mesh, t).reduce((sum, c, axis) => sum + c * normal[axis], 0);
              expect(facing).toBeLessThanOrEqual(0);
            }
            expect(countEdges(mesh).irregular).toBe(0);
          }
        }
      });

      it("through any three nodes of any grid have their polygon's area, without holes", async () => {
        const random = randomNumbers(7);
        const below = (n: number) => Math.floor(random() * n);
        for (let run = 0; run < 12; run++) {
          const dims: Triple = [2 + below(12), 2 + below(9), 2 + below(9)];
          const steps = dims.map((n) => Float64Array.from({ length: n }, () => 0.2 + random()));
          const axes = steps.map((step) =>
            step.map((_, i) => step.slice(0, i + 1).reduce((a, b) => a + b) - 3),
          );
          const grid: Grid = { kind: "rectilinear", dims, axes: [axes[0], axes[1], axes[2]] };
          const [a, b, c] = [0, 1, 2].map(() => axes.map((axis) => axis[below(axis.length)]));
          const [u, v] = [b, c].map((node) => node.map((x, axis) => x - a[axis]));
          const normal: Triple = [
            u[1] * v[2] - u[2] * v[1],
            u[2] * v[0] - u[0] * v[2],
            u[0] * v[1] - u[1] * v[0],
          ];
          // Planes along faces are met by the nodes beside them or by none.
          if (normal.filter((x) => Math.abs(x) > 1e-9).length < 2) continue;
          const mesh = await cut(grid, plane([a[0], a[1], a[2]], normal));
          const expected = polygonArea(a, normal, gridBounds(grid));
          expect(Math.abs(surfaceArea(mesh) - expected)).toBeLessThan(1e-4 * (1 + expected));
          expect(countEdges(mesh).irregular).toBe(0);
        }
      });

      it("through nodes have the nodes' own values, and are empty through the last ones", async () => {
        const grid = cubeGrid([6, 5, 7]);
        const field = hashedField(grid);
        const mesh = await cut(grid, plane([0, 0, grid.origin[2] + 2 * grid.spacing[2]], [0, 0, 1]), field);
        expect([...(mesh.scalars ?? [])]).toEqual([...(field.data as Float32Array).subarray(60, 90)]);
        expect(mesh.indices.length).toBe(6 * 5 * 4);
        const last = grid.origin[2] + 6 * grid.spacing[2];
        expect((await cut(grid, plane([0, 0, last], [0, 0, 1]), field)).indices.length).toBe(0);
        expect((await cut(grid, plane([0, 0, last], [0, 0, -1]), field)).indices.length).toBe(6 * 5 * 4);
      });

      it("cut thin grids, and nothing where they miss or the grid is flat", async () => {
        const thin = cubeGrid([2, 2, 2]);
        expect(surfaceArea(await cut(thin, plane([0, 0, 0.3], [0, 0, 1])))).toBeCloseTo(4, 5);
        expect((await cut(thin, plane([0, 0, 1.3], [0, 0, 1]))).indices.length).toBe(0);
        const flat: Grid = { kind: "uniform", dims: [5, 4, 1], origin: [0, 0, 0], spacing: [1, 1, 1] };
        expect((await cut(flat, plane([2, 2, 0], [1, 0, 0]))).indices.length).toBe(0);
      });

      it("keep cells without a value, whose vertices have none", async () => {
        const grid = cubeGrid([4, 4, 4]);
        const data = new Float32Array(64).fill(1);
        data[21] = Number.NaN;
        const mesh = await cut(grid, plane([0, 0, 0], [0.1, 0.2, 1]), makeField(grid, "f", "node", 1, data));
        expect(surfaceArea(mesh)).toBeCloseTo(4 * Math.hypot(0.1, 0.2, 1), 5);
        expect(mesh.scalars?.filter(Number.isNaN).length).toBe(1);
      });
    });

    describe("spheres", () => {
      it("are closed, face outwards, and converge to the area", async () => {
        const errors = [];
        for (const n of [12, 23]) {
          const mesh = await cut(cubeGrid([n, n, n]), sphere([0.1, -0.05, 0.02], 0.7));
          expect(countEdges(mesh)).toMatchObject({ boundary: 0, irregular: 0 });
          expect(eulerCharacteristic(mesh)).toBe(2);
          expect(Math.abs(enclosedVolume(mesh) / ((4 / 3) * Math.PI * 0.7 ** 3) - 1)).toBeLessThan(0.06);
          errors.push(Math.abs(surfaceArea(mesh) / (4 * Math.PI * 0.49) - 1));
          const { positions, normals } = mesh;
          const expected = positions.map((c, i) => c - [0.1, -0.05, 0.02][i % 3]);
          for (let v = 0; v < expected.length; v += 3) {
            const length = Math.hypot(expected[v], expected[v + 1], expected[v + 2]);
            for (let axis = 0; axis < 3; axis++) expected[v + axis] /= length;
          }
          expectArraysClose(normals, expected, { absolute: 1e-5 });
        }
        expect(errors[0] / errors[1]).toBeGreaterThan(3);
      });

      it("smaller than a block are found, and huge ones, far away, are planes", async () => {
        const grid = cubeGrid([17, 9, 9]);
        expect((await cut(grid, sphere([-0.5, 0, 0], 0.2))).indices.length).toBeGreaterThan(0);
        const far = sample(grid, (x) => x);
        const mesh = await cut(grid, sphere([1000.25, 0, 0], 1000), far);
        expect(surfaceArea(mesh)).toBeCloseTo(4, 2);
        expect(mesh.normals[0]).toBeCloseTo(-1, 3);
      });
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
