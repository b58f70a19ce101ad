import { describe, expect, it } from "vitest";
import { type Field, makeField } from "../../../core/field.ts";
import { type Grid, nodeCoordinates } from "../../../core/grid.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import { countEdges, facetNormal, surfaceArea } from "../../../core/mesh-measures.ts";
import type { SliceRequest } from "../../../core/slice-place.ts";
import { expectArraysClose } from "../../../core/testing/compare.ts";
import { crowdedGrid, cubeGrid, sample } from "../../../cpu/surfaces/testing/fields.ts";

/** Makes a slice without repeated vertices, coloured by a field. */
export type MakeSlice = (grid: Grid, field: Field, request: SliceRequest) => Promise<TriangleMesh>;

const ulp = 2 ** -23;
const linear = (x: number, y: number, z: number) => 1 + x - 2 * y + 3 * z;

/** What every implementation's slice is. */
export function describeSlice(name: string, slice: MakeSlice): void {
  describe(`slice: ${name}`, () => {
    const sliced = (grid: Grid, data: Float32Array | undefined, axis: number, position: number) =>
      slice(grid, data ? makeField(grid, "f", "node", 1, data) : sample(grid, linear), { axis, position });

    it.each([
      ["uniform", cubeGrid([7, 9, 5])],
      ["rectilinear", crowdedGrid([8, 5, 6])],
    ] as const)(
      "spans a %s grid across each axis, facing along it, with the field's values",
      async (_, grid) => {
        for (let axis = 0; axis < 3; axis++) {
          const coordinates = nodeCoordinates(grid, axis);
          const places = [coordinates[0], coordinates[2], 0.3 * coordinates[2] + 0.7 * coordinates[3], 1];
          for (const position of places) {
            const mesh = await sliced(grid, undefined, axis, position);
            const [nu, nv] = [grid.dims[(axis + 1) % 3], grid.dims[(axis + 2) % 3]];
            expect(mesh.positions.length).toBe(3 * nu * nv);
            expect(mesh.indices.length).toBe(6 * (nu - 1) * (nv - 1));
            expect(surfaceArea(mesh)).toBeCloseTo(4, 5);
            expect(countEdges(mesh)).toMatchObject({ boundary: 2 * (nu + nv - 2), irregular: 0 });
            const { positions, scalars = [], normals } = mesh;
            const expected = scalars.map?.((_, v) =>
              linear(positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]),
            );
            expectArraysClose(scalars, expected ?? [], { absolute: 20 * ulp }, "scalars");
            for (let v = 0; v < nu * nv; v++) {
              expect(positions[3 * v + axis]).toBe(Math.fround(position));
              expect([...normals.subarray(3 * v, 3 * v + 3)]).toEqual(
                [0, 1, 2].map((a) => (a === axis ? 1 : 0)),
              );
            }
            for (let t = 0; t < mesh.indices.length / 3; t++)
              expect(facetNormal(mesh, t)[axis]).toBeGreaterThan(0);
          }
        }
      },
    );

    it("has a node plane's own values there, whatever lies in the next", async () => {
      const grid = cubeGrid([3, 3, 3]);
      const data = Float32Array.from({ length: 27 }, (_, i) => (i < 9 ? i : Number.NaN));
      data[4] = Number.POSITIVE_INFINITY;
      expect([...((await sliced(grid, data, 2, -1)).scalars ?? [])]).toEqual([...data.subarray(0, 9)]);
      const above = await sliced(grid, data, 2, -0.5);
      expect(above.scalars?.every(Number.isNaN)).toBe(true);
      expect(above.indices.length).toBe(24);
    });

    it("shows a grid that is flat across the axis, and nothing where there is no cell or no grid", async () => {
      const flat: Grid = { kind: "uniform", dims: [4, 3, 1], origin: [0, 0, 5], spacing: [1, 1, 1] };
      expect((await sliced(flat, undefined, 2, 5)).indices.length).toBe(6 * 6);
      expect((await sliced(flat, undefined, 2, 5.1)).indices.length).toBe(0);
      expect((await sliced(flat, undefined, 0, 1.5)).indices.length).toBe(0);
      const grid = cubeGrid([3, 3, 3]);
      expect((await sliced(grid, undefined, 1, 1.01)).indices.length).toBe(0);
      expect((await sliced(grid, undefined, 1, -1.01)).indices.length).toBe(0);
    });

    it("refuses what is no slice", async () => {
      const grid = cubeGrid([3, 3, 3]);
      await expect(sliced(grid, undefined, 3, 0)).rejects.toThrow("no axis 3");
      await expect(sliced(grid, undefined, 0, Number.NaN)).rejects.toThrow("not a finite number");
    });
  });
}
