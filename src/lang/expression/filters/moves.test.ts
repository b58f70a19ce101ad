import { describe, expect, it } from "vitest";
import { compile } from "../compile.ts";
import { bothMoves, exchangeOf, flipOf, isStill, parseMove, printMove, shiftBy } from "./moves.ts";

const fields = [
  { name: "f", components: 1, centering: "node" },
  { name: "t", components: 9, centering: "node" },
] as const;

const kinds = (text: string) =>
  compile(text, fields).nodes.map((node) => ("filter" in node ? node.filter.name : node.kind));

describe("moves", () => {
  it("are written as the places that values come from", () => {
    for (const move of [shiftBy([1, 0, -2]), flipOf([0, 2]), exchangeOf(1, 2)])
      expect(parseMove(printMove(move))).toEqual(move);
    expect(printMove(shiftBy([1, 0, -2]))).toBe("x-1,y,z+2");
    expect(printMove(flipOf([0, 2, 0]))).toBe("x,y,-z-1");
    for (const wrong of ["x,y", "x,x,z", "x+0,y,z", "x,y,z+1e3", "x,y,z+1073741824", "x, y, z"])
      expect(parseMove(wrong), wrong).toBeUndefined();
  });

  it("made one after the other are one", () => {
    const both = bothMoves(flipOf([0]), shiftBy([2, 0, 0]));
    expect(both && printMove(both)).toBe("-x+1,y,z");
    const back = both && bothMoves(both, both);
    expect(back && isStill(back)).toBe(true);
    expect(bothMoves(shiftBy([2 ** 29, 0, 0]), shiftBy([2 ** 29, 0, 0]))).toBeUndefined();
  });
});

describe("texts that move values", () => {
  it("take one step for several moves, and none for those that undo each other", () => {
    expect(kinds("r = flip(shift(f, {1, 0, 0}), y)")).toEqual(["source", "moved:x-1,-y-1,z"]);
    expect(kinds("r = shift(shift(f, {1, 2, 3}), {-1, -2, -3})")).toEqual(["source"]);
    expect(kinds("r = shift(3, {1, 0, 0})")).toEqual(["constant"]);
    expect(kinds("r = transpose(t)")).toEqual(["source", "transpose"]);
    expect(kinds("def back(x, y) = flip(x, x, y)\nr = back(f, 1)")).toEqual(["source", "moved:-x-1,-y-1,z"]);
  });

  it.each([
    [
      "shift(f, f)",
      "“shift(f, by)” takes a field and the whole numbers of places by which it moves along x, y and z (line 1, column 10). For example: shift(p, {1, 0, 0}).",
    ],
    ["shift(f, {0.5, 0, 0})", "“shift(f, by)” takes a field and the whole numbers of places"],
    [
      "flip(f)",
      "“flip(f, x)” takes a field and at least one axis (line 1, column 1). For example: flip(p, x, y).",
    ],
    ["flip(f, f)", "The axes of “flip(f, x)” are x, y and z (line 1, column 9). For example: flip(p, x, y)."],
    ["transpose(f, x)", "“transpose(f, x, y)” takes a field and two different axes"],
    ["transpose(f, y, y)", "“transpose(f, x, y)” takes a field and two different axes"],
  ])("that say it wrongly are refused: %s", (text, message) => {
    expect(() => compile(text, fields)).toThrow(message);
  });
});
