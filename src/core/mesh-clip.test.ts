import { describe, expect, test } from "vitest";
import type { TriangleMesh } from "./mesh.ts";
import { clipMesh } from "./mesh-clip.ts";

/** The octahedron |x| + |y| + |z| = 1, whose scalar is z. */
const octahedron: TriangleMesh = {
  positions: Float32Array.of(1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1),
  normals: Float32Array.of(1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1),
  scalars: Float32Array.of(0, 0, 0, 0, 1, -1),
  indices: Uint32Array.of(0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5),
};

function area({ positions, indices }: TriangleMesh): number {
  let sum = 0;
  for (let at = 0; at < indices.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [
      ...positions.subarray(3 * indices[at + k], 3 * indices[at + k] + 3),
    ]);
    const u = b.map((x, i) => x - a[i]);
    const v = c.map((x, i) => x - a[i]);
    sum += 0.5 * Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  }
  return sum;
}

describe("clipping a mesh", () => {
  test("keeps the positive side, cut once along the plane, with values between those of the ends", () => {
    const clipped = clipMesh(octahedron, { origin: [0, 0, 0.5], normal: [0, 0, 2] });
    // The tip: four triangles over a square, a fourth of the upper half's area.
    expect(clipped.positions.length / 3).toBe(5);
    expect(clipped.indices.length / 3).toBe(4);
    expect(area(clipped)).toBeCloseTo(area(octahedron) / 8, 6);
    expect([...(clipped.scalars ?? [])].sort()).toEqual([0.5, 0.5, 0.5, 0.5, 1]);
    for (let v = 0; v < 5; v++) {
      const [x, y, z] = clipped.positions.subarray(3 * v, 3 * v + 3);
      expect(z).toBe(clipped.scalars?.[v]);
      expect(Math.abs(x) + Math.abs(y) + Math.abs(z)).toBeCloseTo(1, 6);
      expect(Math.hypot(...clipped.normals.subarray(3 * v, 3 * v + 3))).toBeCloseTo(1, 6);
    }
  });

  test("both sides together are the whole, and every inner edge has two triangles", () => {
    const plane = { origin: [0.1, 0.05, -0.2], normal: [1, -2, 0.5] } as const;
    const other = { ...plane, normal: [-1, 2, -0.5] } as const;
    const parts = [clipMesh(octahedron, plane), clipMesh(octahedron, other)];
    expect(area(parts[0]) + area(parts[1])).toBeCloseTo(area(octahedron), 5);
    for (const { positions, indices } of parts) {
      const edges = new Map<string, number>();
      for (let at = 0; at < indices.length; at += 3) {
        for (let k = 0; k < 3; k++) {
          const pair = [indices[at + k], indices[at + ((k + 1) % 3)]].sort((a, b) => a - b);
          edges.set(pair.join(), (edges.get(pair.join()) ?? 0) + 1);
        }
      }
      const open = [...edges]
        .filter(([, count]) => count === 1)
        .flatMap(([pair]) => pair.split(",").map(Number));
      for (const v of open) {
        const d = plane.normal.reduce(
          (sum, n, axis) => sum + n * (positions[3 * v + axis] - plane.origin[axis]),
          0,
        );
        expect(Math.abs(d)).toBeLessThan(1e-6);
      }
      expect([...edges.values()].every((count) => count <= 2)).toBe(true);
    }
  });

  test("what lies beyond is empty, what lies before is whole", () => {
    expect(clipMesh(octahedron, { origin: [0, 0, 2], normal: [0, 0, 1] }).indices).toHaveLength(0);
    expect(clipMesh(octahedron, { origin: [0, 0, -1], normal: [0, 0, 1] }).indices).toHaveLength(24);
  });
});
