import { expect, test } from "vitest";
import { sample } from "./sample.ts";

const grid = {
  axes: [
    [0, 1, 3],
    [0, 2],
    [0, 1],
  ],
};
const linear = Float32Array.from({ length: 12 }, (_, i) => {
  const [x, y, z] = [
    grid.axes[0][i % 3],
    grid.axes[1][Math.floor(i / 3) % 2],
    grid.axes[2][Math.floor(i / 6)],
  ];
  return 2 * x - y + 5 * z;
});

test("nodes are interpolated, cells are taken, and nothing is outside", async () => {
  const data = { grid, fields: { linear, cells: { data: Uint8Array.of(7, 9), centering: "cell" } } };
  const { inside, fields } = await sample(data, [0.5, 1, 0.25, 3, 2, 1, 1, 0, 0, 3.1, 0, 0]);
  expect([...inside]).toEqual([1, 1, 1, 0]);
  expect([...fields.linear.data]).toEqual([1.25, 9, 2, Number.NaN]);
  // A border of cells belongs to the upper one.
  expect([...fields.cells.data]).toEqual([7, 9, 9, Number.NaN]);
  expect(fields.cells.components).toBe(1);
});

test("a value that is NaN is not met beside it", async () => {
  const f = Float64Array.of(1, Number.NaN, 3);
  const line = { grid: { dims: [3, 1, 1] }, fields: { f } };
  const { fields } = await sample(line, [0, 0, 0, 0.5, 0, 0, 2, 0, 0, 2, 0.1, 0]);
  expect([...fields.f.data]).toEqual([1, Number.NaN, 3, Number.NaN]);
});

test.each([
  [[1, 2], "The positions are 2 numbers."],
  ["here", "The positions are “here”."],
])("%j are no positions", async (positions, problem) => {
  await expect(sample({ grid, fields: { linear } }, positions)).rejects.toThrow(problem);
});
