import { afterAll, describe, expect, it } from "vitest";
import { composedIsosurface } from "../../../algorithms/surfaces/isosurface.ts";
import { surfaceGrid } from "../../../algorithms/surfaces/surface-grid.ts";
import { describeContour, expectAsByLoop } from "../../../algorithms/surfaces/testing/describe-contour.ts";
import { arrayOf } from "../../../core/dtype.ts";
import { type Field, makeField } from "../../../core/field.ts";
import type { Grid, Triple } from "../../../core/grid.ts";
import { noJob } from "../../../core/job.ts";
import { joinMeshes } from "../../../core/join-meshes.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import { countEdges } from "../../../core/mesh-measures.ts";
import type { Vector } from "../../../core/primitives/vector.ts";
import { expectArraysClose } from "../../../core/testing/compare.ts";
import { createCpuPrimitives } from "../../../cpu/primitives/cpu-primitives.ts";
import { type IsosurfaceOptions, isosurface } from "../../../cpu/surfaces/isosurface.ts";
import {
  crowdedGrid,
  cubeGrid,
  sample,
  sphere,
  tangle,
  torus,
} from "../../../cpu/surfaces/testing/fields.ts";
import { uploadCompact } from "../../fields/compact-field.ts";
import { createGridTables } from "../../fields/grid-tables.ts";
import { uploadField } from "../../fields/upload.ts";
import { testGpu } from "../../testing/context.ts";
import { uploaded } from "../testing/upload.ts";
import { IsosurfaceExtractor } from "./extractor.ts";
import type { Isovalues } from "./isosurface-pass.ts";

const gpu = await testGpu();
const extractor = await IsosurfaceExtractor.create(gpu);
afterAll(() => extractor.dispose());

/** One ulp of f32 at 1. */
const ulp = 2 ** -23;

async function onGpu(
  grid: Grid,
  field: Field,
  isovalue: Isovalues,
  { component, color, colorComponent }: IsosurfaceOptions = {},
): Promise<TriangleMesh> {
  const tables = createGridTables(gpu, grid, "node");
  const sent = await uploadField(gpu, grid, field, noJob);
  const sentColor = color && (await uploadField(gpu, grid, color, noJob));
  try {
    await extractor.setSource({ tables, field: sent, component, color: sentColor, colorComponent });
    extractor.extract(isovalue);
    return await extractor.readMesh();
  } finally {
    for (const { buffer } of [tables, sent, ...(sentColor ? [sentColor] : [])]) buffer.release();
  }
}

describeContour("fused", onGpu, 25);

describe("numbers that f32 does not hold", () => {
  it("of f64 values around a large offset, coloured by such values", async () => {
    const grid = cubeGrid([9, 9, 9]);
    // Multiples of 2⁻²⁰ stay exact when the offset is taken off, so that both sides see the same field.
    const data = Float64Array.from(
      sample(grid, sphere).data as Float32Array,
      (x) => 101325 + Math.round(x * 2 ** 14) / 2 ** 20,
    );
    const field = makeField(grid, "p", "node", 1, data);
    await expectAsByLoop(onGpu, grid, field, 101325 + 0.7 / 64, { color: field });
  });

  it("far from the origin", async () => {
    const near = cubeGrid([9, 9, 9]);
    const far = { ...near, origin: [4e5, -3e5, 10] as Triple };
    const mesh = await onGpu(far, sample(near, sphere), 0.7);
    expect(mesh.indices).toEqual((await isosurface(near, sample(near, sphere), 0.7)).indices);
    expectArraysClose(mesh.normals, (await onGpu(near, sample(near, sphere), 0.7)).normals, {
      absolute: 1e-4,
    });
  });
});

describe("the buffers that are drawn", () => {
  it("have one vertex for each cut edge, whichever blocks it borders", async () => {
    const grid = crowdedGrid([26, 22, 18]);
    const host = sample(grid, tangle);
    const tables = createGridTables(gpu, grid, "node");
    const field = await uploadField(gpu, grid, host, noJob);
    await extractor.setSource({ tables, field });
    extractor.extract(0.5);
    const { vertices } = await extractor.counts();
    const mesh = await extractor.readMesh();
    expect(vertices).toBe(mesh.positions.length / 3);
    expect(countEdges(mesh)).toMatchObject({ irregular: 0 });
    for (const { buffer } of [tables, field]) buffer.release();
  });
});

describe("integers that stay as they are stored", () => {
  it.each(["u8", "i8", "u16", "i16"] as const)(
    "give the surface of the same numbers as f32: %s",
    async (dtype) => {
      const grid = crowdedGrid([19, 14, 11]);
      const isSigned = dtype.startsWith("i");
      const values = sample(grid, tangle).data;
      const data = new (arrayOf(dtype))(values.length);
      for (let i = 0; i < data.length; i++) {
        const value = Math.round(20 * Number(values[i])) - (isSigned ? 40 : 0);
        data[i] = Math.max(isSigned ? -128 : 0, Math.min(127, value));
      }
      const host = makeField(grid, "f", "node", 1, data);
      const color = sample(grid, torus);
      const tables = createGridTables(gpu, grid, "node");
      const field = await uploadCompact(gpu, grid, host, noJob);
      const sentColor = await uploadField(gpu, grid, color, noJob);
      expect(field.buffer.size).toBeLessThan(host.data.byteLength + 4);
      try {
        for (const isovalue of [10.5, 10, isSigned ? -20.25 : 0]) {
          await extractor.setSource({ tables, field, color: sentColor });
          extractor.extract(isovalue);
          const got = await extractor.readMesh();
          const expected = await isosurface(grid, host, isovalue, { color });
          expect(got.indices.length).toBeGreaterThan(0);
          expect(got.indices).toEqual(expected.indices);
          expectArraysClose(got.positions, expected.positions, { absolute: 4 * ulp }, "positions");
          expectArraysClose(got.normals, expected.normals, { absolute: 2e-5 }, "normals");
          expectArraysClose(got.scalars ?? [], expected.scalars ?? [], { absolute: 1e-5 }, "scalars");
        }
      } finally {
        for (const { buffer } of [tables, field, sentColor]) buffer.release();
      }
    },
  );
});

describe("several isovalues", () => {
  it("are one surface after the other, each welded by itself", async () => {
    const grid = cubeGrid([21, 18, 17]);
    const host = sample(grid, tangle);
    const isovalues = [0.5, 1.5, 0.5, -9, 3];
    const expected = joinMeshes(
      await Promise.all(isovalues.map((isovalue) => isosurface(grid, host, isovalue))),
    );
    const mesh = await onGpu(grid, host, isovalues);
    expect(mesh.indices).toEqual(expected.indices);
    expectArraysClose(mesh.positions, expected.positions, { absolute: 4 * ulp }, "positions");
  });

  it("are an empty surface each where none of them cuts the field", async () => {
    const grid = cubeGrid([6, 5, 4]);
    const tables = createGridTables(gpu, grid, "node");
    const field = await uploadField(gpu, grid, sample(grid, sphere), noJob);
    await extractor.setSource({ tables, field, color: field });
    for (const isovalues of [[-3], [-3, 99, -4]]) {
      extractor.extract(isovalues);
      const parts = await extractor.readParts([{ field }]);
      expect(parts.map(({ isovalue }) => isovalue)).toEqual(isovalues);
      for (const { indices, positions, normals, scalars, fields, cells, edges } of parts) {
        const lengths = [indices, positions, normals, scalars, fields[0], cells, edges].map(
          (words) => words?.length,
        );
        expect(lengths).toEqual([0, 0, 0, 0, 0, 0, 0]);
      }
      expect((await extractor.readMesh()).indices.length).toBe(0);
    }
    extractor.extract([0.5, 0.6]);
    extractor.setClip({ origin: [1e6, 0, 0], normal: [1, 0, 0] });
    await expect(extractor.readParts([])).rejects.toThrow("Take the clip away");
    expect((await extractor.readMesh()).indices.length).toBe(0);
    extractor.setClip(undefined);
    for (const { buffer } of [tables, field]) buffer.release();
  });

  it("are 1 to 32", async () => {
    const grid = cubeGrid([5, 5, 5]);
    const field = sample(grid, sphere);
    await expect(onGpu(grid, field, [])).rejects.toThrow("at 0 isovalues");
    await expect(onGpu(grid, field, new Array(33).fill(1))).rejects.toThrow("Give 1 to 32");
    await expect(onGpu(grid, field, [1, Number.NaN])).rejects.toThrow("NaN");
    const values = Array.from({ length: 32 }, (_, i) => 0.2 + 0.03 * i);
    expect((await onGpu(grid, field, values)).indices.length).toBeGreaterThan(0);
  });
});

describe("fields and cells beside the surface", () => {
  it("are those of the isovalues that were asked for last", async () => {
    const grid = cubeGrid([9, 8, 7]);
    const up = await uploaded(gpu, grid, { field: sample(grid, sphere) });
    await extractor.setSource({ tables: up.tables, field: up.fields.field });
    extractor.extract(0.5);
    const reading = extractor.readParts([{ field: up.fields.field }]);
    extractor.extract([0.6, 0.7]);
    const parts = await reading;
    expect(parts.map(({ isovalue }) => isovalue)).toEqual([0.6, 0.7]);
    for (const { isovalue, fields } of parts) {
      const expected = fields[0].map(() => isovalue);
      expectArraysClose(fields[0], expected, { absolute: 1e-6 }, "values");
    }
    up.release();
  });

  it("are those of the composed isosurface", async () => {
    const grid = crowdedGrid([13, 12, 11]);
    const host = sample(grid, tangle);
    const others = [sample(grid, torus), sample(grid, (x, y, z) => x - 2 * y * z)];
    const isovalues = [0.5, 2.25];
    const tables = createGridTables(gpu, grid, "node");
    const field = await uploadField(gpu, grid, host, noJob);
    const sent = await Promise.all(others.map((other) => uploadField(gpu, grid, other, noJob)));
    await extractor.setSource({ tables, field });
    extractor.extract(isovalues);
    const parts = await extractor.readParts(sent.map((other) => ({ field: other })));
    const other = { ...sent[0], dims: [12, 13, 11] as const };
    await expect(extractor.readParts([{ field: other }])).rejects.toThrow("12 × 13 × 11 values");
    await expect(extractor.readParts([{ field, component: 1 }])).rejects.toThrow("no component 1");
    for (const { buffer } of [tables, field, ...sent]) buffer.release();

    const p = createCpuPrimitives();
    const on = surfaceGrid(p, grid);
    const vectors = [host, ...others].map(({ data }) => p.fromHost("f32", data as Float32Array));
    const corners = (indices: Uint32Array, t: number) =>
      [...indices.subarray(3 * t, 3 * t + 3)].sort().join();
    for (const [i, part] of parts.entries()) {
      const expected = await composedIsosurface(p, on, vectors[0], {
        isovalues: [isovalues[i]],
        fields: vectors.slice(1),
        isWelded: true,
        hasCells: true,
      });
      expect(part.isovalue).toBe(isovalues[i]);
      for (const [f, values] of part.fields.entries()) {
        expectArraysClose(values, await p.toHost(expected.fields[f]), { absolute: 1e-6 }, `field ${f}`);
      }
      const [indices, cells] = await Promise.all([
        p.toHost(expected.indices as Vector<"u32">),
        p.toHost(expected.cells as Vector<"u32">),
      ]);
      const cellOf = new Map(Array.from(cells, (cell, t) => [corners(indices, t), cell]));
      expect(cellOf.size).toBe(part.cells.length);
      const expectedCells = Array.from(part.cells, (_, t) => cellOf.get(corners(part.indices, t)));
      expect([...part.cells]).toEqual(expectedCells);
    }
  });
});

it("finds room for many blocks with few vertices each", async () => {
  const grid = cubeGrid([56, 28, 28]);
  const field = sample(grid, () => 0);
  for (let k = 2; k < 28; k += 4) {
    for (let j = 2; j < 28; j += 4) {
      for (let i = 3; i < 56; i += 8) field.data[i + 56 * (j + 28 * k)] = 1;
    }
  }
  const mesh = await expectAsByLoop(onGpu, grid, field, 0.5);
  expect(mesh.positions.length / 3).toBe(7 * 7 * 7 * 6);
  expect((await extractor.counts()).vertices).toBe(7 * 7 * 7 * 6);
});
