import { expect, it, vi } from "vitest";
import { writtenCombination } from "../core/primitives/combinations.ts";
import { add, defineOperator, max, min } from "../core/primitives/operators.ts";
import { randomWords, scalarTypes } from "../core/primitives/testing/data.ts";
import { combination, keptByText } from "./element-functions.ts";

const edges = {
  u32: [0, 1, 2 ** 31, 2 ** 32 - 1],
  i32: [0, 1, -1, -(2 ** 31), 2 ** 31 - 1],
  f32: [0, -0, 1, -1, 2 ** -149, 2 ** 127, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN],
};

it("operators written in JavaScript are what their texts say, to the bit", () => {
  for (const operator of [add, min, max]) {
    for (const type of scalarTypes) {
      const written = writtenCombination(type, operator);
      const { name } = operator;
      const made = combination(type, defineOperator({ name, identity: 0, text: operator.text(type) }));
      const random = Array.from(randomWords(20, 5), (word) => (type === "i32" ? word | 0 : word));
      const values = [...edges[type], ...(type === "f32" ? random.map(Math.fround) : random)];
      for (const a of values) {
        for (const b of values) expect(written?.(a, b), `${name} ${type} ${a} ${b}`).toBe(made(a, b));
      }
    }
  }
});

it("what is made of a text is kept for the same text and key, while it is among the latest", () => {
  const make = vi.fn(({ text }: { readonly text: string }, key: string) => `${text} of ${key}`);
  const kept = keptByText(make);
  expect(kept({ text: "x + 1" }, "f32")).toBe("x + 1 of f32");
  expect(kept({ text: "x + 1" }, "f32")).toBe("x + 1 of f32");
  expect(kept({ text: "x + 1" }, "u32")).toBe("x + 1 of u32");
  expect(make).toHaveBeenCalledTimes(2);
  for (let i = 0; i < 999; i++) {
    kept({ text: `x + ${i + 2}` }, "f32");
    kept({ text: "x + 1" }, "f32");
  }
  expect(make).toHaveBeenCalledTimes(1001);
  kept({ text: "x + 1" }, "u32");
  expect(make).toHaveBeenCalledTimes(1002);
});
