import fc from "fast-check";
import { expect, test } from "vitest";
import { noJob } from "../../core/job.ts";
import { bytesSource } from "../source.ts";
import { Base64Stream } from "./base64.ts";
import { ByteCursor } from "./cursor.ts";
import { Yielder } from "./yielder.ts";

function streamOf(text: string): Base64Stream {
  const source = bytesSource(new TextEncoder().encode(text), "a");
  return new Base64Stream(new ByteCursor(source, new Yielder(noJob, "Reading")));
}

test("runs with padding of their own, broken by white space anywhere, read in pieces of any length", async () => {
  const run = fc.uint8Array({ maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(run, { maxLength: 4 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 1, max: 7 }),
      async (runs, piece, gap) => {
        const text = runs
          .map((bytes) => Buffer.from(bytes).toString("base64"))
          .join("")
          .replace(new RegExp(`.{${gap}}`, "g"), "$&\n ");
        const expected = Buffer.concat(runs);
        const stream = streamOf(text);
        const got = new Uint8Array(expected.length);
        for (let at = 0; at < got.length; at += piece)
          await stream.readInto(got.subarray(at, at + piece), "x");
        expect(Buffer.from(got).equals(expected)).toBe(true);
        expect(stream.atMost).toBeGreaterThanOrEqual(0);
        await expect(stream.readInto(new Uint8Array(1), "x")).rejects.toThrow("x has 1 bytes missing there");
      },
    ),
  );
});

test("megabytes cross the borders of windows", async () => {
  const expected = Uint8Array.from({ length: 3_000_001 }, (_, i) => (i * 7919) >> 3);
  const got = new Uint8Array(expected.length);
  await streamOf(Buffer.from(expected).toString("base64")).readInto(got, "x");
  expect(Buffer.from(got).equals(Buffer.from(expected))).toBe(true);
});
