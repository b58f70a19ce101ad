import { expect, it } from "vitest";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { buildKdTree } from "./build.ts";
import { densityAt, pointDensity } from "./density.ts";

const p = createCpuPrimitives();

it("gives the density of points on a line by the ball to the kth of the others", async () => {
  const tree = await buildKdTree(p, Float32Array.of(0, 0, 0, 1, 0, 0, 3, 0, 0), 3);
  const expected = [2 / 27, 2 / 8, 2 / 27].map((reciprocal) => reciprocal / ((4 / 3) * Math.PI));
  expect([...pointDensity(tree, 2)].map((x) => x.toPrecision(6))).toEqual(
    expected.map((x) => x.toPrecision(6)),
  );
  expect([...pointDensity(tree, 5)]).toEqual([...pointDensity(tree, 2)]);
});

it("takes areas in two dimensions", async () => {
  const tree = await buildKdTree(p, Float32Array.of(0, 0, 2, 0), 2);
  expect([...pointDensity(tree, 1)].map((x) => x.toPrecision(6))).toEqual(
    [1, 1].map((others) => (others / (4 * Math.PI)).toPrecision(6)),
  );
});

it("is infinite where points are at one place, and 0 for a point alone", async () => {
  expect([...pointDensity(await buildKdTree(p, Float32Array.of(1, 2, 1, 2), 2), 1)]).toEqual([
    Infinity,
    Infinity,
  ]);
  expect([...pointDensity(await buildKdTree(p, Float32Array.of(1, 2), 2), 8)]).toEqual([0]);
  const none = await buildKdTree(p, new Float32Array(0), 3);
  expect(pointDensity(none, 8).length).toBe(0);
  expect(() => densityAt(none, [0, 0, 0], 0)).toThrow("the 0 nearest");
});
