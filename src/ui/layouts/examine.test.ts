import { expect, it } from "vitest";
import { resultOf, type Source, sourceOf, summaryOf } from "./examine.ts";
import { examples } from "./examples.ts";

const arrayOf = (shape: string): Source => {
  const { value, problem } = { value: undefined, ...sourceOf(shape) };
  if (!value) throw new Error(problem);
  return value;
};

it("every example has a result", () => {
  for (const { shape, transforms } of Object.values(examples)) {
    const source = arrayOf(shape);
    for (const text of transforms) expect(resultOf(source, text).problem, text).toBeUndefined();
  }
});

it("results tell where each element comes from, and what is lost", () => {
  const { value: made } = { value: undefined, ...resultOf(arrayOf("[2,3]"), "pshift(x, 1)") };
  expect(made).toMatchObject({ lengths: [3, 2], shape: "[2,3]", filled: 2, staying: 0, isBijection: false });
  expect([...(made?.sources ?? [])]).toEqual([-1, 0, 1, -1, 3, 4]);
  expect(made && summaryOf(made, 6)).toBe(
    "0 of 6 elements stay where they are; 2 are filled with 0; 2 are left out.",
  );
});

it.each([
  ["[3", "A shape stands in brackets, as [64,64,float32] does (line 1, column 1)."],
  ["[2,2,2,2]", "The shape has 4 axes. This page shows arrays of 1 to 3."],
  ["[1000,8]", "An axis has 1000 elements. Of 2 axes, this page shows up to 256 along each."],
])("what cannot be shown is refused in a sentence: %s", (shape, problem) => {
  expect(sourceOf(shape).problem).toBe(problem);
});

it("wrong transforms are refused in a sentence, with the place in the text", () => {
  const problem = (text: string) => resultOf(arrayOf("[8,8]"), text).problem;
  expect(problem("crinkel(x, 2)")).toBe(
    "There is no transform “crinkel” (line 1, column 1). Did you mean crinkle?",
  );
  expect(problem("pad(x, 0, 100000)")).toBe(
    "The result has 800,064 elements. This page shows up to 262,144.",
  );
});
