import { describe, expect, it } from "vitest";
import { type Field, makeField } from "../../../core/field.ts";
import type { Grid } from "../../../core/grid.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import { enclosedVolume, facetNormal } from "../../../core/mesh-measures.ts";
import { type ScalarFunction, sample } from "../../../cpu/surfaces/testing/fields.ts";

const grid: Grid = { kind: "uniform", dims: [15, 17, 13], origin: [-3.5, 10, -40], spacing: [0.5, 0.25, 1] };

/** 1 on the surface of an ellipsoid, more outside. */
const radius: ScalarFunction = (x, y, z) => Math.hypot(x / 3, (y - 12.1) / 1.7, (z + 34.2) / 5);

function bytes(inside: number, outside: number): Field {
  const data = Uint8Array.from(sample(grid, radius).data as Float32Array, (r) => (r < 1 ? inside : outside));
  return makeField(grid, "f", "node", 1, data);
}

/**
 * vtkFlyingEdges3D of VTK 9.1; volumes by vtkMassProperties, their signs by the divergence theorem. `within`: polygons of
 * cells, where they are not flat, are split into other triangles than VTK's.
 */
const oracles = [
  {
    name: "bytes, a ball",
    field: bytes(255, 0),
    isovalue: 100,
    triangles: 1304,
    volume: 109.55426807456551,
    within: 5e-3,
  },
  {
    name: "bytes, a hole",
    field: bytes(0, 255),
    isovalue: 100,
    triangles: 1304,
    volume: -99.79410608166076,
    within: 5e-3,
  },
  {
    name: "f32, an ellipsoid",
    field: sample(grid, (...at) => 1 - radius(...at)),
    isovalue: 0.05,
    triangles: 1168,
    volume: 89.79112281954944,
    within: 3e-4,
  },
];

/** The least of facets' products with their corners' normals, over the facets' own lengths; those of no area are left out. */
export function leastAgreement(mesh: TriangleMesh): number {
  let least = 1;
  for (let t = 0; t < mesh.indices.length / 3; t++) {
    const facet = facetNormal(mesh, t);
    const length = Math.hypot(...facet);
    if (length === 0) continue;
    for (const v of mesh.indices.subarray(3 * t, 3 * t + 3)) {
      const dot = facet.reduce((sum, x, d) => sum + x * mesh.normals[3 * v + d], 0);
      least = Math.min(least, dot / length);
    }
  }
  return least;
}

/** Which way every implementation's isosurface faces: to lower values, as VTK's. */
export function describeFacets(
  name: string,
  contour: (grid: Grid, field: Field, isovalue: number) => Promise<TriangleMesh>,
): void {
  describe(`facets: ${name}`, () => {
    it.each(oracles)("enclose VTK's volume, around higher values a positive one: $name", async (expected) => {
      const mesh = await contour(grid, expected.field, expected.isovalue);
      expect(mesh.indices.length / 3).toBe(expected.triangles);
      expect(Math.abs(enclosedVolume(mesh) / expected.volume - 1)).toBeLessThan(expected.within);
      expect(leastAgreement(mesh)).toBeGreaterThan(0);
    });

    it("agree with normals where central differences vanish", async () => {
      const striped: Grid = { kind: "uniform", dims: [7, 3, 3], origin: [0, 0, 0], spacing: [1, 1, 1] };
      const sheets = sample(striped, (x) => x % 2);
      const mesh = await contour(striped, sheets, 0.5);
      expect(mesh.indices.length / 3).toBe(6 * 2 * 2 * 2);
      expect(leastAgreement(mesh)).toBeCloseTo(1, 6);
    });
  });
}
