import { afterAll, expect, it } from "vitest";
import { add, defineOperator, max } from "../../../core/primitives/operators.ts";
import type { Vector } from "../../../core/primitives/vector.ts";
import { testGpu } from "../../testing/context.ts";
import { createGpuPrimitives } from "./gpu-primitives.ts";

const gpu = await testGpu();
const primitives = await createGpuPrimitives(gpu, { strategy: { subgroups: true, scan: "chained" } });

afterAll(() => primitives.dispose());

/** A number that no other shader has: what it is in has to be compiled. */
const unique = () => `${100_000 + Math.floor(Math.random() * 1e9)}u`;
const slow = () => {
  const own = unique();
  return { name: "slow", text: `select(x, ${own}, x == ${own})` };
};

it("changes and reads vectors in the order of the calls, whatever has to be compiled first", async () => {
  const target = primitives.fromHost("u32", Uint32Array.of(1, 2, 3, 4));
  const pairs = primitives.fromHost("u32", Uint32Array.of(1, 1, 2, 2, 3, 3, 4, 4), 2);
  const map = primitives.counting("u32", 4);
  const own = unique();
  const sum = defineOperator({
    name: "sum",
    isCommutative: true,
    identity: 0,
    text: `a + b + select(0u, 1u, a == ${own})`,
  });
  const isAny = { name: "any", text: `x != ${own}` };
  const write = (value: number, isChecked = false) =>
    primitives.scatter(primitives.constant("u32", 4, value), map, target, isChecked);
  const words = async (made: Promise<Vector>) => [...(await primitives.toHost(await made))];
  const results = [
    primitives.toHost(target).then((data) => [...data]),
    write(5),
    words(primitives.transform(target, slow(), "u32")),
    write(6),
    words(primitives.copy(target)),
    primitives.reduce(target, add),
    primitives.reduce(target, sum),
    write(7),
    words(primitives.inclusiveScan(target, sum)),
    words(primitives.copyIf(target, { where: isAny })),
    words(primitives.gather(map, target, true)),
    write(8),
    primitives.front(target),
    write(9, true),
    words(primitives.sort(target)),
    words(primitives.uniqueByKey(target, pairs).then(({ values }) => values)),
    words(primitives.histogramEven(target, 0, 10, 10)),
    write(10),
    primitives.reduce(target, max),
  ];
  expect(await Promise.all(results)).toEqual([
    [1, 2, 3, 4],
    undefined,
    [5, 5, 5, 5],
    undefined,
    [6, 6, 6, 6],
    24,
    24,
    undefined,
    [7, 14, 21, 28],
    [7, 7, 7, 7],
    [7, 7, 7, 7],
    undefined,
    8,
    undefined,
    [9, 9, 9, 9],
    [1, 1],
    [0, 0, 0, 0, 0, 0, 0, 0, 0, 4],
    undefined,
    10,
  ]);
  target.release();
  pairs.release();
});

it("goes on after a method that failed", async () => {
  const vector = primitives.fromHost("u32", Uint32Array.of(1, 2, 3));
  const broken = primitives.transform(vector, { name: "broken", text: "x +" }, "u32");
  const outside = primitives.gather(primitives.constant("u32", 2, 5), vector, true);
  const sum = primitives.reduce(vector, add);
  await expect(broken).rejects.toMatchObject({ tag: "ShaderError" });
  await expect(outside).rejects.toMatchObject({ tag: "BadArgument" });
  expect(await sum).toBe(6);
});
