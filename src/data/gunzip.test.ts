import { gzipSync } from "fflate";
import { expect, test } from "vitest";
import { noJob } from "../core/job.ts";
import { gunzip } from "./gunzip.ts";
import { bytesSource } from "./source.ts";
import { fixtureBytes, plain, readBytes, readFixture, readPoints } from "./testing/fixtures.ts";

test.each(["image-binary.vtk", "image-raw-zlib-64-le.vti", "gzip.nrrd", "zlib.mha"])(
  "%s within gzip is what it is without",
  async (name) => {
    const packed = gzipSync(await fixtureBytes(name));
    expect(plain(await readBytes(packed, `${name}.gz`))).toEqual(plain(await readFixture(name)));
  },
);

test("points within gzip keep the name that says what they are", async () => {
  const packed = gzipSync(new TextEncoder().encode("x,y,z\n1,2,3\n4,5,6\n"));
  const { name, positions } = await readPoints(packed, "a.csv.GZ");
  expect([name, ...positions]).toEqual(["a.csv", 1, 2, 3, 4, 5, 6]);
});

test("raw numbers are left to whoever can describe them", async () => {
  await expect(readBytes(gzipSync(new Uint8Array(64)), "head.raw.gz")).rejects.toMatchObject({
    tag: "UnsupportedFormat",
    message: "“head.raw.gz” holds raw numbers within gzip. Unpack it first.",
  });
});

test("what is cut off or damaged ends in a sentence", async () => {
  const packed = gzipSync(Uint8Array.from({ length: 5000 }, (_, i) => i * i));
  const refusalOf = async (bytes: Uint8Array) => {
    const refused = gunzip(bytesSource(bytes, "a.vti.gz"), noJob);
    await expect(refused).rejects.toMatchObject({
      tag: "BadFile",
      problem: expect.stringContaining("“a.vti.gz”"),
    });
  };
  for (const end of [3, 10, 100, packed.length - 4, packed.length - 1])
    await refusalOf(packed.subarray(0, end));
  const longer = packed.slice();
  longer[packed.length - 4]++;
  await refusalOf(longer);
  await refusalOf(Uint8Array.of(...packed, ...packed));
});
