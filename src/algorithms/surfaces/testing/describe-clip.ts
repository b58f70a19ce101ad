import { beforeAll, describe, expect, it } from "vitest";
import type { Triple } from "../../../core/grid.ts";
import { joinMeshes } from "../../../core/join-meshes.ts";
import type { Plane } from "../../../core/layers.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import { enclosedVolume, facetNormal, surfaceArea } from "../../../core/mesh-measures.ts";
import type { Primitives } from "../../../core/primitives/primitives.ts";
import type { Vector } from "../../../core/primitives/vector.ts";
import { cubeGrid, sample, sphere } from "../../../cpu/surfaces/testing/fields.ts";
import { composedClip } from "../clip.ts";
import { composedCut } from "../cut.ts";
import { surfaceOfMesh } from "../host-mesh.ts";
import { composedIsosurface } from "../isosurface.ts";
import type { Surface } from "../surface.ts";
import { surfaceGrid } from "../surface-grid.ts";
import { composedThreshold } from "../threshold.ts";
import { componentOf, meshOf, wordsOf } from "./mesh.ts";

const origin: Triple = [0, 0, 0];

/** The octahedron |x| + |y| + |z| = 1, whose scalar is z. */
const octahedron: TriangleMesh = {
  positions: Float32Array.of(1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1),
  normals: Float32Array.of(1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1),
  scalars: Float32Array.of(0, 0, 0, 0, 1, -1),
  indices: Uint32Array.of(0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5),
};

/** What the composed clip is, on any primitives. */
export function describeClip(name: string, make: () => Promise<Primitives>): void {
  describe(`composed clip: ${name}`, () => {
    let p: Primitives;
    beforeAll(async () => {
      p = await make();
    });

    /** Triangles of these vertices, with their heights z as a field and their numbers as cells. */
    function soup(corners: readonly (readonly number[])[]): Surface {
      const positions = p.fromHost("f32", Float32Array.from(corners.flat()), 3);
      const normals = p.fromHost("f32", Float32Array.from(corners.flatMap(() => [0, 0, 1])), 3);
      const fields = [
        p.fromHost(
          "f32",
          Float32Array.from(corners, ([, , z]) => z),
        ),
      ];
      const cells = p.fromHost(
        "u32",
        Uint32Array.from({ length: corners.length / 3 }, (_, t) => t + 7),
      );
      const all: Vector[] = [positions, normals, ...fields, cells];
      const release = () => {
        for (const vector of all) vector.release();
      };
      return { positions, normals, fields, ids: undefined, indices: undefined, cells, release };
    }

    it("keeps, drops and cuts triangles, by how many corners are below, on and beyond the plane", async () => {
      const heights = [-1, 0, 1];
      const triples = Array.from({ length: 27 }, (_, k) => [k % 3, Math.floor(k / 3) % 3, Math.floor(k / 9)]);
      const corners = triples.flatMap((triple) =>
        triple.map((h, c) => [[0, 2, 1][c], [0, 0, 2][c], heights[h]]),
      );
      const surface = soup(corners);
      const clipped = await composedClip(p, surface, { origin, normal: [0, 0, 0.3] }, origin);
      const positions = await p.toHost(clipped.positions);
      const [height] = await Promise.all(clipped.fields.map((field) => p.toHost(field)));
      const cells = await wordsOf(p, clipped.cells);
      const expected = triples.flatMap((triple, t) => {
        const [below, on, beyond] = [0, 1, 2].map((h) => triple.filter((k) => k === h).length);
        const triangles = below === 0 ? 1 : beyond === 0 ? 0 : beyond === 2 ? 2 : 1;
        expect(below + on + beyond).toBe(3);
        return new Array(triangles).fill(t + 7);
      });
      expect([...cells]).toEqual(expected);
      expect([...height]).toEqual(Array.from(height, (_, v) => positions[3 * v + 2]));
      expect(height.every((z) => z >= 0)).toBe(true);
      // Seen from above, the parts of a triangle of area 2 are counter-clockwise and add up.
      const mesh = await meshOf(p, clipped, origin);
      const areas = new Map<number, number>();
      cells.forEach((cell, t) => {
        const [, , z] = facetNormal(mesh, t);
        expect(z).toBeGreaterThanOrEqual(0);
        areas.set(cell, (areas.get(cell) ?? 0) + z / 2);
      });
      for (const [cell, area] of areas) {
        const triple = triples[cell - 7].map((h) => heights[h]);
        const [below, beyond] = [triple.filter((z) => z < 0).length, triple.filter((z) => z > 0).length];
        const share = below === 0 ? 1 : below === 2 ? 0.25 : beyond === 2 ? 0.75 : 0.5;
        expect(area, triple.join()).toBeCloseTo(2 * share, 6);
      }
      surface.release();
      clipped.release();
    });

    it("leaves a sphere's part beyond the plane, open along it without cracks, welded or not", async () => {
      const grid = cubeGrid([14, 15, 13]);
      const on = surfaceGrid(p, grid);
      const values = p.fromHost("f32", componentOf(sample(grid, sphere)));
      const plane: Plane = { origin: [0.1, 0, -0.05], normal: [0.6, -1, 2] };
      const beyond = (x: number, y: number, z: number) => 0.6 * (x - 0.1) - y + 2 * (z + 0.05);
      const areas = [];
      for (const isWelded of [false, true]) {
        const whole = await composedIsosurface(p, on, values, {
          isovalues: [0.8],
          fields: [values],
          isWelded,
        });
        const clipped = await composedClip(p, whole, plane, on.center);
        const mesh = await meshOf(p, clipped, on.center);
        areas.push(surfaceArea(mesh));
        const places = new Map<string, number>();
        for (let v = 0; v < mesh.positions.length; v += 3) {
          const [x, y, z] = mesh.positions.subarray(v, v + 3);
          expect(beyond(x, y, z)).toBeGreaterThan(-1e-6);
          expect(Math.hypot(...mesh.normals.subarray(v, v + 3))).toBeCloseTo(1, 5);
          places.set([x, y, z].join(), places.size);
        }
        // Edges by the bits of their ends: those that only one triangle has lie in the plane.
        const edges = new Map<string, number>();
        for (let t = 0; t < mesh.indices.length; t += 3) {
          const ends = [0, 1, 2].map((c) =>
            mesh.positions.subarray(3 * mesh.indices[t + c], 3 * mesh.indices[t + c] + 3).join(),
          );
          for (let c = 0; c < 3; c++) {
            const edge = [ends[c], ends[(c + 1) % 3]].sort().join("; ");
            edges.set(edge, (edges.get(edge) ?? 0) + 1);
          }
        }
        const open = [...edges].filter(([, count]) => count % 2 === 1).map(([edge]) => edge);
        expect(open.length).toBeGreaterThan(20);
        for (const edge of open) {
          for (const end of edge.split("; ")) {
            const [x, y, z] = end.split(",").map(Number);
            expect(Math.abs(beyond(x, y, z))).toBeLessThan(1e-6);
          }
        }
        whole.release();
        clipped.release();
      }
      expect(areas[1]).toBeCloseTo(areas[0], 5);
      on.release();
      values.release();
    });

    /** The part of the octahedron on a plane's positive side, welded. */
    async function weldedPart(plane: Plane): Promise<TriangleMesh> {
      const whole = surfaceOfMesh(p, octahedron);
      const part = await composedClip(p, whole, plane, origin, { isWelded: true });
      const mesh = await meshOf(p, part, origin);
      whole.release();
      part.release();
      return mesh;
    }

    it("welds what it keeps and cuts, with values between those of the ends", async () => {
      const tip = await weldedPart({ origin: [0, 0, 0.5], normal: [0, 0, 2] });
      // Four triangles over a square, a fourth of the upper half's area.
      expect(tip.positions.length / 3).toBe(5);
      expect(tip.indices.length / 3).toBe(4);
      expect(surfaceArea(tip)).toBeCloseTo(surfaceArea(octahedron) / 8, 6);
      expect([...(tip.scalars ?? [])].sort()).toEqual([0.5, 0.5, 0.5, 0.5, 1]);
      for (let v = 0; v < 5; v++) {
        const [x, y, z] = tip.positions.subarray(3 * v, 3 * v + 3);
        expect(z).toBe(tip.scalars?.[v]);
        expect(Math.abs(x) + Math.abs(y) + Math.abs(z)).toBeCloseTo(1, 6);
        expect(Math.hypot(...tip.normals.subarray(3 * v, 3 * v + 3))).toBeCloseTo(1, 6);
      }
    });

    it("makes both sides of a plane add up to the whole, welded along all inner edges", async () => {
      const plane = { origin: [0.1, 0.05, -0.2], normal: [1, -2, 0.5] } as const;
      const other = { ...plane, normal: [-1, 2, -0.5] } as const;
      const parts = [await weldedPart(plane), await weldedPart(other)];
      expect(surfaceArea(parts[0]) + surfaceArea(parts[1])).toBeCloseTo(surfaceArea(octahedron), 5);
      for (const part of parts) {
        const edges = new Map<string, number>();
        for (let at = 0; at < part.indices.length; at += 3) {
          for (let k = 0; k < 3; k++) {
            const pair = [part.indices[at + k], part.indices[at + ((k + 1) % 3)]].sort((a, b) => a - b);
            edges.set(pair.join(), (edges.get(pair.join()) ?? 0) + 1);
          }
        }
        const open = [...edges]
          .filter(([, count]) => count === 1)
          .map(([pair]) => pair.split(",").map(Number));
        expect(open.length).toBeGreaterThan(3);
        expect([...edges.values()].every((count) => count <= 2)).toBe(true);
        for (const v of open.flat()) {
          const distance = plane.normal.reduce(
            (sum, n, axis) => sum + n * (part.positions[3 * v + axis] - plane.origin[axis]),
            0,
          );
          expect(Math.abs(distance)).toBeLessThan(1e-6);
        }
      }
      expect((await weldedPart({ origin: [0, 0, 2], normal: [0, 0, 1] })).indices).toHaveLength(0);
      expect((await weldedPart({ origin: [0, 0, -1], normal: [0, 0, 1] })).indices).toHaveLength(24);
    });

    it("leaves a solid that a cut by the same plane closes, all facets outwards", async () => {
      const grid = cubeGrid([7, 6, 8]);
      const on = surfaceGrid(p, grid);
      const values = p.fromHost("f32", componentOf(sample(grid, sphere)));
      // x + y + z = 0.9 cuts tetrahedra off the cube's corner (1, 1, 1), less three where its edges end.
      const plane: Plane = { origin: [0.3, 0.3, 0.3], normal: [1, 1, 1] };
      const outside = await composedThreshold(p, on, values, [0, 2]);
      const clipped = await composedClip(p, outside, plane, on.center);
      const cap = await composedCut(p, on, { kind: "plane", plane });
      const parts = [await meshOf(p, clipped, on.center), await meshOf(p, cap, on.center)];
      expect(enclosedVolume(joinMeshes(parts))).toBeCloseTo((2.1 ** 3 - 3 * 0.1 ** 3) / 6, 5);
      for (const held of [on, values, outside, clipped, cap]) held.release();
    });

    it("is empty below the plane, whole beyond it, and refuses what is no plane", async () => {
      const surface = soup([
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ]);
      for (const [z, vertices] of [
        [0.5, 0],
        [0, 3],
        [-0.5, 3],
      ]) {
        const clipped = await composedClip(p, surface, { origin: [0, 0, z], normal: [0, 0, 2] }, origin);
        expect(clipped.positions.length).toBe(vertices);
        const again = await composedClip(p, clipped, { origin: [0, 0, 9], normal: [0, 0, 1] }, origin);
        expect(again.positions.length).toBe(0);
        clipped.release();
        again.release();
      }
      const level: Plane = { origin, normal: [0, 0, 1] };
      for (const refused of [
        composedClip(p, surface, { origin, normal: [0, 0, 0] }, origin),
        composedClip(p, surface, level, origin, { isWelded: true }),
      ]) {
        await expect(refused).rejects.toMatchObject({ tag: "BadArgument" });
      }
      surface.release();
    });
  });
}
