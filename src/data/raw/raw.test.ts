import { describe, expect, test } from "vitest";
import { plain, readBytes } from "../testing/fixtures.ts";
import { guessRaw, needsRawDescription, type RawOptions, rawFault } from "./describe.ts";

const options: RawOptions = {
  dims: [2, 2, 1],
  dtype: "i16",
  byteOrder: "big",
  spacing: [1, 2, 3],
  origin: [-1, 0, 1],
  components: 1,
  headerBytes: 3,
};
const bytes = Uint8Array.of(9, 9, 9, 0, 1, 0, 2, 0xff, 0xff, 1, 0);

test("numbers behind a header, in the other byte order", async () => {
  expect(plain(await readBytes(bytes, "a.raw", { raw: options }))).toEqual({
    grid: { kind: "uniform", dims: [2, 2, 1], origin: [-1, 0, 1], spacing: [1, 2, 3] },
    fields: [{ name: "values", centering: "node", components: 1, dtype: "i16", values: [1, 2, -1, 256] }],
    notes: [],
  });
});

test("what lies behind the numbers is left unread, with a note", async () => {
  const raw = { ...options, dims: [2, 1, 1] as const };
  expect(plain(await readBytes(bytes, "a.raw", { raw }))).toMatchObject({
    fields: [{ values: [1, 2] }],
    notes: ["The last 4 bytes of the file were not read."],
  });
});

test("a description that does not fit says what is needed and what is there", async () => {
  const raw = { ...options, dims: [2, 2, 9] as const };
  await expect(readBytes(bytes, "a.raw", { raw })).rejects.toMatchObject({
    tag: "BadFile",
    message:
      "“a.raw” does not fit its description: 2 × 2 × 9 points of i16 behind a header of 3 bytes need 75 bytes, but " +
      "the file has 11. Correct the dimensions, the type, the components or the header's length.",
  });
});

test.each([
  [{ dims: [2, 0, 1] }, "The dimensions are 2 × 0 × 1, but must be positive whole numbers."],
  [{ dims: [2, 1.5, 1] }, "The dimensions are 2 × 1.5 × 1, but must be positive whole numbers."],
  [{ dims: [2, Number.NaN, 1] }, "The dimensions are 2 × NaN × 1, but must be positive whole numbers."],
  [{ components: 0 }, "The number of components is 0, but must be a positive whole number."],
  [{ headerBytes: -1 }, "The header's length is -1 bytes, but must be a whole number from 0."],
  [{ spacing: [1, 0, 1] }, "The spacing is 1, 0, 1, but must be positive."],
  [{ origin: [1, Number.NaN, 1] }, "The origin is 1, NaN, 1, but must be three finite numbers."],
] as [Partial<RawOptions>, string][])("%j", (part, fault) => {
  expect(rawFault({ ...options, ...part }, 11)).toBe(fault);
});

test("without a description the file is refused, and its name says that it needs one", async () => {
  await expect(readBytes(bytes, "a.raw")).rejects.toThrow(
    "“a.raw” holds bare numbers without a description. Give its dimensions and type, as in --dims 64x64x64 --dtype u8.",
  );
  await expect(readBytes(new Uint8Array(8 * 12), "velocity_2x2x2.raw")).rejects.toThrow(
    "as in --dims 2x2x2 --dtype f32 --components 3, which would fit its size.",
  );
  expect(["a.raw", "b.BIN", "c.img"].map(needsRawDescription)).toEqual([true, true, true]);
  expect(["a.vtk", "raw", "b.raw.vti"].map(needsRawDescription)).toEqual([false, false, false]);
});

describe("guesses", () => {
  test.each([
    ["bonsai_256x256x256_uint8.raw", 256 ** 3, [256, 256, 256], "u8", 1],
    ["foot-10x20x30-uint16-be.raw", 12000, [10, 20, 30], "u16", 1],
    ["magnetic_512x512x512_float32.raw", 512 ** 3 * 4, [512, 512, 512], "f32", 1],
    ["velocity_8x9x10.raw", 8 * 9 * 10 * 12, [8, 9, 10], "f32", 3],
    ["jet_10_20_30.raw", 10 * 20 * 30 * 8, [10, 20, 30], "f64", 1],
    ["cube.raw", 64 ** 3, [64, 64, 64], "u8", 1],
    ["cube_float.bin", 16 ** 3 * 4, [16, 16, 16], "f32", 1],
    ["noise.raw", 1001, [1001, 1, 1], "u8", 1],
  ] as const)("%s", (name, size, dims, dtype, components) => {
    const guess = guessRaw(name, size);
    expect(guess).toMatchObject({ dims, dtype, components });
    expect(rawFault(guess, size)).toBeUndefined();
    expect(guess.byteOrder).toBe(name.includes("-be") ? "big" : "little");
  });
});
