import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { companionsOf, pathSource } from "./path-source.ts";

let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "crinkle-source-"));
  path = join(folder, "a.raw");
  await writeFile(
    path,
    Uint8Array.from({ length: 100 }, (_, i) => i),
  );
});
afterAll(() => rm(folder, { recursive: true }));

it("reads ranges into arrays of their own", async () => {
  const source = pathSource(path);
  expect([source.name, source.size]).toEqual(["a.raw", 100]);
  const part = await source.read(10, 14);
  expect([...part, part.byteOffset, part.buffer.byteLength]).toEqual([10, 11, 12, 13, 0, 4]);
  part.fill(0);
  expect([...(await source.read(13, 15))]).toEqual([13, 14]);
  expect(await source.read(100, 100)).toHaveLength(0);
  await source.close();
});

it("says so where a file ends before its time, is a folder, or is not there", async () => {
  const source = pathSource(path);
  await truncate(path, 50);
  await expect(source.read(40, 60)).rejects.toThrow(/ends at byte 50, before byte 60/);
  await source.close();
  expect(() => pathSource(folder)).toThrow(/is a folder/);
  expect(() => pathSource(join(folder, "none"))).toThrow(/There is no file/);
});

it("says why a file could not be opened, and closes nothing then", async () => {
  const gone = join(folder, "gone.raw");
  await writeFile(gone, "1");
  const source = pathSource(gone);
  await rm(gone);
  await expect(source.read(0, 1)).rejects.toThrow(/There is no file/);
  await expect(source.close()).resolves.toBeUndefined();
});

it("refuses anything but a regular file", () => {
  expect(() => pathSource(devNull)).toThrow(/is a pipe or a device/);
});

it("finds companions beside the file", () => {
  const companion = companionsOf(join(folder, "a.nhdr"));
  expect(companion("a.raw")?.name).toBe("a.raw");
  expect(companion("b.raw")).toBeUndefined();
});
