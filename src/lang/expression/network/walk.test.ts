import { expect, it } from "vitest";
import { inputsFirst } from "./walk.ts";

it("lists inputs before their users, in the order of a recursive walk, each once", () => {
  const inputs: Record<number, number[]> = { 0: [], 1: [], 2: [1, 0], 3: [2, 1], 4: [2, 3] };
  expect(inputsFirst([4], (id) => inputs[id])).toEqual([1, 0, 2, 3, 4]);
  expect(inputsFirst([0, 3, 0], (id) => inputs[id])).toEqual([0, 1, 2, 3]);
});

it("takes chains of any length", () => {
  const order = inputsFirst([100_000], (id) => (id > 0 ? [id - 1] : []));
  expect(order).toEqual(Array.from({ length: 100_001 }, (_, id) => id));
});
