import { expect, it } from "vitest";
import { type Grid, valuePosition } from "../../core/grid.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { nodesAbove } from "./nodes-above.ts";

const p = createCpuPrimitives();
const grid: Grid = { kind: "uniform", dims: [4, 3, 5], origin: [-1, 0, 2], spacing: [0.5, 1, 2] };

for (const [centering, count] of [
  ["node", 60],
  ["cell", 24],
] as const) {
  it(`finds the ${centering}s whose value is greater, and where they are`, async () => {
    const data = Float32Array.from({ length: count }, (_, i) => (i % 7 === 3 ? Number.NaN : (i * 5) % 11));
    const { indices, coordinates } = await nodesAbove(p, grid, centering, p.fromHost("f32", data), 6);
    const expected = [...data.keys()].filter((i) => data[i] > 6);
    expect([...(await p.toHost(indices))]).toEqual(expected);
    const got = await Promise.all(coordinates.map((along) => p.toHost(along)));
    expect(expected.map((_, k) => got.map((along) => along[k]))).toEqual(
      expected.map((i) => valuePosition(grid, centering, i)),
    );
  });
}

it("finds none where none is greater, and refuses what does not fit the grid", async () => {
  const { indices, coordinates } = await nodesAbove(p, grid, "node", await p.fill("f32", 60, 6), 6);
  expect([indices, ...coordinates].map(({ length }) => length)).toEqual([0, 0, 0, 0]);
  const few = await p.fill("f32", 59, 0);
  expect(() => nodesAbove(p, grid, "node", few, 6)).toThrow("59 values on a grid of 60");
});

it("compares to the threshold itself, not to the f32 nearest to it", async () => {
  const data = new Float32Array(60).fill(0.1);
  expect(data[0]).toBeGreaterThan(0.1);
  const values = p.fromHost("f32", data);
  expect((await nodesAbove(p, grid, "node", values, 0.1)).indices.length).toBe(60);
  expect((await nodesAbove(p, grid, "node", values, data[0])).indices.length).toBe(0);
});
