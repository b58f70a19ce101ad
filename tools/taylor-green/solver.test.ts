import { inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { expectArraysClose } from "../../src/core/testing/compare.ts";
import { diagnose } from "./diagnostics.mjs";
import { planFft } from "./fft.mjs";
import { run } from "./run.mjs";
import { pointValues } from "./sample.mjs";
import { createSolver, taylorGreen } from "./solver.mjs";
import { createSpectrum, forEachMode, planTransforms } from "./spectral.mjs";
import { encodeVti, roundToBits } from "./vti.mjs";

/** Numbers in [−1, 1), the same in every run. */
function noise(length: number, seed = 1): Float64Array {
  let state = seed;
  return Float64Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

describe("planFft", () => {
  it.each([1, 2, 3, 4, 6, 8, 12, 24, 27, 96])("gives the direct sum for length %i", (n) => {
    const lines = 3;
    const re = noise(n * lines, 7);
    const im = noise(n * lines, 8);
    const expectedRe = new Float64Array(n * lines);
    const expectedIm = new Float64Array(n * lines);
    for (let k = 0; k < n; k++) {
      for (let j = 0; j < n; j++) {
        const angle = (-2 * Math.PI * ((j * k) % n)) / n;
        for (let b = 0; b < lines; b++) {
          const [a, c] = [re[j * lines + b], im[j * lines + b]];
          expectedRe[k * lines + b] += a * Math.cos(angle) - c * Math.sin(angle);
          expectedIm[k * lines + b] += a * Math.sin(angle) + c * Math.cos(angle);
        }
      }
    }
    planFft(n, lines)(re, im);
    expectArraysClose(re, expectedRe, { absolute: 1e-13 * n }, "real part");
    expectArraysClose(im, expectedIm, { absolute: 1e-13 * n }, "imaginary part");
  });

  it("refuses a length with another prime factor", () => {
    expect(() => planFft(10, 1)).toThrow("10");
  });
});

describe("planTransforms", () => {
  const n = 4;
  const m = 6;

  it("evaluates the Fourier sum at every point of the padded grid", () => {
    const spectrum = createSpectrum(n);
    const values = noise(2 * spectrum.re.length, 3);
    const expected = new Float64Array(m ** 3);
    forEachMode(n, (i, kx, ky, kz) => {
      if (ky === -n / 2 || kz === -n / 2) return;
      // k and −k are both stored where kx = 0; one of each pair, with the mean, stands for both
      if (kx === 0 && (kz < 0 || (kz === 0 && ky < 0))) return;
      const mean = kx === 0 && ky === 0 && kz === 0;
      const [re, im] = [values[2 * i], mean ? 0 : values[2 * i + 1]];
      spectrum.re[i] = re;
      spectrum.im[i] = im;
      if (kx === 0) {
        const mirror = (((n - kz) % n) * n + ((n - ky) % n)) * (n / 2);
        spectrum.re[mirror] = re;
        spectrum.im[mirror] = mean ? 0 : -im;
      }
      for (let z = 0; z < m; z++) {
        for (let x = 0; x < m; x++) {
          for (let y = 0; y < m; y++) {
            const phase = (2 * Math.PI * (kx * x + ky * y + kz * z)) / m;
            expected[(z * m + x) * m + y] += (mean ? 1 : 2) * (re * Math.cos(phase) - im * Math.sin(phase));
          }
        }
      }
    });
    const field = new Float64Array(m ** 3);
    const { toField, toSpectrum } = planTransforms(n, m);
    toField(spectrum, field);
    expectArraysClose(field, expected, { absolute: 1e-12 }, "field");

    const again = createSpectrum(n);
    toSpectrum(field, again);
    expectArraysClose(again.re, spectrum.re, { absolute: 1e-14 }, "real part");
    expectArraysClose(again.im, spectrum.im, { absolute: 1e-14 }, "imaginary part");
  });

  it("leaves the modes of a product free of aliasing", () => {
    // cos²3x holds the modes 0 and 6. Of n = 8 modes, 6 is none; on 8 points it would count as −2, on 12 as no mode.
    const [modes, points] = [8, 12];
    const field = Float64Array.from({ length: points ** 3 }, (_, i) => {
      return Math.cos((2 * Math.PI * 3 * (Math.floor(i / points) % points)) / points) ** 2;
    });
    const spectrum = createSpectrum(modes);
    planTransforms(modes, points).toSpectrum(field, spectrum);
    const expected = new Float64Array(spectrum.re.length);
    expected[0] = 0.5;
    expectArraysClose(spectrum.re, expected, { absolute: 1e-15 });
    expectArraysClose(spectrum.im, new Float64Array(expected.length), { absolute: 1e-15 });
  });
});

describe("the Taylor–Green vortex", () => {
  it("starts from Taylor and Green's field, with its pressure", () => {
    const n = 16;
    const velocity = taylorGreen(n);
    const solver = createSolver({ modes: n, viscosity: 0.1, timeStep: 0.1 });
    const expected = [new Float64Array(3 * n ** 3), new Float64Array(n ** 3)];
    for (let i = 0; i < n ** 3; i++) {
      const [x, y, z] = [i % n, Math.floor(i / n) % n, Math.floor(i / n ** 2)].map(
        (j) => (2 * Math.PI * j) / n,
      );
      expected[0][3 * i] = Math.sin(x) * Math.cos(y) * Math.cos(z);
      expected[0][3 * i + 1] = -Math.cos(x) * Math.sin(y) * Math.cos(z);
      expected[1][i] = ((Math.cos(2 * x) + Math.cos(2 * y)) * (Math.cos(2 * z) + 2)) / 16;
    }
    expectArraysClose(pointValues(velocity, n), expected[0], { absolute: 1e-15 }, "velocity");
    expectArraysClose(
      pointValues([solver.pressure(velocity)], n),
      expected[1],
      { absolute: 1e-15 },
      "pressure",
    );
  });

  it("loses the energy that viscosity takes, stays free of divergence and follows the series", () => {
    const { checks, kept } = run({ modes: 16, reynolds: 100, timeStep: 0.02, end: 1 });
    expect(checks.initialEnergy).toBeCloseTo(0.125, 15);
    expect(checks.balance).toBeLessThan(1e-10);
    expect(checks.divergence).toBeLessThan(1e-14);
    expect(checks.early).toBeLessThan(1e-6);
    expect(kept.time).toBeCloseTo(1, 12);
  });

  it("conserves energy without viscosity, to fourth order in the time step", () => {
    const drift = [0.2, 0.1].map((timeStep) => {
      const velocity = taylorGreen(16);
      const solver = createSolver({ modes: 16, viscosity: 0, timeStep });
      for (let time = 0; time < 4 - 1e-9; time += timeStep) solver.step(velocity);
      return Math.abs(diagnose(velocity, 16).energy - 0.125);
    });
    expect(drift[0]).toBeLessThan(1e-3);
    expect(drift[0] / drift[1]).toBeGreaterThan(16);
  });
});

describe("encodeVti", () => {
  it("writes blocks that inflate to the rounded values", () => {
    const values = roundToBits(noise(3 * 50 ** 3), 10);
    const file = encodeVti({
      dims: [50, 50, 50],
      origin: [0, 0, 0],
      spacing: [1, 1, 1],
      arrays: [{ name: "velocity", components: 3, values }],
      comment: "noise",
    });
    let at = file.indexOf("<AppendedData") + '<AppendedData encoding="raw">\n   _'.length;
    const [count, size, last] = [0, 4, 8].map((offset) => file.readUInt32LE(at + offset));
    expect((count - 1) * size + last).toBe(4 * values.length);
    const lengths = Array.from({ length: count }, (_, i) => file.readUInt32LE(at + 12 + 4 * i));
    at += 12 + 4 * count;
    const blocks = lengths.map((length) => {
      at += length;
      return inflateSync(file.subarray(at - length, at));
    });
    const bytes = Buffer.concat(blocks);
    const read = Float32Array.from(values, (_, i) => bytes.readFloatLE(4 * i));
    expectArraysClose(read, values);
    expect(file.subarray(at).toString()).toBe("\n  </AppendedData>\n</VTKFile>\n");
  });

  it("rounds to half of 2^−bits", () => {
    expect(Array.from(roundToBits([0.3, -0.3, -0.01], 2))).toEqual([0.25, -0.25, 0]);
  });
});
