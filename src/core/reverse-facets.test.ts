import { expect, it } from "vitest";
import { enclosedVolume } from "./mesh-measures.ts";
import { reverseFacets } from "./reverse-facets.ts";

it("turns a closed mesh inside out, twice to what it was", () => {
  const tetrahedron = {
    positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    normals: Float32Array.of(0, 0, -1, 1, 0, 0, 0, 1, 0, 0, 0, 1),
    scalars: Float32Array.of(1, 2, 3, 4),
    indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2),
    name: "tetrahedron",
  };
  const reversed = reverseFacets(tetrahedron);
  expect(enclosedVolume(tetrahedron)).toBeCloseTo(1 / 6, 6);
  expect(enclosedVolume(reversed)).toBe(-enclosedVolume(tetrahedron));
  expect([...reversed.normals]).toEqual([0, 0, 1, -1, 0, 0, 0, -1, 0, 0, 0, -1]);
  expect([...reversed.indices.subarray(0, 6)]).toEqual([0, 1, 2, 0, 3, 1]);
  expect(reversed).toMatchObject({
    positions: tetrahedron.positions,
    scalars: tetrahedron.scalars,
    name: "tetrahedron",
  });
  expect(reverseFacets(reversed)).toEqual(tetrahedron);
});
