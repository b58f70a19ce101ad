import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toCoordinates } from "../hypercube/coordinates.ts";
import { countOf } from "../hypercube/shape.ts";
import { transformInPlace } from "./fourier.ts";
import { structureFactor } from "./structure-factor.ts";

/** By the definition, each element from all others. */
function plainTransform(lengths: readonly number[], re: Float64Array, im: Float64Array) {
  const places = Array.from(re, (_, i) => toCoordinates(lengths, i));
  const found = { re: new Float64Array(re.length), im: new Float64Array(re.length) };
  for (const [k, wave] of places.entries()) {
    for (const [j, place] of places.entries()) {
      const angle = -2 * Math.PI * place.reduce((sum, x, axis) => sum + (x * wave[axis]) / lengths[axis], 0);
      found.re[k] += re[j] * Math.cos(angle) - im[j] * Math.sin(angle);
      found.im[k] += re[j] * Math.sin(angle) + im[j] * Math.cos(angle);
    }
  }
  return found;
}

describe("transformInPlace", () => {
  it("is the sum over all elements, of any lengths", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
        fc.infiniteStream(fc.double({ min: -1, max: 1, noNaN: true })),
        (lengths, stream) => {
          const draw = () => Float64Array.from({ length: countOf(lengths) }, () => stream.next().value);
          const [re, im] = [draw(), draw()];
          const expected = plainTransform(lengths, re, im);
          transformInPlace(lengths, { re, im });
          for (let k = 0; k < re.length; k++) {
            expect(Math.abs(re[k] - expected.re[k])).toBeLessThan(1e-10);
            expect(Math.abs(im[k] - expected.im[k])).toBeLessThan(1e-10);
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe("structureFactor", () => {
  it("has a wave in its shell alone, and the wave's length as the domains' size", () => {
    const lengths = [24, 16];
    const wave = Float64Array.from(
      { length: 24 * 16 },
      (_, i) => 3 + 2 * Math.cos((2 * Math.PI * 3 * (i % 24)) / 24),
    );
    const { wavenumbers, values, domainSize } = structureFactor(lengths, wave);
    expect(domainSize).toBeCloseTo(8, 10);
    expect(wavenumbers[2]).toBeCloseTo((2 * Math.PI) / 8, 12);
    // Two wave vectors have |N · 2 / 2|² / N; those of a shell share it.
    const inShell = Array.from({ length: 24 * 16 }, (_, k) => {
      const [x, y] = [k % 24, Math.floor(k / 24)];
      return Math.round(Math.hypot(Math.min(x, 24 - x), (Math.min(y, 16 - y) * 24) / 16));
    }).filter((shell) => shell === 3).length;
    expect(values[2]).toBeCloseTo((2 * 24 * 16) / inShell, 9);
    for (const [k, value] of values.entries()) if (k !== 2) expect(value).toBeCloseTo(0, 9);
  });

  it("adds up components, and is NaN of what is the same everywhere", () => {
    const lengths = [8];
    const x = [1, 3, -2, 0.5, 2, 2, -1, 4];
    const both = Float64Array.from({ length: 16 }, (_, i) => (i % 2 === 0 ? x[i >> 1] : 2 * x[i >> 1]));
    const [one, two] = [structureFactor(lengths, x), structureFactor(lengths, both, 2)];
    for (const [k, value] of one.values.entries()) expect(two.values[k]).toBeCloseTo(5 * value, 9);
    expect(two.domainSize).toBeCloseTo(one.domainSize, 12);
    expect(structureFactor(lengths, new Float64Array(8)).domainSize).toBeNaN();
  });

  it("is 1 of independent spins", () => {
    let state = 1;
    const spins = Float64Array.from({ length: 64 * 64 }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state >= 2 ** 31 ? 1 : -1;
    });
    const { values } = structureFactor([64, 64], spins);
    const mean = values.slice(8).reduce((sum, value) => sum + value, 0) / (values.length - 8);
    expect(mean).toBeGreaterThan(0.9);
    expect(mean).toBeLessThan(1.1);
  });
});
