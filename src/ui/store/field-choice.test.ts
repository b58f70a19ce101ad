import { expect, test } from "vitest";
import { wholeField } from "../../lang/expression/syntax/field-scalars.ts";
import { fieldOf, rangeOf } from "../testing/fake-engine.ts";
import { choicesOf, describeComponents, findChoice } from "./field-choice.ts";

const range = rangeOf(0, 1);
const expressions = (name: string, components: number) =>
  choicesOf(fieldOf(name, components, range)).map(({ expression }) => expression);

test("what a surface can follow of each kind of field", () => {
  expect(expressions("p", 1)).toEqual(["p"]);
  expect(expressions("v", 2)).toEqual(["magnitude(v)", "v[0]", "v[1]"]);
  expect(expressions("X Velocity", 3)[0]).toBe('magnitude("X Velocity")');
  expect(expressions("if", 1)).toEqual(['"if"']);
  expect(expressions("t", 9).slice(0, 5)).toEqual([
    "magnitude(t)",
    "t[0][0]",
    "t[0][1]",
    "t[0][2]",
    "t[1][0]",
  ]);
  expect(expressions("rgba", 4)).toEqual(["rgba[0]", "rgba[1]", "rgba[2]", "rgba[3]"]);
  expect(wholeField(fieldOf("rgba", 4, range))).toBe("rgba[0]");
});

test("a choice is found by its expression, with the statistics that are known", () => {
  const fields = [fieldOf("p", 1, range), fieldOf("v", 3, range)];
  expect(findChoice(fields, "magnitude(v)")).toEqual({
    expression: "magnitude(v)",
    label: "magnitude(v)",
    source: "v",
    statistics: range,
  });
  expect(findChoice(fields, "v[1]")?.statistics).toBeUndefined();
  expect(findChoice(fields, "w")).toBeUndefined();
});

test("component counts in words", () => {
  expect([1, 2, 3, 7, 9].map(describeComponents)).toEqual([
    "scalar",
    "vector (2)",
    "vector (3)",
    "7 components",
    "tensor (3×3)",
  ]);
});
