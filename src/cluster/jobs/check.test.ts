import { expect, it } from "vitest";
import { valuesOf } from "../communicator/testing/run-ranks.ts";
import { check } from "./check.ts";

it.each([1, 2, 3, 4, 5, 8])("passes on a communicator of %i ranks", async (size) => {
  const told: number[] = [];
  const [results, ...others] = await valuesOf(size, { seed: size, delay: [1, 2] }, (world) =>
    check.run(world, { longBytes: 200_000 }, (fraction) => told.push(fraction)),
  );
  expect(results?.filter(({ passed }) => !passed)).toEqual([]);
  expect(results?.length).toBeGreaterThan(100);
  expect(new Set(results?.map(({ name }) => name)).size).toBe(results?.length);
  expect(told.length).toBe((results?.length ?? 0) * size);
  expect(told.at(-1)).toBe(1);
  expect(others.every((other) => other === undefined)).toBe(true);
});
