import { describe, expect, test } from "vitest";
import { isCancelled } from "../../core/errors.ts";
import { type JobContext, noJob } from "../../core/job.ts";
import type { Source } from "../source.ts";
import { readAsciiArray } from "../text/ascii-array.ts";
import { readLine, readToken } from "../text/lines.ts";
import { ByteCursor } from "./cursor.ts";
import { Yielder } from "./yielder.ts";

/** A file of `size` bytes that exists only where it is read; remembers how much was asked for at once. */
function madeSource(size: number, byteAt: (position: number) => number) {
  const source = {
    name: "made",
    size,
    largestRead: 0,
    async read(from: number, to: number) {
      source.largestRead = Math.max(source.largestRead, to - from);
      const bytes = new Uint8Array(to - from);
      for (let i = 0; i < bytes.length; i++) bytes[i] = byteAt(from + i);
      return bytes;
    },
  };
  return source;
}

const cursorOn = (source: Source, job: JobContext = noJob) =>
  new ByteCursor(source, new Yielder(job, "Reading"));

function textSource(text: string) {
  const bytes = new TextEncoder().encode(text);
  return madeSource(bytes.length, (position) => bytes[position]);
}

describe("binary arrays larger than a read", () => {
  test("come whole and in the machine's byte order, through reads of bounded size", async () => {
    const source = madeSource(3 + 20_000_000, (position) => (position * 7) & 0xff);
    const cursor = cursorOn(source);
    await cursor.ensure(3);
    cursor.seek(3);
    const array = await cursor.readArray("u32", 5_000_000, "big", "x");
    expect(source.largestRead).toBeLessThanOrEqual(1 << 24);
    const b = (position: number) => (position * 7) & 0xff;
    for (const i of [0, 1, 262_143, 262_144, 4_194_303, 4_194_304, 4_456_447, 4_456_448, 4_999_999]) {
      const p = 3 + 4 * i;
      expect(array[i], `number ${i}`).toBe(
        ((b(p) << 24) | (b(p + 1) << 16) | (b(p + 2) << 8) | b(p + 3)) >>> 0,
      );
    }
    expect(cursor.atEnd).toBe(true);
  });

  test("are not allocated where the file is too short", async () => {
    const cursor = cursorOn(madeSource(100, () => 0));
    await expect(cursor.readArray("f64", 2 ** 40, "little", "the field “p”")).rejects.toThrow(
      "“made” ends at byte 100, but the field “p” needs 8,796,093,022,208 bytes from byte 0 on.",
    );
  });
});

test("numbers in text, cut anywhere by windows, with the line of a fault", async () => {
  const numbers = Array.from({ length: 400_000 }, (_, i) => i * 1.25 - 1000);
  const lines = [];
  for (let i = 0; i < numbers.length; i += 8) lines.push(numbers.slice(i, i + 8).join(" "));
  const text = lines.join("\n");
  expect(text.length).toBeGreaterThan(3 << 20);
  const got = await readAsciiArray(cursorOn(textSource(text)), "f64", numbers.length, "x");
  expect(got).toEqual(Float64Array.from(numbers));
  const at = text.lastIndexOf("\n") - 3;
  const damaged = `${text.slice(0, at)}?${text.slice(at)}`;
  await expect(readAsciiArray(cursorOn(textSource(damaged)), "f64", numbers.length, "x")).rejects.toThrow(
    `“made”, line ${lines.length - 1}: x has`,
  );
});

test("lines and words across windows; neither may be endless", async () => {
  const cursor = cursorOn(textSource(`${" ".repeat((1 << 20) - 2)}word next\nline\r\n\nlast`));
  expect(await readToken(cursor)).toBe("word");
  expect(await readLine(cursor)).toBe(" next");
  expect(await readLine(cursor)).toBe("line");
  expect(await readLine(cursor)).toBe("");
  expect(cursor.line).toBe(4);
  expect(await readLine(cursor)).toBe("last");
  expect(await readLine(cursor)).toBeUndefined();
  const endless = madeSource(1e9, () => 0x61);
  await expect(readLine(cursorOn(endless))).rejects.toThrow("a line of over 65536 bytes");
  await expect(readToken(cursorOn(endless))).rejects.toThrow("a word of over 65536 bytes");
  expect(endless.largestRead).toBeLessThanOrEqual(1 << 20);
});

test("a long parse reports progress, and stops soon after a cancel", async () => {
  const controller = new AbortController();
  const fractions: number[] = [];
  const job: JobContext = {
    signal: controller.signal,
    progress(fraction, step) {
      expect(step).toBe("Reading");
      fractions.push(fraction);
      if (fractions.length === 3) controller.abort();
    },
  };
  const endless = madeSource(1e12, (position) => (position % 2 ? 0x20 : 0x37));
  const error = await readAsciiArray(cursorOn(endless, job), "u8", 1e8, "x").catch(
    (reason: unknown) => reason,
  );
  expect(isCancelled(error)).toBe(true);
  expect(fractions).toHaveLength(3);
});
