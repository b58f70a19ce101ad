import { describe, expect, it } from "vitest";
import { orderTriangles } from "../../core/marching-cubes/order.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { surfaceArea } from "../../core/mesh-measures.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import {
  alone,
  isosurfaceOf,
  onRanksOf,
  pressureSurfaces,
  pressures,
  requestOf,
  rings,
  steps,
  surfaces,
} from "./testing/ranked-surfaces.ts";

/** A surface whose vertices are in one order, however it was made, with its triangles in the order of their vertices. */
const ordered = (mesh: TriangleMesh): TriangleMesh => {
  orderTriangles(mesh.indices, mesh.positions.length / 3);
  return mesh;
};

/** Not exact: where a clip cuts a corner off a triangle, the rest may be split along either diagonal. */
function expectSame(mesh: TriangleMesh, expected: TriangleMesh, isExact = true): void {
  const found = ordered(mesh);
  expect(found.positions.length).toBe(expected.positions.length);
  if (isExact) expect(found.indices).toEqual(expected.indices);
  expect(found.indices.length).toBe(expected.indices.length);
  expect(surfaceArea(found)).toBeCloseTo(surfaceArea(expected), 5);
  expectArraysClose(found.positions, expected.positions, { absolute: 2e-6 });
  expectArraysClose(found.normals, expected.normals, { absolute: 2e-5 });
  expectArraysClose(found.scalars ?? [], expected.scalars ?? [], { absolute: 2e-5 });
}

const composed = Object.entries(surfaces).filter(([name]) => !name.startsWith("trilinear"));

describe("surfaces by one algorithm over the vectors of all ranks", () => {
  it.each(composed)("are one rank's: %s", async (name, surface) => {
    const wanted = { ...surface, colorBy: "c + f" };
    const expected = ordered(await alone(rings, wanted));
    expect(expected.indices.length).toBeGreaterThan(100);
    for (const ranks of [1, 2, 3, 4]) {
      const [made] = await onRanksOf(ranks, rings, { ...wanted, form: "distributed" });
      expectSame(made.mesh, expected, name !== "clipped isosurfaces");
      const triangles = made.ranks.map((report) => report.triangles);
      expect(triangles.every(Number.isInteger)).toBe(true);
      expect(triangles.reduce((a, b) => a + b)).toBe(expected.indices.length / 3);
    }
  });

  it("are one rank's of values that f32 cannot hold, on more ranks than layers, too", async () => {
    for (const wanted of pressureSurfaces.map((surface) => ({ ...surface, colorBy: "p" }))) {
      const expected = ordered(await alone(pressures, wanted));
      for (const ranks of [3, 20]) {
        const [{ mesh }] = await onRanksOf(ranks, pressures, { ...wanted, form: "distributed" });
        expectSame(mesh, expected);
      }
    }
  });

  it("are one rank's where values equal the isovalue on whole planes, on more ranks than layers, too", async () => {
    for (const isovalue of [0, 1.5]) {
      const shape = isosurfaceOf("f", isovalue);
      const expected = ordered(await alone(steps, { shape }));
      for (const ranks of [3, 20]) {
        const [{ mesh }] = await onRanksOf(ranks, steps, { shape, form: "distributed" });
        expectSame(mesh, expected);
      }
    }
  });

  it("are of what is computed, empty where nothing crosses, and made again of the same scalars", async () => {
    const text = "magnitude(gradient(f)) / avg(f * f)";
    const isovalues = [9, 1e6, 11];
    const made = await onRanksOf(
      3,
      rings,
      ...isovalues.map((value) => ({ shape: isosurfaceOf(text, value), form: "distributed" as const })),
    );
    for (const [k, { mesh, ranks }] of made.entries()) {
      expectSame(mesh, ordered(await alone(rings, { shape: isosurfaceOf(text, isovalues[k]) })));
      for (const { ms } of ranks) expect(ms.read > 0).toBe(k === 0);
    }
  });

  it("are refused with the trilinear interpolant's topology", () => {
    const trilinear = surfaces["trilinear isosurface"];
    expect(() => requestOf({ ...trilinear, form: "distributed" })).toThrow("distributed form");
    expect(requestOf({ ...trilinear, form: "manual" }).form).toBe("manual");
  });
});
