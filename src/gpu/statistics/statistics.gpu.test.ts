import { describe, expect, it } from "vitest";
import { makeField } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import { countsIn, maxBins } from "../../core/histogram.ts";
import { unattended } from "../../core/job.ts";
import { statistics } from "../../core/statistics.ts";
import { uploadField } from "../fields/upload.ts";
import { testGpu } from "../testing/context.ts";
import { firstElement } from "./first-element.ts";
import { histogram } from "./histogram.ts";
import { selectionOn } from "./selection.ts";
import { fieldStatistics } from "./statistics.ts";

function grid(n: number): Grid {
  return { kind: "uniform", dims: [n, 1, 1], origin: [0, 0, 0], spacing: [1, 1, 1] };
}

/** A fixed sequence of f32 in [low, high). */
function noise(length: number, low: number, high: number): Float32Array {
  let state = 12345;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return low + (high - low) * (state / 2 ** 32);
  });
}

async function uploaded(data: Float32Array | Float64Array | Uint8Array, components = 1) {
  const gpu = await testGpu();
  const g = grid(data.length / components);
  const field = await uploadField(gpu, g, makeField(g, "f", "node", components, data), unattended);
  return { gpu, field };
}

async function expectStatistics(data: Float32Array | Float64Array, components: number, relative: number) {
  const { gpu, field } = await uploaded(data, components);
  const before = gpu.pool.use.current;
  const got = await fieldStatistics(gpu, field);
  expect(gpu.pool.use.current).toBe(before);
  field.buffer.release();
  const due = statistics(data, components);
  expect([got.nan, got.infinite, got.count]).toEqual([due.nan, due.infinite, due.count]);
  const scale = Math.max(Math.abs(due.min), Math.abs(due.max));
  for (const key of ["min", "max", "mean"] as const) {
    expect(Math.abs(got[key] - due[key]), key).toBeLessThanOrEqual(relative * scale);
  }
}

describe("field statistics", () => {
  it.each([1, 2, 255, 256, 257, 4096, 300_001])("of %d random values", async (n) => {
    await expectStatistics(noise(n, -3, 5), 1, 24 * 2 ** -24);
  });

  it.each([2, 3, 9])("of the magnitude of %d components", async (components) => {
    await expectStatistics(noise(components * 5000, -2, 2), components, 40 * 2 ** -24);
  });

  it("have the exact range of a scalar field", async () => {
    const data = noise(70_000, -1e-3, 1e7);
    const { gpu, field } = await uploaded(data);
    const { min, max } = await fieldStatistics(gpu, field);
    const due = statistics(data);
    expect([min, max]).toEqual([due.min, due.max]);
  });

  it("count NaN and infinities and leave them out", async () => {
    const data = noise(1000, 1, 2);
    data.set([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, Number.NaN], 400);
    await expectStatistics(data, 1, 24 * 2 ** -24);
  });

  it("call a vector with a NaN component NaN, though another is infinite", async () => {
    const data = noise(300, 1, 2);
    data.set([Number.POSITIVE_INFINITY, Number.NaN, 1, 1, Number.NEGATIVE_INFINITY, 2], 30);
    await expectStatistics(data, 3, 40 * 2 ** -24);
  });

  it("are NaN where nothing is finite", async () => {
    const { gpu, field } = await uploaded(new Float32Array(300).fill(Number.NaN));
    const { min, max, mean, nan } = await fieldStatistics(gpu, field);
    expect([min, max, mean, nan]).toEqual([Number.NaN, Number.NaN, Number.NaN, 300]);
  });

  it("survive fill values whose sum or square overflows f32", async () => {
    const data = noise(9000, 1, 2);
    for (let i = 0; i < data.length; i += 7) data[i] = 9.96921e36;
    await expectStatistics(data, 1, 24 * 2 ** -24);
    await expectStatistics(data, 3, 40 * 2 ** -24);
  });

  it("keep the variation of f64 values around a large offset", async () => {
    const data = Float64Array.from(noise(5000, 0, 0.02), (x) => 101325 + x);
    const { gpu, field } = await uploaded(data);
    expect(field.offsets[0]).not.toBe(0);
    const got = await fieldStatistics(gpu, field);
    const due = statistics(data);
    for (const key of ["min", "max", "mean"] as const) expect(got[key]).toBeCloseTo(due[key], 8);
  });

  it("add the offsets of vectors before taking the magnitude", async () => {
    const data = Float64Array.from(noise(3000, 0, 0.01), (x, i) => x + [300, 400, 0][i % 3]);
    await expectStatistics(data, 3, 8 * 2 ** -24);
  });
});

describe("a histogram", () => {
  it("counts integers exactly, both ends included", async () => {
    const data = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7) % 251);
    const { gpu, field } = await uploaded(data);
    const due = new Uint32Array(64);
    for (const value of data) if (value >= 32 && value <= 96) due[Math.min(value - 32, 63)]++;
    expect(await histogram(gpu, field, [32, 96], 64)).toEqual(due);
  });

  it("leaves NaN, infinities and values outside out", async () => {
    const { gpu, field } = await uploaded(
      Float32Array.of(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -1, 0, 0.5, 1, 2),
    );
    expect(await histogram(gpu, field, [0, 1], 2)).toEqual(Uint32Array.of(1, 2));
  });

  it("has the counts that the edges say, as the host has", async () => {
    const data = Float32Array.from({ length: 300 }, (_, i) => Math.round(i % 111) * 0.1 + 1000);
    const { gpu, field } = await uploaded(data);
    const range = [data[0], data[110]] as const;
    for (const bins of [11, 110, 777]) {
      expect(await histogram(gpu, field, range, bins)).toEqual(countsIn(data, 1, range, bins));
    }
  });

  it("bins magnitudes of vectors", async () => {
    const { gpu, field } = await uploaded(Float32Array.of(3, 4, 0, 0, 0, 1, 6, 0, 8), 3);
    expect(await histogram(gpu, field, [0, 12], 4)).toEqual(Uint32Array.of(1, 1, 0, 1));
  });

  it.each([0, 1.5, maxBins + 1])("refuses %d bins", async (bins) => {
    const { gpu, field } = await uploaded(Float32Array.of(1, 2));
    await expect(histogram(gpu, field, [0, 1], bins)).rejects.toThrow("bins");
  });

  it("refuses a range without extent", async () => {
    const { gpu, field } = await uploaded(Float32Array.of(1, 2));
    await expect(histogram(gpu, field, [1, 1], 4)).rejects.toThrow("range");
  });
});

describe("a selection", () => {
  it("has the values of ranks, without NaN and infinities", async () => {
    const data = noise(5000, -1, 1).map((x) => x ** 9);
    data.set([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, -0, -0], 700);
    const { gpu, field } = await uploaded(data);
    const sorted = data.filter(Number.isFinite).sort();
    const before = gpu.pool.use.current;
    const selection = selectionOn(gpu, field);
    expect(await selection.finite()).toBe(4997);
    for (const rank of [0, 1, 2000, 2498, 4996]) expect(await selection.valueOf(rank)).toBe(sorted[rank] + 0);
    expect(gpu.pool.use.current).toBe(before);
  });
});

describe("the first element of a value", () => {
  it("is found by its index, and missed as undefined", async () => {
    const data = noise(70_000, 0, 1);
    data[40_001] = 7;
    data[61_234] = 7;
    const { gpu, field } = await uploaded(data);
    expect(await firstElement(gpu, field, 7)).toBe(40_001);
    expect(await firstElement(gpu, field, data[0])).toBe(0);
    expect(await firstElement(gpu, field, 8)).toBeUndefined();
  });
});
