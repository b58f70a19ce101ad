import { expect, it } from "vitest";
import { mapOf } from "../../core/hypercube/operations.ts";
import { parseTransform } from "../../core/hypercube/parse-transform.ts";
import { tileOf } from "./tile.ts";

const tile = (lengths: readonly number[], text: string, bytes: 4 | 8 | 16 = 4) =>
  tileOf(mapOf(lengths, parseTransform(text)), bytes);

it("cuts results across the direction along which the source's neighbours lie", () => {
  const square = { stride: 4096, across: 4096, rest: 1, along: 32, deep: 32, pitch: 33 };
  expect(tile([4096, 4096], "transpose(x, y)")).toEqual(square);
  expect(tile([4096, 4096], "transpose(x, y) | shift(x, 5) | flip(y)")).toEqual(square);
  expect(tile([4096, 4096], "transpose(x, y)", 16)).toMatchObject({ along: 16, deep: 32, pitch: 17 });
  expect(tile([64, 32, 16], "permute(y, x, z)")).toMatchObject({ stride: 32, across: 64, rest: 16 });
  expect(tile([4096, 8], "crinkle(x, 2)")).toMatchObject({
    stride: 2048,
    across: 2,
    rest: 8,
    along: 512,
    deep: 2,
    pitch: 528,
  });
  expect(tile([3, 5000], "transpose(x, y)")).toMatchObject({
    stride: 5000,
    across: 3,
    along: 256,
    deep: 4,
    pitch: 264,
  });
  expect(tile([5000, 3], "transpose(x, y)")).toMatchObject({
    stride: 3,
    across: 5000,
    along: 4,
    deep: 256,
    pitch: 5,
  });
});

it("leaves what is read in order, or from nearby, as it is", () => {
  const texts = [
    "flip(x)",
    "shift(x, 3) | flip(y)",
    "crinkle(y, 2)",
    "morton()",
    "tile(8, 8)",
    "pad(x, 1, 1)",
  ];
  expect(texts.map((text) => tile([64, 64], text))).toEqual(texts.map(() => undefined));
  expect(tile([8, 8], "transpose(x, y)")).toBeUndefined();
  expect(tile([1, 64], "transpose(x, y)")).toBeUndefined();
});
