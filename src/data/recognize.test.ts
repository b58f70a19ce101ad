import { describe, expect, test } from "vitest";
import { recognize } from "./recognize.ts";
import { fixtureBytes, plain, readBytes, readFixture, readText } from "./testing/fixtures.ts";

describe("the content determines the format, whatever the name", () => {
  test.each(["image-ascii.vtk", "image-raw-none-64-be.vti", "rectilinear-ascii.vtr", "gzip.nrrd"])(
    "%s",
    async (name) => {
      const renamed = await readBytes(await fixtureBytes(name), "data.xyz");
      expect(plain(renamed)).toEqual(plain(await readFixture(name)));
      expect(renamed.name).toBe("data.xyz");
    },
  );
});

test("an empty file", async () => {
  await expect(readText("", "a.vti")).rejects.toMatchObject({
    tag: "BadFile",
    message: "“a.vti” is empty (0 bytes). It may still be downloading, or its copy may have failed.",
  });
});

test.each([
  ["a.vtk", "hello", "“a.vtk” is not a .vtk file: it does not start with “# vtk DataFile Version”."],
  ["a.vti", "hello", "“a.vti” is not a .vti file: it does not start with “<VTKFile”."],
  ["a.vti", "<html><body>404</body></html>", "“a.vti” is not a .vti file"],
  ["a.doc", "hello", "“a.doc” has a format that Crinkle does not know."],
  ["a.csv", "\0\x01", "“a.csv” is not a .csv file: it does not start with text."],
  ["a", "hello", "“a” has a format that Crinkle does not know."],
  ["a.bz2", "BZh9", "“a.bz2” is compressed with bzip2. Unpack it first"],
  ["a.h5", "\x89HDF\r\n", "“a.h5” is an HDF5 or NetCDF-4 file. Convert it to .vti"],
  ["a.nii", "\0", "“a.nii” is not a .nii file: it does not start with a NIfTI header."],
  ["a.dcm", `${"\0".repeat(128)}DICM`, "“a.dcm” is a DICOM image."],
  ["a.stl", "\0", "“a.stl” is named as a mesh, which has no volume."],
  ["a.ply", "x,y,z", "“a.ply” is not a .ply file: it does not start with “ply”."],
])("%s starting with %j", (name, text, message) => {
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const tag = message.includes("does not know") ? "UnknownFormat" : "UnsupportedFormat";
  expect(() => recognize(name, bytes)).toThrow(expect.objectContaining({ tag }));
  expect(() => recognize(name, bytes)).toThrow(message);
});
