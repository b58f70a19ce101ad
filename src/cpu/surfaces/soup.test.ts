import { expect, it } from "vitest";
import { composedIsosurface } from "../../algorithms/surfaces/isosurface.ts";
import { surfaceGrid } from "../../algorithms/surfaces/surface-grid.ts";
import { describeFacets } from "../../algorithms/surfaces/testing/describe-facets.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { createCpuPrimitives } from "../primitives/cpu-primitives.ts";
import { isosurface } from "./isosurface.ts";
import { isosurfaceSoup } from "./soup.ts";
import { crowdedGrid, sample, tangle, torus } from "./testing/fields.ts";

const p: Primitives = createCpuPrimitives();

for (const normals of ["smooth", "flat"] as const) {
  describeFacets(`soup, ${normals}`, (grid, field, isovalue) =>
    isosurfaceSoup(grid, field, isovalue, normals),
  );
}

it.each(["smooth", "flat"] as const)(
  "is the composed soup, in its order, with %s normals",
  async (normals) => {
    const grid = crowdedGrid([12, 9, 11]);
    const [field, color] = [sample(grid, tangle), sample(grid, torus)];
    const got = await isosurfaceSoup(grid, field, 0.5, normals, { color });
    const on = surfaceGrid(p, grid);
    const [values, colors] = [field, color].map(({ data }) => p.fromHost("f32", data as Float32Array));
    const expected = await composedIsosurface(p, on, values, {
      isovalues: [0.5],
      fields: [colors],
      isFlat: normals === "flat",
    });
    const positions = (await p.toHost(expected.positions)).map((x, w) => x + on.center[w % 3]);
    expect(got.indices).toEqual(Uint32Array.from({ length: expected.positions.length }, (_, v) => v));
    expectArraysClose(got.positions, positions, { absolute: 1e-6 }, "positions");
    expectArraysClose(got.normals, await p.toHost(expected.normals), { absolute: 2e-5 }, "normals");
    expectArraysClose(got.scalars ?? [], await p.toHost(expected.fields[0]), { absolute: 1e-6 }, "scalars");
  },
);

it("has the triangles of the trilinear topology, too, and none where the surface is empty", async () => {
  const grid = crowdedGrid([12, 9, 11]);
  const noise = sample(grid, (x, y, z) => Math.sin(91 * x + 57 * y * z + 133 * z));
  const options = { topology: "trilinear" } as const;
  const { indices } = await isosurface(grid, noise, 0.1, options);
  const soup = await isosurfaceSoup(grid, noise, 0.1, "flat", options);
  expect(soup.indices.length).toBe(indices.length);
  expect((await isosurfaceSoup(grid, noise, 9, "flat")).positions.length).toBe(0);
});
