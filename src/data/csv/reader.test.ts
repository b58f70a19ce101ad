import { describe, expect, test } from "vitest";
import { noJob } from "../../core/job.ts";
import { bytesSource } from "../source.ts";
import { readCsv } from "./reader.ts";

const read = (text: string | Uint8Array, name = "a.csv") =>
  readCsv(bytesSource(typeof text === "string" ? new TextEncoder().encode(text) : text, name), noJob);

/** Positions, then columns by name, then notes. */
async function plain(text: string) {
  const { positions, columns, notes, dimensions } = await read(text);
  return {
    positions: [...positions],
    dimensions,
    columns: Object.fromEntries(columns.map(({ name, data }) => [name, [...data]])),
    notes,
  };
}

const two = { positions: [1, 2, 3, 4, 5, 6], dimensions: 3, columns: { t: [7, 8] }, notes: [] };

describe("separators and line ends", () => {
  test.each([
    ["commas", "x,y,z,t\n1,2,3,7\n4,5,6,8\n"],
    ["semicolons", "x;y;z;t\n1;2;3;7\n4;5;6;8"],
    ["tabs", "x\ty\tz\tt\n1\t2\t3\t7\n4\t5\t6\t8\n"],
    ["spaces", "  x  y z   t\n 1 2 3 7\n4 \t5    6 8  \n"],
    ["CR LF", "x,y,z,t\r\n1,2,3,7\r\n4,5,6,8\r\n"],
    ["spaces and CR LF", "x y z t\r\n1 2 3 7 \r\n4 5 6 8\r\n"],
    ["spaces around", "x , y, z ,t\n 1 ,2 , 3, 7\n4,5,6,8 \n"],
    ["empty lines and comments", "# made by hand\n\nx,y,z,t\n1,2,3,7\n\n# between\n4,5,6,8\n\n"],
    ["a byte order mark", "\ufeffx,y,z,t\n1,2,3,7\n4,5,6,8\n"],
    ["quotes", '"x","y","z","t"\n"1","2",3,7\n4,"5",6,"8"\n'],
    ["separators at the ends", "x,y,z,t,\n1,2,3,7,\n4,5,6,8,\n"],
    ["decimal commas", "x;y;z;t\n1,0;2;3;7\n4;5,0;6;8,0\n"],
    ["Excel's sep=", "sep=;\nx;y;z;t\n1;2;3;7\n4;5;6;8\n"],
    ["names in a comment", "# x y z t\n1 2 3 7\n4 5 6 8\n"],
    ["names in any order and case", "T,Z,Y,X\n7,3,2,1\n8,6,5,4\n"],
  ])("%s", async (what, text) => {
    const got = await plain(text);
    const columns = what === "names in any order and case" ? { T: [7, 8] } : two.columns;
    expect({ ...got, notes: [] }).toEqual({ ...two, columns });
    expect(got.notes.filter((note) => !note.includes("has no values"))).toEqual([]);
  });
});

describe("which columns are coordinates", () => {
  test.each([
    ["temp,PX,PY,PZ\n7,1,2,3\n8,4,5,6", ["temp"]],
    ["temp,Points:0,Points:1,Points:2\n7,1,2,3\n8,4,5,6", ["temp"]],
    ["temp,lon,lat,elevation\n7,1,2,3\n8,4,5,6", ["temp"]],
    ["temp,Pos_X [m],Pos_Y [m],Pos_Z [m]\n7,1,2,3\n8,4,5,6", ["temp"]],
    ["temp,X (mm),Y (mm),Z (mm)\n7,1,2,3\n8,4,5,6", ["temp"]],
  ])("%s", async (text, names) => {
    const { positions, columns, notes } = await plain(text);
    expect(positions).toEqual(two.positions);
    expect(Object.keys(columns)).toEqual(names);
    expect(notes).toEqual([]);
  });

  test("the first three numbers without names; text is left out", async () => {
    expect(await plain("a,1,2,3,7\nb,4,5,6,8\n")).toEqual({
      ...two,
      columns: { "column 5": [7, 8] },
      notes: [
        "No column is called x; the coordinates are “column 2”, “column 3”, “column 4”.",
        "The column “column 1” is text; it was left out.",
      ],
    });
  });

  test("two columns lie in a plane", async () => {
    expect(await plain("x,y\n1,2\n3,4\n")).toEqual({
      positions: [1, 2, 0, 3, 4, 0],
      dimensions: 2,
      columns: {},
      notes: [],
    });
    expect((await plain("lon,lat,t\n1,2,9\n3,4,8\n")).columns).toEqual({ t: [9, 8] });
  });
});

test("missing values are NaN; points without coordinates are left out", async () => {
  const { positions, columns, notes } = await plain(
    "x,y,z,t,u\n1,2,3,,1e400\n,2,3,1,1\n4,5,6,NA,-1.5e-3\n7,inf,9,1,1\n1,1,nan,1,1\n7,8,9,nan,0x\n".replace(
      "0x",
      "0",
    ),
  );
  expect(positions).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(columns).toEqual({
    t: [Number.NaN, Number.NaN, Number.NaN],
    u: [Number.POSITIVE_INFINITY, -1.5e-3, 0],
  });
  expect(notes).toEqual(["3 points without finite coordinates were left out."]);
});

test("quoted fields may hold separators, quotes and line ends, which are counted", async () => {
  const head = 'name,x,y,z\n"one, ""two""\nthree",1,2,3\n5" pipe,4,5,6\n';
  expect((await plain(head)).positions).toEqual(two.positions);
  await expect(read(`${head}last,7,8,what\n`)).rejects.toMatchObject({
    tag: "BadFile",
    message:
      "“a.csv”, line 5, column 4 (“z”): “what” is not a number. A missing value is an empty field, NaN or NA.",
  });
});

test("rows across windows of a megabyte, and more rows than a block", async () => {
  const count = 150_000;
  const lines = Array.from({ length: count }, (_, i) => `${i}.5,${-i},${i / 8},"${i % 7}"`);
  const { positions, columns } = await read(`x,y,z,"a ""b"""\n${lines.join("\n")}`);
  expect(positions).toHaveLength(3 * count);
  for (let i = 0; i < count; i += 997) {
    expect([...positions.subarray(3 * i, 3 * i + 3)]).toEqual([i + 0.5, 0 - i, i / 8]);
    expect(columns[0].data[i]).toBe(i % 7);
  }
  expect(columns[0].name).toBe('a "b"');
  expect(columns[0].data).toHaveLength(count);
});

describe("refusals", () => {
  test.each([
    [
      "a ragged row",
      "x,y,z\n1,2,3\n4,5\n",
      "BadFile",
      "“a.csv”, line 3: there are 2 fields where 3 are expected.",
    ],
    ["one column", "x\n1\n2\n", "UnsupportedFormat", "“a.csv” has one column of numbers"],
    ["text alone", "a,b\nc,d\ne,f\n", "UnsupportedFormat", "“a.csv” has no columns of numbers"],
    ["names alone", "x,y,z\n", "BadFile", "“a.csv”, line 1: there are no rows below the names."],
    ["white space", " \n\n", "UnsupportedFormat", "“a.csv” has no columns of numbers"],
    [
      "no coordinate",
      "x,y\nnan,1\n2,nan\n",
      "BadFile",
      "“a.csv” has no point whose coordinates are all finite numbers.",
    ],
    ["no number at all", "x,y\n1,\n2,\n", "UnsupportedFormat", "“a.csv” has one column of numbers"],
    [
      "a row without end",
      `x,y\n1,2\n"${"a".repeat(3 << 20)}`,
      "BadFile",
      "“a.csv”, line 3: this row has over a million characters.",
    ],
    ["many columns", `${"1,".repeat(5000)}1\n`, "BadFile", "it has 5001 columns"],
  ])("%s", async (_, text, tag, message) => {
    const error = await read(text).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ tag, message: expect.stringContaining(message) });
  });

  test("a cancelled job", async () => {
    const stopped = new AbortController();
    const text = "1,2,3\n".repeat(1 << 20);
    const source = bytesSource(new TextEncoder().encode(text), "a.csv");
    const progress: number[] = [];
    const job = {
      signal: stopped.signal,
      progress(fraction: number) {
        progress.push(fraction);
        if (fraction > 0.2) stopped.abort();
      },
    };
    await expect(readCsv(source, job)).rejects.toMatchObject({ tag: "Cancelled" });
    expect(progress.length).toBeGreaterThan(1);
  });
});
