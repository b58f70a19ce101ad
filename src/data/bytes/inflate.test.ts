import { gzipSync, zlibSync } from "fflate";
import { expect, test } from "vitest";
import { noJob } from "../../core/job.ts";
import { bytesSource } from "../source.ts";
import { ByteCursor } from "./cursor.ts";
import { adler32, inflateGzip, inflateZlib } from "./inflate.ts";
import { Yielder } from "./yielder.ts";

const yielder = new Yielder(noJob, "Reading");
const cursorOf = (bytes: Uint8Array) => new ByteCursor(bytesSource(bytes, "a"), yielder);

test("Adler-32 as the RFC's well-known example has it, and beyond one reduction", () => {
  expect(adler32(new TextEncoder().encode("Wikipedia"))).toBe(0x11e60398);
  const bytes = new Uint8Array(100_000).fill(255);
  expect(adler32(bytes)).toBe(new DataView(zlibSync(bytes).slice(-4).buffer).getUint32(0));
});

test.each([1000, 6_000_000])("a zlib block of %i bytes", async (length) => {
  const expected = Uint8Array.from({ length }, (_, i) => i % 251);
  const compressed = zlibSync(expected);
  const got = new Uint8Array(length);
  await inflateZlib(cursorOf(compressed), compressed.length, got, "x", "a", yielder);
  expect(Buffer.from(got).equals(Buffer.from(expected))).toBe(true);
  for (const wrong of [length - 1, length + 1]) {
    const target = new Uint8Array(wrong);
    await expect(
      inflateZlib(cursorOf(compressed), compressed.length, target, "x", "a", yielder),
    ).rejects.toThrow("x is compressed, but");
  }
});

test("a gzip file of several members", async () => {
  const parts = ["one ", "two ", "three"].map((text) => new TextEncoder().encode(text));
  const compressed = Buffer.concat(parts.map((part) => gzipSync(part)));
  const got = new Uint8Array(13);
  await inflateGzip(cursorOf(compressed), compressed.length, got, "x", "a", yielder);
  expect(new TextDecoder().decode(got)).toBe("one two three");
});
