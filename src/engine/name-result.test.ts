import { expect, test } from "vitest";
import { CrinkleError } from "../core/errors.ts";
import { nameResult, withoutName } from "./name-result.ts";

const nameOf = (text: string, results: readonly { name: string; expression: string }[] = []) =>
  nameResult(text, results, ["p", "result3"]).text;

test("a last statement without a name gets the first that is free", () => {
  expect(nameOf("curl(v)")).toBe("result = curl(v)");
  expect(nameOf("w = curl(v)\n  w[0] # x")).toBe("w = curl(v)\n  result = w[0] # x");
  expect(nameOf("curl(v)", [{ name: "result", expression: "p" }])).toBe("result2 = curl(v)");
  const both = ["result", "result2"].map((name) => ({ name, expression: "p" }));
  expect(nameOf("curl(v)", both)).toBe("result4 = curl(v)");
});

test("a text that was computed before gets the name that it had", () => {
  const results = [
    { name: "mine", expression: "curl(v)" },
    { name: "result", expression: "p" },
    { name: "result2", expression: "curl(v)" },
  ];
  expect(nameOf("curl(v)", results)).toBe("result2 = curl(v)");
});

test("a text with a name, an error or without a value is left as it is", () => {
  for (const text of ["w = curl(v)", "w = curl(v); u = w", "curl(", "def f(a) = a", ""]) {
    expect(nameOf(text)).toBe(text);
  }
});

test("errors point into the text as it was given", () => {
  const given = "w = p\nw + nothing";
  const named = nameResult(given, [], []);
  const from = named.text.indexOf("nothing");
  const span = { from, to: from + 7, line: 2, column: from - named.text.indexOf("\n") };
  const before = { from: 0, to: 1, line: 1, column: 1 };
  const error = new CrinkleError({ tag: "UnknownName", problem: "There is none.", span, related: [before] });
  const moved = withoutName(error, named) as CrinkleError;
  expect(given.slice(moved.span?.from, moved.span?.to)).toBe("nothing");
  expect(moved.span?.column).toBe(5);
  expect(moved.related).toEqual([before]);
});
