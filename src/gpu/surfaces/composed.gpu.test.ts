import { afterAll, expect, it } from "vitest";
import { type Cutter, composedCut } from "../../algorithms/surfaces/cut.ts";
import { composedSlice } from "../../algorithms/surfaces/slice.ts";
import type { Surface } from "../../algorithms/surfaces/surface.ts";
import { surfaceGrid } from "../../algorithms/surfaces/surface-grid.ts";
import { describeClip } from "../../algorithms/surfaces/testing/describe-clip.ts";
import { describeCut } from "../../algorithms/surfaces/testing/describe-cut.ts";
import { describeIsosurface } from "../../algorithms/surfaces/testing/describe-isosurface.ts";
import { describeSlice } from "../../algorithms/surfaces/testing/describe-slice.ts";
import { describeThreshold } from "../../algorithms/surfaces/testing/describe-threshold.ts";
import {
  composedCutMesh,
  composedMesh,
  composedSliceMesh,
  meshOf,
} from "../../algorithms/surfaces/testing/mesh.ts";
import { composedThreshold } from "../../algorithms/surfaces/threshold.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { crowdedGrid, sample, tangle } from "../../cpu/surfaces/testing/fields.ts";
import { createGpuPrimitives } from "../primitives/gpu-primitives/gpu-primitives.ts";
import { testGpu } from "../testing/context.ts";
import { isSweep } from "../testing/sweep.ts";
import { createCutExtractor } from "./cut/cut.ts";
import { IsosurfaceExtractor } from "./isosurface/extractor.ts";
import { createSliceExtractor } from "./slice/slice.ts";
import { uploaded } from "./testing/upload.ts";
import { createThresholdExtractor } from "./threshold/threshold.ts";

/** The one whose pipelines compile fastest; the primitives' own tests hold the others to it. */
const strategy = { subgroups: false, scan: "reduce-then-scan" } as const;
const gpu = await testGpu();
const p = await createGpuPrimitives(gpu, { strategy });
afterAll(() => p.dispose());

// Outside sweeps: what is clipped, and that all others are the surfaces of the fused kernels, which have suites of their own.
describeClip("gpu", async () => p);
if (isSweep) {
  describeIsosurface("gpu", async () => p, 6);
  describeCut("composed, gpu", (...of) => composedCutMesh(p, ...of));
  describeSlice("composed, gpu", (...of) => composedSliceMesh(p, ...of));
  describeThreshold("gpu", async () => p);
}

/**
 * The same mesh, but for the last bits of what is interpolated: an edge nearly in the plane that cuts it multiplies its
 * function's rounding.
 */
function expectAsFused(got: TriangleMesh, expected: TriangleMesh): void {
  expect(expected.indices.length).toBeGreaterThan(300);
  expect(got.indices).toEqual(expected.indices);
  expectArraysClose(got.positions, expected.positions, { absolute: 1e-5 }, "positions");
  expectArraysClose(got.normals, expected.normals, { absolute: 2e-5 }, "normals");
  expectArraysClose(got.scalars ?? [], expected.scalars ?? [], { absolute: 1e-4 }, "scalars");
}

it("composed surfaces are those of the kernels made for each", async () => {
  const grid = crowdedGrid([17, 14, 19]);
  const field = sample(grid, tangle);
  const { tables, fields, release } = await uploaded(gpu, grid, { field });
  const on = surfaceGrid(p, grid);
  const values = p.fromHost("f32", field.data as Float32Array);
  const take = async (surface: Surface) => {
    const mesh = await meshOf(p, surface, on.center);
    surface.release();
    return mesh;
  };
  const request = { fields: [values], isWelded: true };

  const isosurface = await IsosurfaceExtractor.create(gpu);
  await isosurface.setSource({ tables, field: fields.field, color: fields.field });
  isosurface.extract(0.4);
  expectAsFused(await composedMesh(p, grid, field, 0.4, { color: field }), await isosurface.readMesh());
  isosurface.dispose();

  const cut = await createCutExtractor(gpu);
  await cut.setSource({ tables, color: fields.field });
  for (const cutter of [
    { kind: "plane", plane: { origin: [0.07, -0.03, 0.11], normal: [0.8, -0.7, 0.3] } },
    { kind: "sphere", center: [0.1, 0.05, -0.2], radius: 0.83 },
  ] satisfies Cutter[]) {
    cut.extract(cutter);
    expectAsFused(await take(await composedCut(p, on, cutter, request)), await cut.readMesh());
  }
  cut.dispose();

  const slice = await createSliceExtractor(gpu);
  await slice.setSource({ grid, tables, color: fields.field });
  const across = { axis: 1, position: 0.13 };
  slice.extract(across);
  expectAsFused(await take(await composedSlice(p, on, across, request)), await slice.readMesh());
  slice.dispose();

  const threshold = await createThresholdExtractor(gpu);
  await threshold.setSource({ tables, field: fields.field, color: fields.field });
  threshold.extract([-1, 2]);
  const kept = await composedThreshold(p, on, values, [-1, 2], request);
  expectAsFused(await take(kept), await threshold.readMesh());
  threshold.dispose();
  for (const held of [on, values, { release }]) held.release();
});
