import { describe, expect, test } from "vitest";
import {
  extentGrid,
  flux,
  imageGrid,
  material,
  pressure,
  rectilinearGrid,
  typedValues,
  velocity,
} from "../testing/expected.ts";
import { plain, readBytes, readFixture, readText } from "../testing/fixtures.ts";

/** VTK writes cell data first in legacy files. */
const fields = [material, flux, pressure, velocity];

test.each([
  ["image-ascii.vtk", imageGrid],
  ["image-binary.vtk", imageGrid],
  ["extent-ascii.vtk", extentGrid],
  ["extent-binary.vtk", extentGrid],
  ["rectilinear-ascii.vtk", rectilinearGrid],
  ["rectilinear-binary.vtk", rectilinearGrid],
  ["rectilinear-ascii-v42.vtk", rectilinearGrid],
  ["rectilinear-binary-v42.vtk", rectilinearGrid],
])("%s", async (name, grid) => {
  expect(plain(await readFixture(name))).toEqual({ grid, fields, notes: [] });
});

test.each(["extras-ascii.vtk", "extras-binary.vtk"])(
  "%s: metadata, colours, text and field data are passed over",
  async (name) => {
    expect(plain(await readFixture(name))).toEqual({
      grid: imageGrid,
      fields,
      notes: ["The text array “labels” was left out."],
    });
  },
);

test.each(["types-ascii.vtk", "types-binary.vtk"])(
  "%s: each type keeps its dtype and its values",
  async (name) => {
    const { fields } = plain(await readFixture(name));
    expect(fields).toHaveLength(15);
    for (const field of fields) {
      const expected = field.name === "id" ? typedValues.int : typedValues[field.name];
      expect(field.dtype, field.name).toBe(expected.dtype);
      // VTK prints doubles with 11 digits.
      if (name.includes("ascii") && expected.dtype === "f64") {
        field.values.forEach((value, i) => {
          expect(Math.abs(Number(value) / Number(expected.values[i]) - 1)).toBeLessThan(1e-10);
        });
      } else expect(field.values, field.name).toEqual(expected.values);
    }
  },
);

const head = "# vtk DataFile Version 2.0\ntitle\nASCII\nDATASET STRUCTURED_POINTS\n";

describe("older and looser files", () => {
  test("version 1 with ASPECT_RATIO, lower case and keywords in any order", async () => {
    const text =
      "# vtk DataFile Version 1.0\n\nascii\ndataset structured_points\norigin 1 2 3\naspect_ratio 2 1 .5\ndimensions 2 1 2\n" +
      "point_data 4\nscalars p short\nlookup_table default\n1 2\n3 -4\n";
    expect(plain(await readText(text, "a.vtk"))).toEqual({
      grid: { kind: "uniform", dims: [2, 1, 2], origin: [1, 2, 3], spacing: [2, 1, 0.5] },
      fields: [{ name: "p", centering: "node", components: 1, dtype: "i16", values: [1, 2, 3, -4] }],
      notes: [],
    });
  });

  test("values on the line of their keyword, and a head over several lines", async () => {
    const text =
      "# vtk DataFile Version 2.0\ntitle\nASCII\nDATASET RECTILINEAR_GRID DIMENSIONS 2 3 1 X_COORDINATES 2 float 1 5\n" +
      "Y_COORDINATES\n3\nfloat 0 1 2 Z_COORDINATES 1 float\n0 POINT_DATA 6 SCALARS p int\nLOOKUP_TABLE default 1 2\n3 4 5 6 " +
      "VECTORS v int 1 1 1 2 2 2\n3 3 3 4 4 4 5 5 5 6 6 6 FIELD FieldData 1 t 2 6 int 1 2 3 4 5 6 7 8 9 10 11 12";
    const { grid, fields } = plain(await readText(text, "a.vtk"));
    expect(grid).toEqual({ kind: "rectilinear", dims: [2, 3, 1], axes: [[1, 5], [0, 1, 2], [0]] });
    expect(fields.map(({ name, values }) => [name, values.slice(0, 3)])).toEqual([
      ["p", [1, 2, 3]],
      ["v", [1, 1, 1]],
      ["t", [1, 2, 3]],
    ]);
  });

  test("carriage returns before each newline", async () => {
    const text = `${head}DIMENSIONS 3 1 1\nPOINT_DATA 3\nSCALARS p float 1\nLOOKUP_TABLE default\n1 2 3\n`;
    const { fields } = plain(await readText(text.replaceAll("\n", "\r\n"), "a.vtk"));
    expect(fields[0].values).toEqual([1, 2, 3]);
  });

  test("SCALARS without a LOOKUP_TABLE line, several components, repeated names", async () => {
    const text = `${head}DIMENSIONS 2 1 1\nPOINT_DATA 2\nSCALARS p float 2\n1 2 3 4\nNORMALS p double\n1 0 0 0 1 0\nTENSORS t float\n${"1 2 3 4 5 6 7 8 9 ".repeat(2)}`;
    const { fields, notes } = plain(await readText(text, "a.vtk"));
    expect(fields.map(({ name, components }) => [name, components])).toEqual([
      ["p", 2],
      ["p_2", 3],
      ["t", 9],
    ]);
    expect(notes).toEqual(["Several arrays are named “p”; one of them is now called “p_2”."]);
  });

  test("what C libraries print for numbers that are none", async () => {
    const text = `${head}DIMENSIONS 8 1 1\nPOINT_DATA 8\nSCALARS p double\nLOOKUP_TABLE default\nnan -nan NaN(ind) 1.#QNAN inf -Infinity 1.#INF -1.#INF`;
    const { fields } = plain(await readText(text, "a.vtk"));
    const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
    expect(fields[0].values).toEqual([nan, nan, nan, nan, inf, -inf, inf, -inf]);
  });

  test("a grid that runs backwards is reversed with its fields", async () => {
    const text =
      "# vtk DataFile Version 2.0\ntitle\nASCII\nDATASET RECTILINEAR_GRID\nDIMENSIONS 2 3 1\nX_COORDINATES 2 int\n5 1\n" +
      "Y_COORDINATES 3 float\n2 1 -4\nZ_COORDINATES 1 float\n0\nPOINT_DATA 6\nVECTORS v int\n" +
      "1 1 1 2 2 2 3 3 3 4 4 4 5 5 5 6 6 6\nCELL_DATA 2\nSCALARS c int\nLOOKUP_TABLE default\n7 8\n";
    const { grid, fields, notes } = plain(await readText(text, "a.vtk"));
    expect(grid).toEqual({ kind: "rectilinear", dims: [2, 3, 1], axes: [[1, 5], [-4, 1, 2], [0]] });
    expect(fields[0].values.filter((_, i) => i % 3 === 0)).toEqual([6, 5, 4, 3, 2, 1]);
    expect(fields[1].values).toEqual([8, 7]);
    expect(notes).toEqual([
      "Its x axis runs backwards and was reversed.",
      "Its y axis runs backwards and was reversed.",
    ]);
  });

  test("a FIELD array of another length belongs to no points: it is left out, with a note", async () => {
    const text = `${head}DIMENSIONS 2 1 1\nPOINT_DATA 2\nFIELD f 3\nTIME 1 3 float\n7 8 9\nNULL_ARRAY\np 1 2 int\n1 2\n`;
    const { fields, notes } = plain(await readText(text, "a.vtk"));
    expect(fields).toEqual([{ name: "p", centering: "node", components: 1, dtype: "i32", values: [1, 2] }]);
    expect(notes).toEqual([
      "The array “TIME” has 3 tuples, which match neither the points nor the cells; it was left out.",
    ]);
  });

  test("`long` of four bytes, as Windows writes it", async () => {
    const start = `${head.replace("ASCII", "BINARY")}DIMENSIONS 3 1 1\nPOINT_DATA 3\nSCALARS p long\nLOOKUP_TABLE default\n`;
    const bytes = new TextEncoder().encode(
      `${start}............\nSCALARS q unsigned_long\nLOOKUP_TABLE default\n............\n`,
    );
    const view = new DataView(bytes.buffer);
    [1, -2, 3].forEach((value, i) => {
      view.setInt32(start.length + 4 * i, value);
      view.setUint32(bytes.length - 13 + 4 * i, 10 + i);
    });
    const { fields } = plain(await readBytes(bytes, "a.vtk"));
    expect(fields.map(({ dtype, values }) => [dtype, values])).toEqual([
      ["i32", [1, -2, 3]],
      ["u32", [10, 11, 12]],
    ]);
  });
});

describe("bad files end in one sentence that names the line or the byte", () => {
  const points = `${head}DIMENSIONS 2 2 1\nPOINT_DATA 4\nSCALARS p unsigned_char\nLOOKUP_TABLE default\n`;
  test.each([
    [
      "a word among the numbers",
      `${points}1 2 zwei 4`,
      "“a.vtk”, line 9: the field “p” has “zwei” where a number of type u8 is expected.",
    ],
    ["a number beyond the type", `${points}1 2\n3 256`, "line 10: the field “p” has “256”"],
    ["a fraction among integers", `${points}1 2 3 1.5`, "has “1.5” where a number of type u8"],
    ["numbers missing", `${points}1 2 3            `, "the field “p” has 3 of its 4 numbers by then"],
    [
      "an end before the numbers",
      points,
      "but the field “p” needs 4 numbers from line 8 on. The file is truncated",
    ],
    [
      "a count that is not the grid's",
      points.replace("POINT_DATA 4", "POINT_DATA 5"),
      "line 6: POINT_DATA declares 5 values, but the grid of 2 × 2 × 1 = 4 points has 4.",
    ],
    [
      "a negative dimension",
      points.replace("2 2 1", "2 -2 1"),
      "line 5: “-2” stands where DIMENSIONS needs a number of points.",
    ],
    [
      "no dimensions",
      points.replace("DIMENSIONS 2 2 1\n", ""),
      "the grid's DIMENSIONS should come before this place",
    ],
    ["no points", points.replace("2 2 1", "0 2 1"), "has 0 points along x"],
    ["no spacing", points.replace("POINT_DATA", "SPACING 0 1 1\nPOINT_DATA"), "spacing 0 along x"],
    [
      "a spacing lost beside its origin",
      points.replace("POINT_DATA", "ORIGIN 1e20 0 0\nPOINT_DATA"),
      "header: points from 100000000000000000000 on with a spacing of 1 along x cannot be told apart",
    ],
    [
      "an unknown type",
      points.replace("unsigned_char", "quaternion"),
      "line 7: “SCALARS p quaternion” does not name an array",
    ],
    ["an unknown keyword", points.replace("SCALARS", "SCALES"), "line 7: “SCALES” stands where a keyword"],
    [
      "no encoding",
      head.replace("ASCII", "UTF-8"),
      "line 3: “UTF-8” stands where ASCII or BINARY is expected.",
    ],
    ["only its first line", "# vtk DataFile Version 2.0\n", "its third line should say ASCII or BINARY"],
    ["no data set", head.replace(/DATASET.*/, ""), "but it has no DATASET line"],
    [
      "more points than exist",
      points.replace("2 2 1", "9000000 9000000 9000000").replace("4", "729000000000000000000"),
      "more than any computer holds",
    ],
    ["a huge grid without values", `${head}DIMENSIONS 90000 90000 9`, "but no fields"],
    [
      "a FIELD without its arrays",
      `${points}1 2 3 4\nFIELD f 1000000000000\n`,
      "the file ends after 0 of the 1000000000000 arrays of a FIELD",
    ],
    [
      "a lookup table larger than the file",
      `${points}1 2 3 4\nLOOKUP_TABLE t 99999999999\n`,
      "a lookup table needs",
    ],
  ])("%s", async (_, text, message) => {
    await expect(readText(text, "a.vtk")).rejects.toMatchObject({
      tag: "BadFile",
      message: expect.stringContaining(message),
    });
  });

  test("binary data cut short", async () => {
    const text = points.replace("ASCII", "BINARY");
    await expect(readText(`${text}abc`, "a.vtk")).rejects.toThrow(
      `“a.vtk” ends at byte ${text.length + 3}, but the field “p” needs 4 bytes from byte ${text.length} on.`,
    );
  });

  test.each([
    ["STRUCTURED_GRID", "a curvilinear (structured) grid"],
    ["UNSTRUCTURED_GRID", "an unstructured grid"],
    ["TABLE", "a table"],
    ["MESH", "“MESH” is not a kind of data set"],
  ])("%s is refused by name", async (kind, words) => {
    await expect(readText(head.replace("STRUCTURED_POINTS", kind), "a.vtk")).rejects.toMatchObject({
      tag: "UnsupportedFormat",
      message: expect.stringContaining(words),
    });
  });
});
