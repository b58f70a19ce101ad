import { expect, test } from "vitest";
import { blobSource, bytesSource } from "./source.ts";

const bytes = Uint8Array.of(1, 2, 3, 4, 5);

test.each([
  ["bytes", bytesSource(bytes.subarray(1), "a.raw")],
  ["blob", blobSource(new Blob([bytes.subarray(1)]), "a.raw")],
])("a source of %s gives fresh arrays that the caller may change", async (_, source) => {
  expect([source.name, source.size]).toEqual(["a.raw", 4]);
  const read = await source.read(1, 3);
  expect([...read]).toEqual([3, 4]);
  expect(read.byteOffset).toBe(0);
  read[0] = 9;
  expect([...(await source.read(0, 4))]).toEqual([2, 3, 4, 5]);
});

test("a file that cannot be read any more is named, with a way out", async () => {
  const file = new Blob([bytes]);
  file.slice = () => {
    throw new DOMException("gone", "NotReadableError");
  };
  await expect(blobSource(file, "a.raw").read(1, 3)).rejects.toMatchObject({
    tag: "BadFile",
    message:
      "“a.raw” could not be read between byte 1 and byte 3. It may have changed or moved since it was chosen; open it again.",
  });
});
