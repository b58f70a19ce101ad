import { describe, expect, test } from "vitest";
import { cancelled } from "../../core/errors.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { hostHistogram, hostStatistics, hostValues } from "./host.ts";
import { digitsOf, Selection } from "./selection.ts";
import { looped } from "./testing/looped.ts";

const p = createCpuPrimitives();

describe("statistics of the host's arrays", () => {
  const data = Float32Array.from({ length: 3 * ((1 << 22) + 5) }, (_, i) => (i % 1001) - 300);
  data[7] = Number.NaN;
  data[data.length - 1] = Number.POSITIVE_INFINITY;

  test.each([1, 3])("in parts are those of the whole, for %d components", async (components) => {
    const shares: number[] = [];
    const { mean, ...rest } = await hostStatistics(p, data, components, (share) => shares.push(share));
    expect(rest).toMatchObject({ nan: 1, infinite: 1, count: data.length / components });
    const { mean: expected } = looped(data.subarray(0, 3 * 1001 * 100), components);
    expect(mean).toBeCloseTo(expected, 1);
    expect(shares[0]).toBe(0);
    expect(shares.length).toBeGreaterThan(1);
  });

  test("leave parts without numbers out, and end where whoever listens throws", async () => {
    const holes = new Float32Array(1 << 23).fill(Number.NaN);
    expect(await hostStatistics(p, holes, 1)).toMatchObject({ min: Number.NaN, nan: 1 << 23 });
    holes[0] = 4;
    expect(await hostStatistics(p, holes, 1)).toMatchObject({ min: 4, max: 4, mean: 4 });
    const stop = (share: number): void => {
      if (share > 0) throw cancelled("It");
    };
    await expect(hostStatistics(p, holes, 1, stop)).rejects.toThrow("cancelled");
  });

  test("leave NaN and infinities out and count them", async () => {
    const s = await hostStatistics(p, Float64Array.of(1, Number.NaN, 3, Number.POSITIVE_INFINITY, -2), 1);
    expect(s).toEqual({ min: -2, max: 3, mean: 2 / 3, nan: 1, infinite: 1, count: 5 });
  });

  test("are of the magnitude for vectors, and NaN where nothing is finite", async () => {
    expect(await hostStatistics(p, Float32Array.of(3, 4, 0, 0, 0, 1), 3)).toMatchObject({
      min: 1,
      max: 5,
      mean: 3,
      count: 2,
    });
    expect(await hostStatistics(p, Float32Array.of(Number.NaN), 1)).toMatchObject({
      min: Number.NaN,
      nan: 1,
    });
    expect(await hostStatistics(p, new Float32Array(0), 1)).toMatchObject({ min: Number.NaN, count: 0 });
  });

  test("are exact in f64 and in integers of any size, blocks of them too", async () => {
    const large = Float64Array.of(1e300, 0.1, -1e-300);
    expect(await hostStatistics(p, large, 1)).toMatchObject({ min: -1e-300, max: 1e300 });
    const level = Float64Array.of(101325 + 1e-9, 101325);
    expect(await hostStatistics(p, level, 1)).toMatchObject({ min: 101325, max: 101325 + 1e-9 });
    const whole = Int32Array.from({ length: 300_000 }, (_, i) => 2 ** 30 + i);
    expect(await hostStatistics(p, whole, 1)).toEqual({
      min: 2 ** 30,
      max: 2 ** 30 + 299_999,
      mean: 2 ** 30 + 149_999.5,
      nan: 0,
      infinite: 0,
      count: 300_000,
    });
    expect((await hostStatistics(p, BigInt64Array.of(-5n, 5n), 1)).mean).toBe(0);
    expect(await hostStatistics(p, Uint8Array.of(3, 4, 6, 8), 2)).toMatchObject({ min: 5, max: 10 });
  });

  test("leave the arrays as they are", async () => {
    const values = Float32Array.of(3, 1, 2);
    await hostStatistics(p, values, 1);
    expect([...values]).toEqual([3, 1, 2]);
  });
});

test("histograms of f64 are parted by the exact edges", async () => {
  const data = Float64Array.of(1, 1 + 1e-12, 1 + 2e-12, 1 + 4e-12);
  expect([...(await hostHistogram(p, data, 1, [1, 1 + 4e-12], 4))]).toEqual([1, 1, 1, 1]);
});

test("histograms of integers are counted a block at a time", async () => {
  const data = Uint16Array.from({ length: 400_000 }, (_, i) => i % 100);
  expect([...(await hostHistogram(p, data, 1, [0, 100], 4))]).toEqual([100_000, 100_000, 100_000, 100_000]);
});

test("histograms count the closed range, borders upwards, and leave the rest out", async () => {
  const data = Float64Array.of(0, 1, 1.5, 2, 4, -1, 5, Number.NaN, Number.POSITIVE_INFINITY);
  expect([...(await hostHistogram(p, data, 1, [0, 4], 4))]).toEqual([1, 2, 1, 1]);
  expect([...(await hostHistogram(p, Float64Array.of(3, 4, 0, 1), 2, [0, 5], 5))]).toEqual([0, 1, 0, 0, 1]);
});

test("selects doubles by their rank with all their digits", async () => {
  const values = Float64Array.from({ length: 4001 }, (_, i) => Math.sin(i * i) * 10 ** ((i % 41) - 20));
  values.set([1e8 + 0.25, 1e8 + 0.5, Number.NaN, -Infinity, -1e8 - 0.25, 0, -0], 100);
  const sorted = values.filter(Number.isFinite).sort();
  const selection = new Selection(hostValues(p, values, 1), digitsOf(values));
  expect(await selection.finite()).toBe(3999);
  for (const rank of [0, 1, 2, 1998, 1999, 2000, 2001, 3000, 3997, 3998]) {
    expect(await selection.valueOf(rank), `rank ${rank}`).toBe(sorted[rank] + 0);
  }
});

test("statistics of vectors have each component's finite range", async () => {
  const nan = Number.NaN;
  const vectors = Float64Array.of(1, nan, -Infinity, -4.5, nan, 3, 1e300, nan, -2);
  const { componentRanges } = await hostStatistics(p, vectors, 3);
  expect(componentRanges).toEqual([
    [-4.5, 1e300],
    [nan, nan],
    [-2, 3],
  ]);
  const whole = Int16Array.from({ length: 300_000 }, (_, i) => (i % 2 === 0 ? i % 1001 : -(i % 77)));
  expect((await hostStatistics(p, whole, 2)).componentRanges).toEqual([
    [0, 1000],
    [-76, 0],
  ]);
  expect((await hostStatistics(p, whole, 1)).componentRanges).toBeUndefined();
});
