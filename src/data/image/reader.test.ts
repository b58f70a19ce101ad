import { describe, expect, test } from "vitest";
import { fixtureBytes, plain, readBytes, readFixture } from "../testing/fixtures.ts";

const grid = { kind: "uniform", dims: [5, 3, 1], origin: [0, 0, 0], spacing: [1, 1, 1] };
const notes = ["Pixels are points 1 apart, with the picture's lowest row first."];

/** The pictures of make-fixtures.py: so many channels, from the lowest row up. */
function pixels(channels: number, value: (grey: number, channel: number) => number): number[] {
  const greys = [2, 1, 0].flatMap((row) => [0, 1, 2, 3, 4].map((column) => 10 * row + column));
  return greys.flatMap((grey) => Array.from({ length: channels }, (_, channel) => value(grey, channel)));
}

const color = (grey: number, channel: number) => grey + 50 * channel;

describe("a picture that Pillow wrote", () => {
  test.each([
    ["grey.png", "values", 1, "u8", pixels(1, color)],
    ["wide.png", "values", 1, "u16", pixels(1, (grey) => 1000 * grey)],
    ["bits.png", "values", 1, "u8", pixels(1, (grey) => grey % 2)],
    ["colors.png", "colors", 3, "u8", pixels(3, color)],
    ["palette.png", "colors", 3, "u8", pixels(3, color)],
    ["opacity.png", "colors", 4, "u8", pixels(4, color)],
    ["grey.jpg", "values", 1, "u8", pixels(1, () => 77)],
    ["colors.tif", "colors", 3, "u8", pixels(3, color)],
    ["floats.tif", "values", 1, "f32", pixels(1, (grey) => 0.25 * grey)],
  ])("%s", async (file, name, components, dtype, values) => {
    const fields = [{ name, centering: "node", components, dtype, values }];
    expect(plain(await readFixture(file))).toEqual({ grid, fields, notes });
  });

  test("a JPEG has its colours to the loss of its coding", async () => {
    const { fields } = plain(await readFixture("colors.jpg"));
    expect(fields[0]).toMatchObject({ name: "colors", components: 3, dtype: "u8" });
    for (const [i, value] of fields[0].values.entries())
      expect(Math.abs(Number(value) - [200, 100, 50][i % 3])).toBeLessThanOrEqual(2);
  });

  test("pages of one size are a stack", async () => {
    const stack = plain(await readFixture("stack.tif"));
    expect(stack.grid).toEqual({ ...grid, dims: [5, 3, 2] });
    expect(stack.fields[0].values).toEqual([...pixels(1, color), ...pixels(1, (grey) => grey + 100)]);
    expect(stack.notes).toEqual([...notes, "A page of another size or type than the first was left out."]);
  });
});

describe("damaged pictures are refused", () => {
  const changed = async (name: string, change: (view: DataView) => void) => {
    const bytes = (await fixtureBytes(name)).slice();
    change(new DataView(bytes.buffer));
    return readBytes(bytes, name);
  };

  test.each([
    ["grey.png", 16, 2 ** 30, "pixels cannot be packed into 81 bytes."],
    ["grey.png", 44, 7, "“grey.png”, its pixels: it cannot be decoded ("],
    ["stack.tif", 4, 2 ** 31, "a directory of a page lies beyond the file, or in a circle."],
  ])("%s with a changed word at byte %i", async (name, at, word, message) => {
    await expect(changed(name, (view) => view.setUint32(at, word))).rejects.toMatchObject({
      tag: "BadFile",
      message: expect.stringContaining(message),
    });
  });

  test("a circle of pages", async () => {
    const circle = changed("colors.tif", (view) => {
      const first = view.getUint32(4, true);
      view.setUint32(first + 2 + 12 * view.getUint16(first, true), first, true);
    });
    await expect(circle).rejects.toThrow("or in a circle. It is damaged.");
  });
});
