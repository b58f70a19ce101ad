import { describe, expect, it } from "vitest";
import { maxBins } from "../../../core/histogram.ts";
import type { FieldValues, Statistics } from "../../../core/statistics.ts";
import { firstElement } from "../first-element.ts";
import { histogram } from "../histogram.ts";
import { quantileOf, Selection } from "../selection.ts";
import { fieldStatistics } from "../statistics.ts";
import { trimmedRange } from "../trimmed-range.ts";
import { looped } from "./looped.ts";

export interface StatisticsSubject {
  /** Runs `look` at interleaved numbers as a field. */
  at<R>(
    data: Float32Array | Float64Array,
    components: number,
    look: (field: FieldValues) => Promise<R>,
  ): Promise<R>;
}

/** A fixed sequence of f32 in [low, high). */
function noise(length: number, low: number, high: number): Float32Array {
  let state = 12345;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return low + (high - low) * (state / 2 ** 32);
  });
}

/** Many magnitudes, both signs, many equal. */
function spread(length: number): Float32Array {
  let state = 1;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state % 997) - 498) * 10 ** ((state >>> 20) % 40) * 1e-20;
  });
}

const { NaN: nan, POSITIVE_INFINITY: high, NEGATIVE_INFINITY: low } = Number;

/** What statistics are, on whatever primitives: expected values are those of plain loops in f64, and NumPy's. */
export function describeStatistics(name: string, { at }: StatisticsSubject): void {
  async function expectStatistics(data: Float32Array | Float64Array, components: number, relative: number) {
    const got = await at(data, components, fieldStatistics);
    const expected = looped(data, components);
    expect([got.nan, got.infinite, got.count]).toEqual([expected.nan, expected.infinite, expected.count]);
    const scale = Math.max(Math.abs(expected.min), Math.abs(expected.max));
    for (const key of ["min", "max", "mean"] as const) {
      expect(Math.abs(got[key] - expected[key]), key).toBeLessThanOrEqual(relative * scale);
    }
  }

  describe(`statistics: ${name}`, () => {
    it.each([1, 2, 255, 256, 257, 4096, 300_001])("of %d random values", async (n) => {
      await expectStatistics(noise(n, -3, 5), 1, 24 * 2 ** -24);
    });

    it.each([2, 3, 9])("of the magnitude of %d components", async (components) => {
      await expectStatistics(noise(components * 5000, -2, 2), components, 40 * 2 ** -24);
    });

    it("have the exact range of scalars", async () => {
      const data = noise(70_000, -1e-3, 1e7);
      const { min, max } = await at(data, 1, fieldStatistics);
      const expected: Statistics = looped(data, 1);
      expect([min, max]).toEqual([expected.min, expected.max]);
    });

    it("count NaN and infinities and leave them out", async () => {
      const data = noise(1000, 1, 2);
      data.set([nan, high, low, nan, nan], 400);
      await expectStatistics(data, 1, 24 * 2 ** -24);
    });

    it("call a vector with a NaN component NaN, though another is infinite", async () => {
      const data = noise(300, 1, 2);
      data.set([high, nan, 1, 1, low, 2], 30);
      await expectStatistics(data, 3, 40 * 2 ** -24);
    });

    it("are NaN where nothing is finite", async () => {
      const { min, max, mean, nan: none } = await at(new Float32Array(300).fill(nan), 1, fieldStatistics);
      expect([min, max, mean, none]).toEqual([nan, nan, nan, 300]);
    });

    it("survive fill values whose sum or square overflows f32", async () => {
      const data = noise(9000, 1, 2);
      for (let i = 0; i < data.length; i += 7) data[i] = 9.96921e36;
      await expectStatistics(data, 1, 24 * 2 ** -24);
      await expectStatistics(data, 3, 40 * 2 ** -24);
    });

    it("keep the variation of f64 values around a large offset", async () => {
      const data = Float64Array.from(noise(5000, 0, 0.02), (x) => 101325 + x);
      const got = await at(data, 1, fieldStatistics);
      const expected = looped(data, 1);
      for (const key of ["min", "max", "mean"] as const) expect(got[key]).toBeCloseTo(expected[key], 8);
    });

    it("add the offsets of vectors before taking the magnitude", async () => {
      const data = Float64Array.from(noise(3000, 0, 0.01), (x, i) => x + [300, 400, 0][i % 3]);
      await expectStatistics(data, 3, 8 * 2 ** -24);
    });
  });

  describe(`a histogram: ${name}`, () => {
    const counts = (data: Float32Array, range: readonly [number, number], bins: number, components = 1) =>
      at(data, components, (field) => histogram(field, range, bins));

    it("counts integers exactly, both ends included", async () => {
      const data = Float32Array.from({ length: 5000 }, (_, i) => (i * 7) % 251);
      const expected = new Uint32Array(64);
      for (const value of data) if (value >= 32 && value <= 96) expected[Math.min(value - 32, 63)]++;
      expect(await counts(data, [32, 96], 64)).toEqual(expected);
    });

    it("leaves NaN, infinities and values outside out", async () => {
      const data = Float32Array.of(nan, high, low, -1, 0, 0.5, 1, 2);
      expect(await counts(data, [0, 1], 2)).toEqual(Uint32Array.of(1, 2));
    });

    it("has the counts that the edges say, where a quotient would round across them", async () => {
      // numpy.histogram(numpy.float32(numpy.arange(12) * 0.1).astype("f8"), 11), numpy 2.4.6
      const data = Float32Array.from({ length: 12 }, (_, i) => i * 0.1);
      const got = await counts(data, [data[0], data[11]], 11);
      expect([...got]).toEqual([2, 1, 0, 2, 1, 0, 2, 1, 1, 1, 1]);
    });

    it("has the counts that the edges say, about a large offset", async () => {
      const data = Float32Array.from({ length: 300 }, (_, i) => Math.round(i % 111) * 0.1 + 1000);
      const [first, last] = [data[0], data[110]];
      for (const bins of [11, 110, 777]) {
        const edges = Array.from({ length: bins }, (_, k) => first + k * ((last - first) / bins));
        const expected = new Uint32Array(bins);
        for (const value of data) expected[edges.findLastIndex((edge) => edge <= value)]++;
        expect(await counts(data, [first, last], bins)).toEqual(expected);
      }
    });

    it("bins magnitudes of vectors", async () => {
      const data = Float32Array.of(3, 4, 0, 0, 0, 1, 6, 0, 8);
      expect(await counts(data, [0, 12], 4, 3)).toEqual(Uint32Array.of(1, 1, 0, 1));
    });

    it.each([0, 1.5, maxBins + 1])("refuses %d bins", async (bins) => {
      await expect(counts(Float32Array.of(1, 2), [0, 1], bins)).rejects.toThrow("bins");
    });

    it("refuses a range without extent", async () => {
      await expect(counts(Float32Array.of(1, 2), [1, 1], 4)).rejects.toThrow("range");
    });
  });

  describe(`a selection: ${name}`, () => {
    const quantile = (values: readonly number[], p: number) =>
      at(Float32Array.from(values), 1, (field) => quantileOf(new Selection(field), p));
    const data = [3, -1.5, 8, 0.25, 8, 2, -7, 100, 0, 1e-3];

    // numpy.quantile(numpy.float32(data).astype("f8"), p), numpy 2.4.6
    it.each([
      [0, -7],
      [0.1, -2.05],
      [0.25, 0.0002500000118743628],
      [0.5, 1.125],
      [0.75, 6.75],
      [0.9, 17.199999999999978],
      [0.95, 58.59999999999996],
      [1, 100],
    ])("has the quantile %d", async (p, expected) => {
      expect(await quantile(data, p)).toBeCloseTo(expected, 12);
    });

    it("leaves out NaN and infinities", async () => {
      expect(await quantile([low, 1, nan, 2, high, 4, -nan], 0.5)).toBe(2);
      expect(await quantile([low, nan, high], 0.5)).toBeNaN();
    });

    it("has the values of ranks, by digits of any width", async () => {
      const values = spread(5000);
      values.set([nan, high, low, 0, -0, -0], 700);
      const sorted = values.filter(Number.isFinite).sort();
      await at(values, 1, async (field) => {
        for (const digits of [undefined, [16, 16], [8, 8, 8, 8]]) {
          const selection = new Selection(field, digits);
          expect(await selection.finite()).toBe(4997);
          for (const rank of [0, 1, 17, 2498, 2499, 4995, 4996]) {
            expect(await selection.valueOf(rank), `rank ${rank}`).toBe(sorted[rank] + 0);
          }
        }
      });
    });

    it("counts each digit once", async () => {
      await at(Float32Array.of(1, 2, 3), 1, async (field) => {
        let counted = 0;
        const { primitives } = field;
        const countEach: typeof primitives.countEach = (...call) => {
          counted++;
          return primitives.countEach(...call);
        };
        const watched = { ...field, primitives: { ...bound(primitives), countEach } };
        const selection = new Selection(watched);
        expect([await quantileOf(selection, 0.5), await quantileOf(selection, 0.5)]).toEqual([2, 2]);
        expect(counted).toBe(3);
      });
    });

    it("has the magnitudes of vectors", async () => {
      const data = Float32Array.of(3, 4, 6, 8, 0, 1);
      expect(await at(data, 2, (field) => quantileOf(new Selection(field), 0.5))).toBe(5);
    });
  });

  describe(`the first element of a value: ${name}`, () => {
    it("is found by its index, and missed as undefined", async () => {
      const data = noise(70_000, 0, 1);
      data[40_001] = 7;
      data[61_234] = 7;
      await at(data, 1, async (field) => {
        expect(await firstElement(field, 7)).toBe(40_001);
        expect(await firstElement(field, data[0])).toBe(0);
        expect(await firstElement(field, 8)).toBeUndefined();
      });
    });

    it("may be a magnitude", async () => {
      expect(await at(Float32Array.of(1, 0, 3, 4, 4, 3), 2, (field) => firstElement(field, 5))).toBe(1);
    });
  });

  describe(`a trimmed range: ${name}`, () => {
    it("leaves out a share of the values at either end", async () => {
      const data = Float32Array.from({ length: 10_000 }, (_, i) => (i * 7919) % 10_000);
      data[5] = 1e6;
      data[6] = nan;
      const [from, to] = (await at(data, 1, (field) => trimmedRange(field, 0.01))) ?? [];
      expect(from).toBe(0);
      expect(to).toBeGreaterThan(9900);
      expect(to).toBeLessThan(12_000);
    });

    it("is the whole where no tail is cut, one value of one, and nothing of nothing", async () => {
      const whole = await at(noise(1000, -1, 1), 1, (field) => trimmedRange(field, 0));
      const { min, max } = looped(noise(1000, -1, 1), 1);
      expect(whole).toEqual([min, max]);
      expect(await at(Float32Array.of(nan, 4, 4), 1, (field) => trimmedRange(field, 0.1))).toEqual([4, 4]);
      expect(await at(Float32Array.of(nan, high), 1, (field) => trimmedRange(field, 0.1))).toBeUndefined();
    });
  });
}

/** The methods as functions of their own. */
const bound = (primitives: FieldValues["primitives"]): FieldValues["primitives"] => ({
  fromHost: (...call) => primitives.fromHost(...call),
  toHost: (...call) => primitives.toHost(...call),
  reduceEach: (...call) => primitives.reduceEach(...call),
  countEach: (...call) => primitives.countEach(...call),
});
