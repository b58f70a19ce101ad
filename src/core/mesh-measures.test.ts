import { describe, expect, it } from "vitest";
import { emptyMesh, type TriangleMesh } from "./mesh.ts";
import { countEdges, enclosedVolume, eulerCharacteristic, meshBounds, surfaceArea } from "./mesh-measures.ts";

function mesh(positions: readonly number[], indices: readonly number[]): TriangleMesh {
  return {
    positions: Float32Array.from(positions),
    normals: new Float32Array(positions.length),
    scalars: undefined,
    indices: Uint32Array.from(indices),
  };
}

/** Right-angled, with unit legs along the axes, its triangles counter-clockwise seen from outside. */
const corner = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];
const outwards = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];

describe("a tetrahedron", () => {
  const tetrahedron = mesh(corner, outwards);

  it("has the area, volume and box that a ruler gives", () => {
    expect(surfaceArea(tetrahedron)).toBeCloseTo(1.5 + Math.sqrt(3) / 2, 12);
    expect(enclosedVolume(tetrahedron)).toBeCloseTo(1 / 6, 12);
    expect(meshBounds(tetrahedron)).toEqual([0, 1, 0, 1, 0, 1]);
  });

  it("is closed, and a sphere", () => {
    expect(countEdges(tetrahedron)).toEqual({ edges: 6, boundary: 0, irregular: 0 });
    expect(eulerCharacteristic(tetrahedron)).toBe(2);
  });

  it("has three open edges without one side", () => {
    expect(countEdges(mesh(corner, outwards.slice(3)))).toEqual({ edges: 6, boundary: 3, irregular: 0 });
  });

  it("has irregular edges where a triangle is turned over or comes twice", () => {
    expect(countEdges(mesh(corner, [0, 1, 2, ...outwards.slice(3)])).irregular).toBe(3);
    expect(countEdges(mesh(corner, [...outwards, 0, 2, 1])).irregular).toBe(3);
  });
});

it("the empty mesh has no area, no volume and no box", () => {
  expect([surfaceArea(emptyMesh), enclosedVolume(emptyMesh), eulerCharacteristic(emptyMesh)]).toEqual([
    0, 0, 0,
  ]);
  expect(meshBounds(emptyMesh)).toBeUndefined();
});
