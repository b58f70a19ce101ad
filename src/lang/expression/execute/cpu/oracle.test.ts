import { beforeAll, describe, expect, it } from "vitest";
import type { DataSet } from "../../../../core/field.ts";
import { noJob } from "../../../../core/job.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { sharedData } from "../../../../core/testing/shared-data.ts";
import { readDataSet } from "../../../../data/read.ts";
import { bytesSource } from "../../../../data/source.ts";
import { type Results, runOnCpu } from "../testing/evaluate.ts";

/**
 * Values of VTK 9.1's vtkGradientFilter (its ResultArray, Vorticity, QCriterion and Divergence) on the array “vectors”
 * of carotid.vtk, and of NumPy's eigvalsh of S² + Ω² of those gradients. VTK, too, takes one-sided differences at the
 * border. Rows: point, gradient row by row, vorticity, Q, divergence.
 */
const points: readonly (readonly [
  readonly number[],
  readonly number[],
  readonly number[],
  number,
  number,
])[] = [
  [
    [0, 0, 0],
    [0.007219, 0.007657, 0.00388, -0.00076, 0.0002260001, -0.006821, -0.007385, 0.001006, -2.100004e-5],
    [0.007827, 0.011265, -0.008417],
    1.525231e-5,
    0.007424,
  ],
  [
    [75, 48, 44],
    [-0.000912, -0.004067, -0.001582, 0.00266, -0.000512, -0.00189, -0.002476, -0.008529, -0.005394],
    [-0.006639, 0.0008939998, 0.006727],
    -2.431318e-5,
    -0.006818,
  ],
  [
    [20, 30, 0],
    [-0.00415, -0.0061025, 0.018086, -0.003007, -0.003855, -0.004180999, 0.0075975, 0.0071695, 0.001761],
    [0.0113505, 0.0104885, 0.0030955],
    -0.0001433752,
    -0.006244,
  ],
  [
    [45, 12, 35],
    [0.00024, 0.001226, -9.350001e-5, 0.001167, 0.0019535, 0.002766, 0.000611, -0.000382, 0.0019065],
    [-0.003148, -0.0007045, -5.899995e-5],
    -4.071253e-6,
    0.0041,
  ],
];

const whole = {
  q: {
    min: -137.65818786621094,
    max: 25.588272094726562,
    mean: -0.04170759390147447,
    sum: -28181.659517051878,
  },
  vorticity: { max: 17.539759412864285, mean: 0.1867152821998731 },
  lambda2: {
    min: -25.074454120507333,
    max: 37.67903047071066,
    mean: 0.0007842701969676785,
    sum: 462.4839266063453,
  },
  divergence: { sum: 766.7521298262673 },
};

/** Σ value · (1 + index mod 7): one number that every value and its place enter. */
const weighted = (values: ArrayLike<number>) => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] * (1 + (i % 7));
  return sum;
};

describe("the carotid artery's flow, against VTK", () => {
  let dataSet: DataSet | undefined;
  let got: Results;

  beforeAll(async () => {
    const bytes = await sharedData("carotid.vtk");
    if (!bytes) return;
    dataSet = await readDataSet(bytesSource(bytes, "carotid.vtk"), noJob);
    got = await runOnCpu(
      "g = gradient(vectors); w = curl(vectors); q = q_criterion(vectors); d = divergence(vectors); l = lambda2(vectors); m = magnitude(w)",
      dataSet,
    );
  });

  it("agrees at points inside and on the border", () => {
    if (!dataSet) return;
    const [nx, ny] = dataSet.grid.dims;
    for (const [[i, j, k], gradient, vorticity, q, divergence] of points) {
      const at = i + nx * (j + ny * k);
      const take = (values: ArrayLike<number>, n: number) =>
        Array.from({ length: n }, (_, c) => values[at * n + c]);
      const tolerance = { relative: 1e-6, absolute: 1e-9 };
      expectArraysClose(take(got.g, 9), gradient, tolerance, "gradient");
      expectArraysClose(take(got.w, 3), vorticity, tolerance, "vorticity");
      expectArraysClose([got.q[at]], [q], { relative: 1e-6 }, "Q");
      expectArraysClose([got.d[at]], [divergence], tolerance, "divergence");
    }
  });

  it("agrees over the whole field", () => {
    if (!dataSet) return;
    const summary = (values: ArrayLike<number>) => {
      let [min, max, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
      for (let i = 0; i < values.length; i++) {
        min = Math.min(min, values[i]);
        max = Math.max(max, values[i]);
        sum += values[i];
      }
      return { min, max, mean: sum / values.length };
    };
    const q = summary(got.q);
    expect(q.min).toBeCloseTo(whole.q.min, 4);
    expect(q.max).toBeCloseTo(whole.q.max, 5);
    expect(q.mean).toBeCloseTo(whole.q.mean, 7);
    expect(weighted(got.q) / whole.q.sum).toBeCloseTo(1, 6);
    const m = summary(got.m);
    expect(m.max).toBeCloseTo(whole.vorticity.max, 5);
    expect(m.mean).toBeCloseTo(whole.vorticity.mean, 7);
    const l = summary(got.l);
    expect(l.min).toBeCloseTo(whole.lambda2.min, 4);
    expect(l.max).toBeCloseTo(whole.lambda2.max, 4);
    expect(l.mean).toBeCloseTo(whole.lambda2.mean, 7);
    expect(weighted(got.l) / whole.lambda2.sum).toBeCloseTo(1, 5);
    expect(weighted(got.d) / whole.divergence.sum).toBeCloseTo(1, 4);
  });
});
