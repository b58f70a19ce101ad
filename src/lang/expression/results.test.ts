import { expect, test } from "vitest";
import { resultStatements } from "./results.ts";

const names = (text: string) => resultStatements(text).results.map(({ name }) => name);

test.each([
  ["q = q_criterion(v)", ["q"]],
  ["w = curl(v); e = dot(w, w)", ["e"]],
  ["a = u + 1\nb = u - 1", ["a", "b"]],
  ["a = u; b = if a > 0 then {a, a, 1}[0] else -c", ["b"]],
  ["a = u\na = a + 1", ["a"]],
  ["magnitude(v)", ["result"]],
  ["def f(a) = a + 1; b = f(u)", ["b"]],
  ["w = curl(v); def f(a) = dot(a, w); e = f(v)", ["e"]],
  ["w = curl(v); def f(a) = dot(a, w); def g(a) = f(a); e = g(v)", ["e"]],
  ["w = curl(v); def f(w) = dot(w, w); e = f(v)", ["w", "e"]],
  ["w = 1; def f(a) = a + w; w = 2; e = f(u)", ["w", "e"]],
  ["w = curl(v); def f(a) = dot(a, w)", ["w"]],
])("of %j the results are %j", (text, expected) => {
  expect(names(text)).toEqual(expected);
});

test("a result is quoted as written", () => {
  expect(resultStatements("w = 2; e =  w *\n 3 # note")).toEqual({
    results: [{ name: "e", text: "w *\n 3" }],
    steps: ["w"],
  });
});
