import { expect, test } from "vitest";
import { afterCompute, afterRemoval, keptNames, type Program, replayBetween } from "./programs.ts";

const compute = (...texts: readonly [text: string, ...made: string[]][]) =>
  texts.reduce<readonly Program[]>((programs, [text, ...made]) => afterCompute(programs, text, made), []);

test("what is computed again replaces what had its name, and what nothing needs is left out", () => {
  const programs = compute(["a = p", "a"], ["a = 2*p", "a"], ["a = 3*p", "a"]);
  expect(programs).toEqual([{ text: "a = 3*p", made: ["a"], kept: ["a"] }]);
  expect(afterRemoval(programs, ["a"])).toEqual([]);
});

test("a text stays while a later one builds on it", () => {
  const programs = compute(["a = p", "a"], ["b = 2*a", "b"], ["a = 3", "a"]);
  expect(programs.map(({ text, kept }) => [text, ...kept])).toEqual([
    ["a = p"],
    ["b = 2*a", "b"],
    ["a = 3", "a"],
  ]);
  expect(keptNames(afterRemoval(programs, ["b"]))).toEqual(["a"]);
  expect(afterRemoval(programs, ["b"])).toHaveLength(1);
});

test("the way back from a computation removes what it made, and the way on computes it alone", () => {
  const before = compute(["a = p", "a"]);
  const after = afterCompute(before, "b = a; c = a", ["b", "c"]);
  expect(replayBetween(after, before)).toEqual({ texts: [], names: ["b", "c"] });
  expect(replayBetween(before, after)).toEqual({ texts: ["b = a; c = a"], names: [] });
  const oneRemoved = afterRemoval(after, ["b"]);
  expect(replayBetween(oneRemoved, after)).toEqual({ texts: ["a = p", "b = a; c = a"], names: [] });
  expect(replayBetween(before, oneRemoved)).toEqual({ texts: ["b = a; c = a"], names: ["b"] });
});

test("a recomputed name is computed as before, from the beginning", () => {
  const before = compute(["a = p", "a"], ["b = a", "b"]);
  const after = afterCompute(before, "a = 2", ["a"]);
  expect(replayBetween(after, before)).toEqual({ texts: ["a = p", "b = a"], names: [] });
  expect(replayBetween(before, after)).toEqual({ texts: ["a = 2"], names: [] });
});
