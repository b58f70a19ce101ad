import { afterAll, expect, it } from "vitest";
import { isosurface } from "../../algorithms/isosurface/isosurface.ts";
import { cubeGrid } from "../../algorithms/isosurface/testing/fields.ts";
import { joinMeshes } from "../../core/join-meshes.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { hashedField } from "../../core/testing/hashed.ts";
import { uploaded } from "../../gpu/algorithms/surface/testing/upload.ts";
import { testGpu } from "../../gpu/testing/context.ts";
import { TrilinearExtractor } from "./trilinear-extractor.ts";

const gpu = await testGpu();
const grid = cubeGrid([17, 16, 15]);
const host = hashedField(grid);
const { tables, fields, release } = await uploaded(gpu, grid, { host });
const extractor = new TrilinearExtractor(gpu, {});
await extractor.setSource({ tables, color: fields.host, grid, hostField: host, hostColor: host });
afterAll(() => {
  extractor.dispose();
  release();
});

const due = (isovalue: number) => isosurface(grid, host, isovalue, { color: host, topology: "trilinear" });

it("shows the latest of several requests, in buffers that grow to hold it", async () => {
  extractor.extract([12.5]);
  extractor.extract([50.5]);
  const mesh = await extractor.readMesh();
  const expected = await due(50.5);
  expect(mesh.positions.length).toBeGreaterThan(3 * 5000);
  expect(mesh.positions).toEqual(expected.positions);
  expect(mesh.indices).toEqual(expected.indices);
  expectArraysClose(mesh.scalars ?? [], expected.scalars ?? [], { absolute: 1e-4 });
  expect(await extractor.counts()).toMatchObject({
    isovalue: 50.5,
    triangles: expected.indices.length / 3,
    isTruncated: false,
  });
});

it("keeps the surfaces of several isovalues apart, and clips them", async () => {
  extractor.extract([20.5, 80.5]);
  const mesh = await extractor.readMesh();
  const expected = joinMeshes([await due(20.5), await due(80.5)]);
  expect(mesh.indices).toEqual(expected.indices);
  expect(mesh.positions).toEqual(expected.positions);
  extractor.setClip({ origin: [0, 0, 0.1], normal: [0, 0, 1] });
  const clipped = await extractor.readMesh();
  const heights = clipped.positions.filter((_, i) => i % 3 === 2);
  expect(heights.length).toBeGreaterThan(1000);
  expect(Math.min(...heights)).toBeCloseTo(0.1, 6);
  extractor.setClip(undefined);
});
