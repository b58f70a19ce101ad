import { expect, it } from "vitest";
import { makeField } from "../../../../core/field.ts";
import type { Grid } from "../../../../core/grid.ts";
import { noJob } from "../../../../core/job.ts";
import { testGpu } from "../../../../gpu/testing/context.ts";
import type { ElementFilter } from "../../filters/filter.ts";
import { findFilter } from "../../filters/registry.ts";
import { networkOf } from "../testing/conformance.ts";
import { dataSetOf, randomNumbers } from "../testing/data-sets.ts";
import { GpuDataSet, readInterleaved } from "../testing/evaluate.ts";
import { evaluateOnGpu } from "./evaluate.ts";

type Matrix = readonly (readonly number[])[];

const random = randomNumbers(4);

/** The rotation of a random unit quaternion. */
function randomRotation(): Matrix {
  const raw = [0, 0, 0, 0].map(() => random() - 0.5);
  const size = Math.hypot(...raw);
  const [w, x, y, z] = raw.map((value) => value / size);
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

/** Q D Qᵀ, row-major. */
function rotated(d: Matrix, q: Matrix): number[] {
  return [0, 1, 2].flatMap((r) =>
    [0, 1, 2].map((c) => {
      let sum = 0;
      for (let a = 0; a < 3; a++) for (let b = 0; b < 3; b++) sum += q[r][a] * d[a][b] * q[c][b];
      return sum;
    }),
  );
}

it("keeps lambda2's digits where eigenvalues nearly meet, and at every scale", async () => {
  const tensors: number[][] = [];
  const expected: number[] = [];
  for (const scale of [1, 1e-12, 1e12]) {
    for (let exponent = 0; exponent <= 9; exponent++) {
      for (let repeat = 0; repeat < 20; repeat++) {
        const gap = 10 ** -exponent;
        const turn = random();
        // A strain of eigenvalues a, b, c has λ₂ = the middle square; a rotation about the third axis, in a plane
        // stretched equally, takes the square of its rate off both of the plane's.
        for (const [a, b, c, w] of [
          [1, 1 + gap, 3, 0],
          [3, 3 - gap, 1, 0],
          [1, 1, 1 + gap, 0],
          [1, 1, 2, turn],
        ]) {
          const tensor: Matrix = [
            [a, -w, 0],
            [w, b, 0],
            [0, 0, c],
          ];
          tensors.push(rotated(tensor, randomRotation()).map((value) => value * scale));
          const squares = [a * a - w * w, b * b - w * w, c * c].sort((x, y) => x - y);
          expected.push(squares[1] * scale * scale);
        }
      }
    }
  }
  const n = tensors.length;
  const grid: Grid = { kind: "uniform", dims: [n, 1, 1], origin: [0, 0, 0], spacing: [1, 1, 1] };
  const data = dataSetOf(grid, makeField(grid, "f0", "node", 9, Float32Array.from(tensors.flat())));
  const filter = findFilter("lambda2_of_gradient") as ElementFilter;
  const gpu = await testGpu();
  const inputs = new GpuDataSet(gpu, data);
  const network = networkOf(filter, filter.overloads[0]);
  const { fields } = await evaluateOnGpu(gpu, network, inputs, ["result"], noJob);
  const field = fields.get("result")!;
  const got = await readInterleaved(gpu, field);
  field.buffer.release();
  await inputs.release();
  const relative = Array.from(got, (value, i) => {
    const norm = tensors[i].reduce((sum, x) => sum + x * x, 0);
    return Math.abs(value - expected[i]) / norm;
  });
  // A few roundings of f32 in units of the tensor's squared norm; the trigonometric formula alone would lose 10⁻⁴.
  expect(Math.max(...relative)).toBeLessThan(8 * 2 ** -23);
});
