import { describe, expect, it } from "vitest";
import { makeField } from "../../core/field.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { describeAnalyticCases } from "../../lang/expression/execute/testing/analytic.ts";
import { dataSetOf, randomGrid, sampledField } from "../../lang/expression/execute/testing/data-sets.ts";
import { runOnCpu } from "../../lang/expression/execute/testing/evaluate.ts";
import { runOnRanks } from "./testing/on-ranks.ts";

const grid = randomGrid([7, 6, 9], 5);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "velocity", "node", (x, y, z) => [
    Math.sin(3 * y) - z,
    Math.cos(2 * z) + x * x,
    Math.sin(x * y) + z,
  ]),
  sampledField(grid, "p", "node", (x, y, z) => Math.sin(5 * x) * y - z * z),
  sampledField(grid, "c", "cell", (x, y, z) => Math.cos(4 * z) + x * y),
  makeField(
    grid,
    "level",
    "node",
    1,
    Float64Array.from({ length: 7 * 6 * 9 }, (_, i) => 1e6 + (i % 13) / 8),
  ),
);

/** Whose fields are to be one rank's to the bit: stencils of stencils, both centrings, and what depends on positions. */
const texts = [
  "q = q_criterion(velocity)",
  "a = magnitude(curl(velocity)); b = laplacian(a); r = b - gradient(p)[2]",
  "r = gaussian(p, 1) + median_filter(p)",
  "r = recenter(c) * p; s = recenter(p) + c",
  "r = node_id() + 10 * indices()[2] + coords()[2] * max_coord()[2]",
  "r = indices()[0] - 10 * indices()[1] + coords()[0] * max_coord()[1]; p = max_position(c)[0] + max_position(p)[1]",
  "r = random(3) + zone_id()",
  "r = level - avg(level)",
  "r = shift(level, {2, -1, 3}) + flip(velocity, x, z)[1]; s = shift(c, {1, 0, 5}) - max(flip(p, y))",
];

/** Blocks along x, y and z of 6 x 5 x 8 cells; sometimes more than there are cells. */
const divisions = [
  [1, 1, 1],
  [1, 1, 4],
  [1, 1, 11],
  [2, 2, 1],
  [2, 2, 2],
  [1, 3, 2],
  [7, 1, 1],
] as const;

describe("expressions over ranks", () => {
  it.each(divisions)("give fields in blocks of %i x %i x %i the bits of one rank's", async (...blocks) => {
    for (const [k, text] of texts.entries()) {
      const got = await runOnRanks(blocks, text, dataSet, k % 2 === 0 ? "host" : "all");
      const expected = await runOnCpu(text, dataSet);
      for (const name of Object.keys(expected)) {
        expect(Array.from(got[name]), `${name} of ${text}`).toEqual(Array.from(expected[name]));
      }
    }
  });

  it.each(divisions)("move what is computed in blocks of %i x %i x %i", async (...blocks) => {
    const text =
      "r = gradient(shift(magnitude(curl(velocity)), {1, 2, 3}))[2] + flip(gradient(flip(2 * p, z))[0], x)";
    const got = await runOnRanks(blocks, text, dataSet);
    const expected = await runOnCpu(text, dataSet);
    // What moves is rounded to f32, of which differences are divided by steps down to 0.1.
    expectArraysClose(got.r, expected.r, { absolute: 2e-5 });
  });

  it("exchange axes of equal lengths", async () => {
    const cube = randomGrid([5, 3, 5], 3);
    const numbers = dataSetOf(
      cube,
      sampledField(cube, "f", "node", (x, y, z) => x - 7 * y + z * z),
    );
    const text = "r = transpose(f, x, z); s = shift(transpose(flip(f, z), z, x), {1, 1, 1})";
    for (const blocks of [
      [1, 1, 3],
      [2, 1, 2],
    ])
      expect(await runOnRanks(blocks, text, numbers)).toEqual(await runOnCpu(text, numbers));
    await expect(runOnRanks([1, 1, 2], "r = transpose(f, x, y)", numbers)).rejects.toThrow(
      "Axes of 5 and 3 nodes cannot change places",
    );
  });

  it("give ranks that have no layers of a flat grid nothing to do", async () => {
    const flat = randomGrid([9, 8, 1], 2);
    const plane = dataSetOf(
      flat,
      sampledField(flat, "f", "node", (x, y) => x * y),
    );
    const text = "r = gradient(f)[0]; m = max(f) + quantile(f, 0.3)";
    for (const blocks of [3, [3, 1, 1], [1, 2, 2]])
      expect(await runOnRanks(blocks, text, plane)).toEqual(await runOnCpu(text, plane));
  });
});

for (const ranks of [3, 4]) {
  describe(`on ${ranks} ranks`, () => {
    describeAnalyticCases(
      (text, given) =>
        runOnRanks(ranks === 3 ? [3, 1, 1] : [1, 2, 2], text, given, ranks === 3 ? "host" : "all"),
      15,
    );
  });
}
