import { describe, expect, test } from "vitest";
import { bytesSource } from "../source.ts";
import { imageGrid, pressure, velocity } from "../testing/expected.ts";
import { fixtureBytes, plain, readBytes, readFixture, readText } from "../testing/fixtures.ts";

const values = { ...pressure, name: "values" };
const spaced = { ...imageGrid, origin: [0, 0, 0] };

test.each(["raw-le.nrrd", "raw-be.nrrd", "gzip.nrrd", "ascii.nrrd"])("%s", async (name) => {
  expect(plain(await readFixture(name))).toEqual({ grid: spaced, fields: [values], notes: [] });
});

test("vectors on the first axis, space directions and origin", async () => {
  expect(plain(await readFixture("vector.nrrd"))).toEqual({
    grid: imageGrid,
    fields: [{ ...velocity, name: "values" }],
    notes: [],
  });
});

test("a detached header with its data file beside it, and without", async () => {
  const header = await fixtureBytes("detached.nhdr");
  const data = bytesSource(await fixtureBytes("detached.bin"), "detached.bin");
  const companions = (name: string) => (name === "detached.bin" ? data : undefined);
  expect(plain(await readBytes(header, "detached.nhdr", { companions })).fields).toEqual([values]);
  await expect(readBytes(header, "detached.nhdr")).rejects.toThrow(
    "“detached.nhdr” keeps its values in “detached.bin”, which is missing. Open both files together.",
  );
});

const nrrd = (fields: string, data = "1 2 3 4 5 6") =>
  `NRRD0005\n# a comment\ntype: short\ndimension: 2\nsizes: 3 2\nencoding: ascii\nkey:=value\n${fields}\n\n${data}`;

describe("headers", () => {
  test.each([
    ["nothing more", "", { origin: [0, 0, 0], spacing: [1, 1, 1] }],
    ["spacings, one unknown", "spacings: 0.5 nan", { origin: [0, 0, 0], spacing: [0.5, 1, 1] }],
    [
      "axis mins and maxs at nodes",
      "axis mins: 1 2\naxis maxs: 5 3",
      { origin: [1, 2, 0], spacing: [2, 1, 1] },
    ],
    [
      "axis mins and maxs of cells",
      "axis mins: 1 2\naxis maxs: 7 3\ncenterings: cell cell",
      { origin: [2, 2.25, 0], spacing: [2, 0.5, 1] },
    ],
    [
      "space directions",
      "space dimension: 2\nspace directions: (2,0) (0,3)\nspace origin: (5,6)",
      { origin: [5, 6, 0], spacing: [2, 3, 1] },
    ],
  ])("%s", async (_, fields, grid) => {
    expect((await readText(nrrd(fields), "a.nrrd")).grid).toEqual({
      kind: "uniform",
      dims: [3, 2, 1],
      ...grid,
    });
  });

  test("content names the field; axes that point backwards are reversed", async () => {
    const text = nrrd(
      "content: density\nspace: LPS\nspace directions: (-2,0,0) (0,3,0)\nspace origin: (4,0,0)",
    );
    expect(plain(await readText(text, "a.nrrd"))).toEqual({
      grid: { kind: "uniform", dims: [3, 2, 1], origin: [0, 0, 0], spacing: [2, 3, 1] },
      fields: [
        { name: "density", centering: "node", components: 1, dtype: "i16", values: [3, 2, 1, 6, 5, 4] },
      ],
      notes: ["Its x axis runs backwards and was reversed."],
    });
  });

  test("axes turned in space keep their lengths, with a note", async () => {
    const { grid, notes } = await readText(
      nrrd("space directions: (3,4) (-8,6)\nspace origin: (7,7)"),
      "a.nrrd",
    );
    expect(grid).toEqual({ kind: "uniform", dims: [3, 2, 1], origin: [0, 0, 0], spacing: [5, 10, 1] });
    expect(notes).toEqual(["The image is rotated in space; it is shown along its own axes, starting at 0."]);
  });

  test("line skip and byte skip", async () => {
    const text = nrrd("line skip: 2\nbyte skip: 3", "first\nsecond\nxyz1 2 3 4 5 6");
    expect(plain(await readText(text, "a.nrrd")).fields[0].values).toEqual([1, 2, 3, 4, 5, 6]);
    const raw = nrrd(
      "endian: little\nbyte skip: -1",
      "anything at all\x01\0\x02\0\x03\0\x04\0\x05\0\x06\0",
    ).replace("ascii", "raw");
    expect(plain(await readText(raw, "a.nrrd")).fields[0].values).toEqual([1, 2, 3, 4, 5, 6]);
  });
});

test.each([
  [
    "a missing field",
    nrrd("").replace("sizes: 3 2\n", ""),
    "“a.nrrd”, header: a NRRD file needs the field “sizes”.",
  ],
  [
    "sizes that are not the dimension's",
    nrrd("").replace("3 2", "3 2 1"),
    "line 5: sizes “3 2 1” should be 2 positive whole numbers",
  ],
  ["a size of none", nrrd("").replace("3 2", "3 0"), "line 5: sizes “3 0”"],
  ["a line that is not a field", nrrd("oops"), "line 8: “oops” is not a “field: value” line"],
  ["an unknown type", nrrd("").replace("short", "block"), "has values of type “block”"],
  ["an unknown encoding", nrrd("").replace("ascii", "bzip2"), "has the encoding “bzip2”"],
  ["no endian", nrrd("").replace("ascii", "raw"), "endian is “missing”"],
  [
    "garbage for gzip",
    nrrd("endian: little").replace("ascii", "gzip"),
    "is compressed, but it cannot be decompressed",
  ],
  ["numbers missing", nrrd("", "1 2 3 4 5       "), "the field has 5 of its 6 numbers by then"],
  ["oblique axes", nrrd("space directions: (1,0) (1,1)"), "has axes that are not at right angles"],
  [
    "components that are not on the first axis",
    nrrd("kinds: domain vector"),
    "keeps components on axis 2 of 2",
  ],
  [
    "sizes beyond the file",
    nrrd("endian: big").replace("ascii", "raw").replace("3 2", "3000000000 2000000"),
    "but the field needs 12,000,000,000,000,000 bytes",
  ],
  [
    "values in several files",
    nrrd("data file: slice%03d.raw 1 9 1"),
    "spreads its values over several files",
  ],
])("%s", async (_, text, message) => {
  await expect(readText(text, "a.nrrd")).rejects.toThrow(message);
});
