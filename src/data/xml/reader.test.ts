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
import { fixtureNames, plain, readFixture, readText } from "../testing/fixtures.ts";

const names = await fixtureNames();
const fields = [pressure, velocity, material, flux];

describe("every encoding that VTK writes gives the same data set", () => {
  const images = names.filter((name) => /^image-.*\.vti$/.test(name));
  const grids = names.filter((name) => /^rectilinear-.*\.vtr$/.test(name));

  test("all of them are there", () => {
    expect(images).toHaveLength(25);
    expect(grids).toHaveLength(7);
  });

  test.each(images)("%s", async (name) => {
    expect(plain(await readFixture(name))).toEqual({ grid: extentGrid, fields, notes: [] });
  });

  test.each(grids)("%s", async (name) => {
    expect(plain(await readFixture(name))).toEqual({ grid: rectilinearGrid, fields, notes: [] });
  });
});

test.each(["types-ascii.vti", "types-binary.vti"])(
  "%s: each type keeps its dtype and its values",
  async (name) => {
    const ascii = name.includes("ascii");
    for (const field of plain(await readFixture(name)).fields) {
      const expected = field.name === "id" ? typedValues.long : typedValues[field.name];
      expect(field.dtype, field.name).toBe(expected.dtype);
      // VTK prints doubles with 11 digits.
      if (ascii && expected.dtype === "f64") {
        field.values.forEach((value, i) => {
          expect(Math.abs(Number(value) / Number(expected.values[i]) - 1)).toBeLessThan(1e-10);
        });
      } else expect(field.values, field.name).toEqual(expected.values);
    }
  },
);

test.each(["extras-ascii.vti", "extras-raw.vti"])("%s: field data and text are passed over", async (name) => {
  expect(plain(await readFixture(name))).toEqual({
    grid: imageGrid,
    fields,
    notes: ["The text array “labels” was left out."],
  });
});

describe("pieces", () => {
  test("are put together as VTK writes them whole", async () => {
    const whole = plain(await readFixture("wavelet.vti"));
    expect(whole.fields.map(({ centering, values }) => [centering, values.length])).toEqual([
      ["node", 7 * 4 * 4],
      ["cell", 6 * 3 * 3],
    ]);
    expect(plain(await readFixture("wavelet-pieces.vti"))).toEqual(whole);
  });

  test("that repeat the same extent count once", async () => {
    expect(plain(await readFixture("repeated-pieces.vti"))).toEqual({ grid: extentGrid, fields, notes: [] });
  });

  const piece = (from: number, to: number, x: string, p: string) =>
    `<Piece Extent="${from} ${to} 0 1 0 0"><Coordinates><DataArray type="Float32" format="ascii">${x}</DataArray>` +
    `<DataArray type="Float32" format="ascii">0 1</DataArray><DataArray type="Float32" format="ascii">5</DataArray>` +
    `</Coordinates><PointData><DataArray type="Int32" Name="p" format="ascii">${p}</DataArray></PointData></Piece>`;
  const file = (pieces: string) =>
    `<VTKFile type="RectilinearGrid"><RectilinearGrid WholeExtent="0 3 0 1 0 0">${pieces}</RectilinearGrid></VTKFile>`;

  test("of a rectilinear grid join their coordinates, in any order", async () => {
    const text = file(piece(2, 3, "4 8", "2 3 12 13") + piece(0, 2, "1 2 4", "0 1 2 10 11 12"));
    expect(plain(await readText(text, "a.vtr"))).toEqual({
      grid: { kind: "rectilinear", dims: [4, 2, 1], axes: [[1, 2, 4, 8], [0, 1], [5]] },
      fields: [
        { name: "p", centering: "node", components: 1, dtype: "i32", values: [0, 1, 2, 3, 10, 11, 12, 13] },
      ],
      notes: [],
    });
  });

  test("that leave a gap are an error", async () => {
    const text = file(piece(2, 3, "4 8", "2 3 12 13") + piece(0, 1, "1 2", "0 1 10 11"));
    await expect(readText(text, "a.vtr")).rejects.toThrow(
      "“a.vtr”, header: its 2 pieces have 2 cells, the whole has 3.",
    );
  });
});
