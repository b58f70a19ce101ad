import { gzipSync, zlibSync } from "fflate";
import { describe, expect, test } from "vitest";
import { bytesSource } from "../source.ts";
import { imageGrid, pressure, velocity } from "../testing/expected.ts";
import { fixtureBytes, plain, readBytes, readFixture, readText } from "../testing/fixtures.ts";

const values = { ...pressure, name: "values" };

test.each(["raw.mha", "zlib.mha"])("%s", async (name) => {
  expect(plain(await readFixture(name))).toEqual({ grid: imageGrid, fields: [values], notes: [] });
});

test("vectors", async () => {
  const fields = [{ ...velocity, name: "values" }];
  expect(plain(await readFixture("vector.mha"))).toEqual({ grid: imageGrid, fields, notes: [] });
});

test("a header with its data file beside it, and without", async () => {
  const header = await fixtureBytes("detached.mhd");
  const data = bytesSource(await fixtureBytes("detached-meta.bin"), "detached-meta.bin");
  const companions = (name: string) => (name === "detached-meta.bin" ? data : undefined);
  expect(plain(await readBytes(header, "detached.mhd", { companions })).fields).toEqual([values]);
  await expect(readBytes(header, "detached.mhd")).rejects.toThrow(
    "“detached.mhd” keeps its values in “detached-meta.bin”, which is missing. Open both files together.",
  );
});

const header = (fields: string, end = "LOCAL") =>
  `ObjectType = Image\nNDims = 2\nDimSize = 3 2\n${fields}\nElementDataFile = ${end}\n`;

function image(fields: string, data: ArrayLike<number>): Promise<ReturnType<typeof plain>> {
  const head = new TextEncoder().encode(header(fields));
  const bytes = new Uint8Array(head.length + data.length);
  bytes.set(head);
  bytes.set(data, head.length);
  return readBytes(bytes, "a.mha").then(plain);
}

const ascii = (fields: string, data = "1 2 3 4 5 6") =>
  readText(`${header(`BinaryData = False\nElementType = MET_SHORT\n${fields}`)}${data}`, "a.mha").then(plain);

describe("headers", () => {
  test("text, one step apart from 0 where nothing else is said", async () => {
    expect(await ascii("")).toEqual({
      grid: { kind: "uniform", dims: [3, 2, 1], origin: [0, 0, 0], spacing: [1, 1, 1] },
      fields: [
        { name: "values", centering: "node", components: 1, dtype: "i16", values: [1, 2, 3, 4, 5, 6] },
      ],
      notes: [],
    });
  });

  test.each([
    ["Position and ElementSize", "Position = 1 2\nElementSize = 0.5 4", [1, 2, 0], [0.5, 4, 1]],
    ["spacing before size", "ElementSize = 9 9\nElementSpacing = 2 3", [0, 0, 0], [2, 3, 1]],
    ["an axis that points backwards", "TransformMatrix = -1 0 0 1\nOffset = 7 0", [5, 0, 0], [1, 1, 1]],
    ["turned axes", "Orientation = 0.6 0.8 -0.8 0.6\nOrigin = 7 7", [0, 0, 0], [1, 1, 1]],
  ])("%s", async (what, fields, origin, spacing) => {
    const { grid, fields: read, notes } = await ascii(fields);
    expect(grid).toMatchObject({ origin, spacing });
    if (what.startsWith("an axis")) expect(read[0].values).toEqual([3, 2, 1, 6, 5, 4]);
    expect(notes).toHaveLength(/axis|turned/.test(what) ? 1 : 0);
  });

  test("a trailing axis of one step, keys in any order in a file so named, blanks around", async () => {
    const text =
      "  Comment =  a = b \nDimSize = 2 1 1 1\nNDims = 4\nElementType = MET_UCHAR\nBinaryData = false\nElementDataFile = LOCAL\n7 8";
    const { grid, fields } = await readText(text, "a.mhd");
    expect(grid.dims).toEqual([2, 1, 1]);
    expect([...fields[0].data]).toEqual([7, 8]);
  });
});

describe("values", () => {
  test("of either byte order, with a header to skip, and at the file's end", async () => {
    const big = [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6];
    const order = "ElementType = MET_USHORT\nBinaryDataByteOrderMSB = True";
    for (const [skip, data] of [
      ["", big],
      ["\nHeaderSize = 3", [9, 9, 9, ...big]],
      ["\nHeaderSize = -1", [9, 9, 9, 9, 9, ...big]],
    ] as const) {
      expect((await image(order + skip, data)).fields[0].values, skip).toEqual([1, 2, 3, 4, 5, 6]);
    }
  });

  test("compressed by zlib without a size, and by gzip", async () => {
    const bytes = Uint8Array.of(1, 2, 3, 4, 5, 6);
    const fields = "ElementType = MET_UCHAR\nCompressedData = True";
    for (const data of [zlibSync(bytes), gzipSync(bytes)])
      expect((await image(fields, data)).fields[0].values).toEqual([...bytes]);
  });

  test("MET_LONG has four bytes, and channels lie together", async () => {
    const data = new Uint8Array(Int32Array.from({ length: 12 }, (_, i) => i - 5).buffer);
    const { fields } = await image("ElementType = MET_LONG_ARRAY\nElementNumberOfChannels = 2", data);
    expect(fields[0]).toMatchObject({ components: 2, dtype: "i32" });
    expect(fields[0].values.slice(0, 4)).toEqual([-5, -4, -3, -2]);
  });
});

describe("refusals", () => {
  const local = (...lines: string[]) => [...lines, "ElementDataFile = LOCAL"].join("\n");
  test.each([
    ["no sizes", local("ObjectType = Image", "NDims = 1", "ElementType = MET_UCHAR"), "needs “DimSize = …”"],
    ["no dimension", local("ObjectType = Image", "ElementType = MET_UCHAR"), "needs “NDims = …”"],
    ["no end", "ObjectType = Image\nNDims = 1", "which is missing"],
    ["no pair", "ObjectType = Image\nNDims 1", "line 2: “NDims 1” is not a “Key = value” line"],
    ["an unknown type", header("ElementType = MET_OTHER"), "has values of type “MET_OTHER”"],
    ["another object", local("ObjectType = Mesh"), "is a MetaIO object of type “Mesh”"],
    ["a size of 0", header("DimSize = 0 2\nElementType = MET_UCHAR"), "line 4: DimSize is “0 2”"],
    ["a spacing of 0", header("ElementSpacing = 1 0\nElementType = MET_UCHAR"), "is 0 along axis 2"],
    ["skewed axes", header("TransformMatrix = 1 0 1 1\nElementType = MET_UCHAR"), "not at right angles"],
    ["too many channels", header("ElementNumberOfChannels = 17\nElementType = MET_UCHAR"), "1 to 16"],
    ["many files", header("ElementType = MET_UCHAR", "LIST"), "over several files"],
    ["no flag", header("CompressedData = maybe\nElementType = MET_UCHAR"), "True or False is expected"],
    ["too few values", header("ElementType = MET_UCHAR"), "the field"],
    [
      "time steps",
      local("NDims = 4", "DimSize = 2 2 2 3", "ElementType = MET_UCHAR"),
      "has 4 axes of sizes 2, 2, 2, 3",
    ],
  ])("%s", async (_, text, message) => {
    await expect(readText(`${text}\n`, "a.mha")).rejects.toThrow(message);
  });
});
