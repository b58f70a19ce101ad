import { describe, expect, it } from "vitest";
import { makeField } from "../../../core/field.ts";
import type { Grid } from "../../../core/grid.ts";
import { randoms } from "../../../core/marching-cubes/trilinear/testing/cells.ts";
import type { Primitives } from "../../../core/primitives/primitives.ts";
import { expectArraysClose } from "../../../core/testing/compare.ts";
import { isosurface } from "../../isosurface/isosurface.ts";
import { countEdges } from "../../isosurface/measures.ts";
import { crowdedGrid, sample } from "../../isosurface/testing/fields.ts";
import { composedIsosurface } from "../isosurface.ts";
import { surfaceGrid } from "../surface-grid.ts";
import { componentOf, composedMesh, wordsOf } from "./mesh.ts";

/** Numbers without order, −1 at the border: surfaces are closed. */
function noiseOn(grid: Grid, number: (random: () => number) => number) {
  const [nx, ny, nz] = grid.dims;
  const random = randoms(nx);
  const data = Float32Array.from({ length: nx * ny * nz }, (_, p) => {
    const at = [p % nx, Math.floor(p / nx) % ny, Math.floor(p / (nx * ny))];
    const value = number(random);
    return at.some((i, d) => i === 0 || i === grid.dims[d] - 1) ? -1 : value;
  });
  return makeField(grid, "f", "node", 1, data);
}

/** The composed isosurface with the trilinear topology, on any primitives, is that of the loop. */
export function describeExact(name: string, make: () => Promise<Primitives>): void {
  describe(`composed isosurface with the trilinear topology: ${name}`, () => {
    it.each([
      ["any numbers", (random: () => number) => 2 * random() - 1],
      ["whole numbers, with their ties", (random: () => number) => Math.floor(7 * random()) - 3],
    ] as const)("of %s is the loop's", async (_, number) => {
      const p = await make();
      const grid = crowdedGrid([11, 10, 9]);
      const field = noiseOn(grid, number);
      const color = sample(grid, (x, y, z) => x + 2 * y - z);
      const options = { color, topology: "trilinear" } as const;
      const due = await isosurface(grid, field, 0, options);
      const got = await composedMesh(p, grid, field, 0, options);
      expect(countEdges(got)).toMatchObject({ boundary: 0, irregular: 0 });
      expectArraysClose(got.indices, due.indices, {}, "indices");
      expectArraysClose(got.positions, due.positions, { absolute: 1e-5 }, "positions");
      expectArraysClose(got.scalars ?? [], due.scalars ?? [], { absolute: 1e-5 }, "scalars");
      // Where the gradient cancels to next to nothing, rounding turns it.
      const turned = due.normals.filter((normal, i) => Math.abs(normal - got.normals[i]) > 1e-3);
      expect(turned.length).toBeLessThanOrEqual(due.normals.length / 200);
    });

    it("is a soup with its triangles' cells, too, of one isovalue at a time", async () => {
      const p = await make();
      const grid = crowdedGrid([7, 6, 8]);
      const on = surfaceGrid(p, grid);
      const field = noiseOn(grid, (random) => 2 * random() - 1);
      const values = p.fromHost("f32", componentOf(field));
      const topology = "trilinear";
      const due = await isosurface(grid, field, 0.1, { topology });
      const surface = await composedIsosurface(p, on, values, { isovalues: [0.1], hasCells: true, topology });
      const positions = (await p.toHost(surface.positions)).map((x, w) => x + on.center[w % 3]);
      const cells = await wordsOf(p, surface.cells);
      expect(positions.length).toBe(3 * due.indices.length);
      expect(cells.length).toBe(due.indices.length / 3);
      for (const [t, cell] of cells.entries()) {
        const at = [cell % 6, Math.floor(cell / 6) % 5, Math.floor(cell / 30)];
        for (let w = 9 * t; w < 9 * t + 9; w++) {
          const [low, high] = [0, 1].map((step) => grid.axes[w % 3][at[w % 3] + step]);
          expect(Math.abs(positions[w] - 0.5 * (low + high))).toBeLessThan(0.5 * (high - low) + 1e-6);
        }
      }
      surface.release();
      const two = composedIsosurface(p, on, values, { isovalues: [0, 1], topology });
      await expect(two).rejects.toMatchObject({ tag: "BadArgument" });
      for (const held of [on, values]) held.release();
    });
  });
}
