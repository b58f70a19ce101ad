import { describe, expect, test } from "vitest";
import { pointColumns, pointPositions } from "./testing/expected.ts";
import { fixtureBytes, plainPoints, readBytes, readPoints, readPointsFixture } from "./testing/fixtures.ts";

const { mass, kind, velocity, red, green, blue } = pointColumns;
const leftOut = (what: string, count: number) => `Only the points are read: ${count} ${what} were left out.`;

describe("points that VTK wrote", () => {
  test.each(["points-ascii.ply", "points-le.ply", "points-be.ply"])("%s", async (name) => {
    expect(plainPoints(await readPointsFixture(name))).toEqual({
      positions: pointPositions,
      dimensions: 3,
      columns: [red, green, blue],
      notes: [leftOut("elements “face”", 1)],
    });
  });

  test.each(["points-ascii.vtp", "points-binary-zlib.vtp", "points-raw-be.vtp"])("%s", async (name) => {
    expect(plainPoints(await readPointsFixture(name))).toEqual({
      positions: pointPositions,
      dimensions: 3,
      columns: [mass, kind, velocity],
      notes: [leftOut("lines", 2), leftOut("polygons", 1)],
    });
  });

  test.each(["points-ascii.vtk", "points-binary.vtk", "points-binary-v42.vtk"])("%s", async (name) => {
    const { columns, ...rest } = plainPoints(await readPointsFixture(name));
    expect(rest).toEqual({
      positions: pointPositions,
      dimensions: 3,
      notes: [leftOut("LINES", 2), leftOut("POLYGONS", 1), "Arrays of cells were left out."],
    });
    // VTK writes eleven digits.
    const exact = columns.map((column) =>
      column.name === "mass" && name.includes("ascii")
        ? {
            ...column,
            values: column.values.map((value, n) =>
              Math.abs(Number(value) - 1 / (n + 1)) < 1e-11 ? 1 / (n + 1) : value,
            ),
          }
        : column,
    );
    expect(exact).toEqual([mass, velocity, kind]);
  });

  test("points.csv, which is written by hand, holds the same places", async () => {
    const { positions, columns, notes } = plainPoints(await readPointsFixture("points.csv"));
    expect(positions).toEqual(pointPositions);
    expect(columns).toEqual([
      {
        name: "mass",
        components: 1,
        dtype: "f64",
        values: [1, 0.5, Number.NaN, 0.25, 0.2, Number.NaN, 0.125],
      },
      { ...kind, dtype: "f64" },
    ]);
    expect(notes).toEqual(["The column “label” is text; it was left out."]);
  });

  test("a legacy file is read by words, wherever its lines end", async () => {
    const text =
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA POINTS 2\nfloat 1 2 3 4\n5 6 LINES 1 3 2\n0 1 " +
      "POINT_DATA 2 SCALARS s int 1\nLOOKUP_TABLE default 7\n8";
    const { positions, columns } = plainPoints(await readPoints(new TextEncoder().encode(text), "a.vtk"));
    expect(positions).toEqual([1, 2, 3, 4, 5, 6]);
    expect(columns).toEqual([{ name: "s", components: 1, dtype: "i32", values: [7, 8] }]);
  });

  test("as a data set they are refused", async () => {
    const name = "points-le.ply";
    await expect(readBytes(await fixtureBytes(name), name)).rejects.toMatchObject({
      tag: "UnsupportedFormat",
      message: expect.stringContaining("“points-le.ply” holds points without a grid"),
    });
  });
});

const ply = (text: string, ...numbers: readonly Uint8Array[]) =>
  readPoints(new Uint8Array(Buffer.concat([Buffer.from(text), ...numbers])), "a.ply");

describe("PLY", () => {
  test("any types and order of properties, lists in between, elements before", async () => {
    const got = await ply(
      "ply\ncomment before\nformat ascii 1.0\nelement material 2\nproperty list uchar float ambient\n" +
        "element vertex 3\nproperty double z\nproperty list uchar int neighbours\nproperty int16 y\n" +
        "property uint32 id\nproperty float64 x\nend_header\n" +
        "2 0.5 1\n0\n" +
        "0.25 2 1 2 -3 4000000000 1e100\n\n 0.5 0 -4\n7 2 1.5 1 9 -5 8 nan",
    );
    expect(plainPoints(got)).toEqual({
      positions: [1e100, -3, 0.25, 2, -4, 0.5],
      dimensions: 3,
      columns: [{ name: "id", components: 1, dtype: "u32", values: [4000000000, 7] }],
      notes: [
        "The list “neighbours” was left out.",
        leftOut("elements “material”", 2),
        "1 point without finite coordinates was left out.",
      ],
    });
  });

  test("binary lists in both orders; without z the points lie in a plane", async () => {
    for (const little of [true, false]) {
      const view = new DataView(new ArrayBuffer(2 * (8 + 2 + 6 + 4 + 1) - 3));
      let at = 0;
      const item = (x: number, list: number[], y: number, flag: number) => {
        view.setFloat64(at, x, little);
        view.setUint16(at + 8, list.length, little);
        list.forEach((value, i) => {
          view.setUint8(at + 10 + i, value);
        });
        view.setFloat32(at + 10 + list.length, y, little);
        view.setInt8(at + 14 + list.length, flag);
        at += 15 + list.length;
      };
      item(1.1, [1, 2, 3, 4, 5, 6], 2.5, -1);
      item(-1e300, [7, 8, 9], 0.5, 3);
      const got = await ply(
        `ply\r\nformat binary_${little ? "little" : "big"}_endian 1.0\r\nelement vertex 2\r\nproperty double x\r\n` +
          "property list ushort uchar l\r\nproperty float y\r\nproperty char flag\r\nend_header\r\n",
        new Uint8Array(view.buffer),
      );
      expect(plainPoints(got)).toEqual({
        positions: [1.1, 2.5, 0, -1e300, 0.5, 0],
        dimensions: 2,
        columns: [{ name: "flag", components: 1, dtype: "i8", values: [-1, 3] }],
        notes: ["The list “l” was left out."],
      });
    }
  });

  const head = (format: string, element: string) =>
    `ply\nformat ${format} 1.0\nelement ${element}\nproperty float x\nproperty float y\n`;
  test.each([
    ["no vertex", `${head("ascii", "face 1")}end_header\n1 2`, "there is no element called vertex."],
    [
      "a billion vertices",
      `${head("binary_little_endian", "vertex 1000000000")}end_header\n1`,
      "needs 8,000,000,000 bytes",
    ],
    [
      "a billion vertices in text",
      `${head("ascii", "vertex 1000000000")}end_header\n1 2`,
      "needs 1,000,000,000 items",
    ],
    [
      "a huge list",
      `${head("ascii", "vertex 1")}property list uint int l\nend_header\n1 2 4000000000 1`,
      "4,000,000,000 values",
    ],
    [
      "a negative list",
      `${head("ascii", "vertex 1")}property list int int l\nend_header\n1 2 -1 1`,
      "-1 values",
    ],
    [
      "a byte that is none",
      `${head("ascii", "vertex 1")}property uchar b\nend_header\n1 2 256`,
      "line 8: the property “b” has “256” where a number of type u8 is expected.",
    ],
    ["a word", `${head("ascii", "vertex 1")}end_header\n1 two`, "line 7: the property “y” has “two”"],
    ["no end", `${head("ascii", "vertex 1")}`, "its header has no end_header"],
    [
      "an unknown type",
      `${head("ascii", "vertex 1")}property half h\nend_header\n`,
      "line 6: “property half h” is not a line of a PLY header.",
    ],
    ["no points", `${head("ascii", "vertex 0")}end_header\n`, "“a.ply” has no points."],
    [
      "no y",
      "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1",
      "lacks the properties x and y.",
    ],
  ])("%s", async (_, text, message) => {
    const error = await ply(text).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ tag: "BadFile" });
    expect(String(error)).toContain(message);
  });
});

describe("VTP", () => {
  const piece = (points: string, values: string, count = 1) =>
    `<Piece NumberOfPoints="${count}"><PointData><DataArray type="Int8" Name="v">${values}</DataArray></PointData>` +
    `<Points><DataArray type="Float64" NumberOfComponents="3">${points}</DataArray></Points></Piece>`;
  const vtp = (...pieces: string[]) =>
    readPoints(
      new TextEncoder().encode(`<VTKFile type="PolyData"><PolyData>${pieces.join("")}</PolyData></VTKFile>`),
      "a.vtp",
    );

  test("several pieces, one of them empty", async () => {
    const got = await vtp(piece("1 2 0", "7"), piece("", "", 0), piece("3 4 0 5 6 0", "8 9", 2));
    expect(plainPoints(got)).toEqual({
      positions: [1, 2, 0, 3, 4, 0, 5, 6, 0],
      dimensions: 2,
      columns: [{ name: "v", components: 1, dtype: "i8", values: [7, 8, 9] }],
      notes: [],
    });
  });

  test.each([
    ["no pieces", [], "“a.vtp” has no points."],
    ["too few coordinates", [piece("1 2", "7")], "the array of points needs 3 numbers"],
    [
      "a piece without the array",
      [piece("1 2 0", "7"), piece("1 2 0", "7").replace('"v"', '"w"')],
      "lacks the array “v”",
    ],
    ["an absurd count", [piece("1 2 3", "7", 1e15)], "needs"],
  ])("%s", async (_, pieces, message) => {
    const error = await vtp(...pieces).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ tag: "BadFile" });
    expect(String(error)).toContain(message);
  });
});
