import fc from "fast-check";
import { expect, test } from "vitest";
import { noJob } from "../../core/job.ts";
import { bytesSource } from "../source.ts";
import { readCsv } from "./reader.ts";

const read = (text: string) => readCsv(bytesSource(new TextEncoder().encode(text), "a.csv"), noJob);

/** −0 is written as 0. */
const positive = (value: number) => value + 0;
const number = fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.float({ noNaN: true }));
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

test("tables of any numbers, however they are written", async () => {
  const style = fc.record({
    separator: fc.constantFrom(",", ";", "\t", " "),
    end: fc.constantFrom("\n", "\r\n"),
    hasNames: fc.boolean(),
    endsOpen: fc.boolean(),
    isQuoted: fc.func(fc.boolean()),
  });
  const row = fc.tuple(finite, finite, finite, number, number).map((values) => values.map(positive));
  await fc.assert(
    fc.asyncProperty(style, fc.array(row, { minLength: 1, maxLength: 20 }), async (how, rows) => {
      const lines = rows.map((values, r) =>
        values.map((value, c) => (how.isQuoted([r, c]) ? `"${value}"` : String(value))).join(how.separator),
      );
      const names = how.hasNames ? [["x", "y", "z", "a", '"b"'].join(how.separator)] : [];
      const text = [...names, ...lines].join(how.end) + (how.endsOpen ? "" : how.end);
      const { positions, columns } = await read(text);
      expect([...positions]).toEqual(rows.flatMap((values) => values.slice(0, 3)));
      expect(columns.map(({ data }) => [...(data as Float64Array)])).toEqual(
        [3, 4].map((c) => rows.map((values) => values[c])),
      );
    }),
    { numRuns: 300 },
  );
});

test("a window of the file may end at any byte of a row", async () => {
  const windowBytes = 1 << 20;
  const head = "x,y,label,z\n1,2,a,3\n";
  const rows = '4,5,"a ""quoted""\n\ntext, with all",6\r\n\r\n 7.25 ,-8e-1,b,"9"\r\n# c\n10,11,,12';
  for (let shift = 0; shift <= rows.length; shift++) {
    let padding = windowBytes - shift - head.length;
    let comments = "";
    for (; padding > 1 << 16; padding -= 1 << 15) comments += `#${"-".repeat((1 << 15) - 2)}\n`;
    comments += `#${"-".repeat(padding - 2)}\n`;
    const { positions } = await read(head + comments + rows);
    expect([...positions]).toEqual([1, 2, 3, 4, 5, 6, 7.25, -0.8, 9, 10, 11, 12]);
  }
});

test("any text is points or an error, and soon", async () => {
  const piece = fc.constantFrom(
    "1",
    "-2.5e3",
    "x",
    ",",
    ";",
    "\t",
    " ",
    "\n",
    "\r\n",
    '"',
    '""',
    "#",
    "nan",
    "é",
    "\ufeff",
    "1e999",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 60 }), async (pieces) => {
      const start = performance.now();
      try {
        const { positions, columns } = await read(pieces.join(""));
        for (const { data } of columns) expect(data.length).toBe(positions.length / 3);
        expect(positions.every(Number.isFinite)).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({ tag: expect.stringMatching(/^(BadFile|UnsupportedFormat)$/) });
      }
      expect(performance.now() - start).toBeLessThan(2000);
    }),
    { numRuns: 3000 },
  );
});
