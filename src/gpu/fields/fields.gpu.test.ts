import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { arrayOf, type DType, dtypes } from "../../core/dtype.ts";
import { makeField } from "../../core/field.ts";
import { type Grid, gridCenter } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { readF32 } from "../device/transfer.ts";
import { testGpu } from "../testing/context.ts";
import { withoutMemory } from "../testing/refuse-memory.ts";
import { uploadCompact } from "./compact-field.ts";
import { downloadField } from "./download.ts";
import { createGridTables } from "./grid-tables.ts";
import { centeringOffsets, uploadField } from "./upload.ts";

const grid: Grid = { kind: "uniform", dims: [5, 4, 3], origin: [0, 0, 0], spacing: [1, 1, 1] };

describe("fields on the GPU", () => {
  test.each(dtypes)("%s fields come back as they went, for 1, 3 and 9 components", async (dtype: DType) => {
    const gpu = await testGpu();
    for (const components of [1, 3, 9]) {
      const data = new (arrayOf(dtype))(60 * components);
      for (let i = 0; i < data.length; i++) {
        const value = (i * 37) % 120;
        data[i] = (dtype.endsWith("64") && dtype !== "f64" ? BigInt(value) : value) as never;
      }
      const sent = await uploadField(gpu, grid, makeField(grid, "f", "node", components, data), noJob);
      const back = await downloadField(gpu, sent);
      expectArraysClose(back.data as Float32Array, Array.from(data, Number), {}, `${dtype} × ${components}`);
      sent.buffer.release();
    }
  });

  test("a field for which there is no memory is held by nobody", async () => {
    const gpu = await testGpu();
    const before = gpu.pool.use;
    const field = makeField(grid, "f", "node", 1, new Uint8Array(60));
    const uncaptured = await withoutMemory(
      gpu,
      ({ label }) => label === "the field “f”",
      async () => {
        for (const upload of [uploadField, uploadCompact]) {
          await expect(upload(gpu, grid, field, noJob)).rejects.toMatchObject({ tag: "OutOfMemory" });
        }
      },
    );
    expect(uncaptured).toEqual([]);
    expect(gpu.pool.use).toMatchObject({ current: before.current, buffers: before.buffers });
  });

  test("a cancelled upload frees its buffer", async () => {
    const gpu = await testGpu();
    const before = gpu.pool.use.current;
    const signal = AbortSignal.abort();
    const field = makeField(grid, "f", "node", 1, new Float32Array(60));
    await expect(uploadField(gpu, grid, field, { signal, progress: () => {} })).rejects.toThrow("cancelled");
    expect(gpu.pool.use.current).toBe(before);
  });

  test("small variations around a large level survive f64 → f32", async () => {
    const gpu = await testGpu();
    const data = Float64Array.from({ length: 60 }, (_, i) => 101325 + i * 1e-4);
    const sent = await uploadField(gpu, grid, makeField(grid, "p", "node", 1, data), noJob);
    expect(sent.offsets[0]).toBeCloseTo(101325 + 59 * 0.5e-4, 6);
    const planes = await readF32(gpu, sent.buffer);
    const differences = Array.from({ length: 59 }, (_, i) => planes[i + 1] - planes[i]);
    expectArraysClose(differences, new Array(59).fill(1e-4), { relative: 1e-4 });
    sent.buffer.release();
  });

  test("data that f32 holds is never centred", () => {
    expect(centeringOffsets({ data: Float32Array.from([1e6, 1e6 + 1]), components: 1 })).toEqual([0]);
    expect(centeringOffsets({ data: Float64Array.from([-1, 1]), components: 1 })).toEqual([0]);
    expect(centeringOffsets({ data: Float64Array.from([Number.NaN, Number.NaN]), components: 1 })).toEqual([
      0,
    ]);
  });
});

describe("grid tables", () => {
  test("hold coordinates about the centre and inverse spans that are exact for linear fields", async () => {
    const gpu = await testGpu();
    const axis = fc
      .array(fc.double({ min: 0.01, max: 10, noNaN: true }), { minLength: 1, maxLength: 6 })
      .map((steps) => {
        let at = 1e5;
        return Float64Array.from(steps, (step) => (at += step));
      });
    await fc.assert(
      fc.asyncProperty(axis, axis, axis, async (x, y, z) => {
        const rectilinear: Grid = {
          kind: "rectilinear",
          dims: [x.length, y.length, z.length],
          axes: [x, y, z],
        };
        const tables = createGridTables(gpu, rectilinear, "node");
        const words = await readF32(gpu, tables.buffer);
        tables.buffer.release();
        const center = gridCenter(rectilinear);
        [x, y, z].forEach((coordinates, a) => {
          const n = coordinates.length;
          const got = words.slice(tables.offsets[a], tables.offsets[a] + n);
          expectArraysClose(
            got,
            Array.from(coordinates, (c) => c - center[a]),
            { absolute: 1e-5 },
            "coordinates",
          );
          const inverse = words.slice(tables.total + tables.offsets[a], tables.total + tables.offsets[a] + n);
          const slopes = Array.from(inverse, (w, i) =>
            n === 1 ? w : w * (coordinates[Math.min(i + 1, n - 1)] - coordinates[Math.max(i - 1, 0)]),
          );
          expectArraysClose(slopes, new Array(n).fill(n === 1 ? 0 : 1), { absolute: 1e-6 }, "slopes");
        });
      }),
      { numRuns: 20 },
    );
  });
});
