import { describe, expect, it } from "vitest";
import { mapOf } from "./operations.ts";
import { parseTransform, transformUsages } from "./parse-transform.ts";

const placeless = (text: string) => parseTransform(text).map(({ span: _, ...operation }) => operation);

describe("parseTransform", () => {
  it("reads every transform, with axes by letter or number", () => {
    const text =
      "flip(x, 2) | shift(x,-3)|pshift(4, +2) | crinkle(y, 2) | crinkle(1, 3, pad) | uncrinkle(z, 2) | transpose(x, y) | " +
      "permute(z, x, y) | tile(4, 4, 2) | untile() | morton() | unmorton(8, 8) | pad(x, 1, 2) | crop(y, 0, 3)";
    expect(placeless(text)).toEqual([
      { kind: "flip", axes: [0, 2] },
      { kind: "shift", axis: 0, by: -3 },
      { kind: "pshift", axis: 4, by: 2 },
      { kind: "crinkle", axis: 1, step: 2 },
      { kind: "crinkle", axis: 1, step: 3, pads: true },
      { kind: "uncrinkle", axis: 2, step: 2 },
      { kind: "transpose", axes: [0, 1] },
      { kind: "permute", axes: [2, 0, 1] },
      { kind: "tile", lengths: [4, 4, 2] },
      { kind: "untile" },
      { kind: "morton" },
      { kind: "unmorton", lengths: [8, 8] },
      { kind: "pad", axis: 0, before: 1, after: 2 },
      { kind: "crop", axis: 1, before: 0, after: 3 },
    ]);
    expect(transformUsages).toHaveLength(13);
  });

  it.each([
    ["", "The text ends where a transform is expected (line 1, column 1). Write shift(x, 3), for example."],
    [
      "shift(x, 3) |",
      "The text ends where a transform is expected (line 1, column 14). Write shift(x, 3), for example.",
    ],
    ["shift x", "“x” stands where “(” is expected (line 1, column 7)."],
    ["shift(x, 3", "The text ends where “,” is expected (line 1, column 11)."],
    [
      "shift(x, a)",
      "“a” stands where a number or an axis is expected (line 1, column 10). It is shift(axis, by).",
    ],
    ["shift(x)", "shift has other arguments (line 1, column 8). It is shift(axis, by)."],
    ["flip(x, pad)", "flip has other arguments (line 1, column 12). It is flip(axis, …)."],
    ["flip(x)\n| flip(y) flip(z)", "“flip” stands where “|” is expected (line 2, column 11)."],
    ["flip(x) | shfit(y, 2)", "There is no transform “shfit” (line 1, column 11). Did you mean shift?"],
  ])("refuses %j", (text, message) => {
    expect(() => parseTransform(text)).toThrow(message);
  });
});

describe("mapOf", () => {
  it.each([
    [
      "crinkle(x, 5)",
      "crinkle(0, 5) needs a length that 5 divides; axis 0 has 12 (line 1, column 1). crinkle(0, 5, pad) adds 3 zeros.",
    ],
    [
      "flip(y) | flip(z)",
      "There is no axis 2 in [8,12] (line 1, column 11). Its axes are 0, the fastest, to 1.",
    ],
    ["permute(x, x)", "permute(0, 0) is no order of 2 axes (line 1, column 1). Name each axis once."],
    ["crop(x, 6, 6)", "A crop of 6 and 6 leaves nothing of 12 (line 1, column 1). Leave an element."],
    [
      "pad(x, -1, 0)",
      "A pad of -1 elements cannot be made (line 1, column 1). Give a whole number from 0 on.",
    ],
    ["tile(5, 4)", "Tiles of 5 do not divide axis 0 of 12 (line 1, column 1). pad(0, 0, 3) makes them."],
    [
      "tile(4)",
      "A tile of 1 lengths does not fit [8,12] (line 1, column 1). Give 2, that of the fastest axis first.",
    ],
    [
      "morton()",
      "Morton order takes lengths that are powers of two; axis 0 has 12 (line 1, column 1). pad(0, 0, 4) makes it one.",
    ],
    ["tile(12, 8) | untile() | unmorton(8, 8)", "[8,12] is not [8,8] in Morton order (line 1, column 26)."],
    [
      "pad(x, 0, 4) | morton() | unmorton(8, 8)",
      "[128] is not [8,8] in Morton order (line 1, column 27). It takes one axis of 64 elements.",
    ],
    [
      "pad(x, 0, 999999999)",
      "The shape [8,1000000011] has more than 2³² − 1 elements (line 1, column 1). Make it smaller, or work on parts of it.",
    ],
  ])("refuses %s", (text, message) => {
    expect(() => mapOf([12, 8], parseTransform(text))).toThrow(message);
  });

  it("refuses an untiling of an odd number of axes", () => {
    expect(() => mapOf([2, 2, 2], [{ kind: "untile" }])).toThrow("[2,2,2] is not tiled.");
  });
});
