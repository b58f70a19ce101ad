import { describe, expect, test } from "vitest";
import { fixtureBytes, plain, readBytes, readFixture, readText } from "../testing/fixtures.ts";

const image = (
  array: string,
  attributes = "",
  grid = 'WholeExtent="0 1 0 1 0 0" Origin="0 0 0" Spacing="1 1 1"',
) =>
  `<?xml version="1.0"?>\n<VTKFile type="ImageData" ${attributes}>\n<ImageData ${grid}>\n` +
  `<Piece Extent="0 1 0 1 0 0"><PointData>\n${array}\n</PointData></Piece></ImageData></VTKFile>`;

const uint8 = (text: string, attributes = 'format="binary"') =>
  `<DataArray type="UInt8" Name="p" ${attributes}>${text}</DataArray>`;

/** Base64 of 32-bit little-endian numbers. */
const words = (...numbers: number[]) =>
  btoa(String.fromCharCode(...new Uint8Array(Uint32Array.from(numbers).buffer)));

const zlib = 'compressor="vtkZLibDataCompressor"';

test("a header encoded apart from its values is read as well", async () => {
  const { fields } = await readText(image(uint8(`${words(4)}${btoa("\x01\x02\x03\x04")}`)), "a.vti");
  expect([...fields[0].data]).toEqual([1, 2, 3, 4]);
});

describe("bad files end in one sentence that names the line or the byte", () => {
  test.each([
    ["no VTKFile", image("").replaceAll("VTKFile", "VTKFiles"), "it does not start with “<VTKFile”"],
    ["no ImageData", image("").replaceAll("ImageData ", "Image "), "line 2: there is no ImageData element."],
    ["no Piece", image("").replaceAll("Piece", "Peace"), "line 3: ImageData has no Piece."],
    [
      "an empty extent",
      image("").replace('Extent="0 1 0 1 0 0"><P', 'Extent="0 -1 0 -1 0 -1"><P'),
      'line 4: Extent="0 -1 0 -1 0 -1" has no points along x.',
    ],
    [
      "a short extent",
      image("").replace('Extent="0 1 0 1 0 0"><P', 'Extent="0 1"><P'),
      'Extent="0 1" should be 6 numbers.',
    ],
    [
      "a spacing that is not a number",
      image("", "", 'Spacing="1 nan 1"'),
      'line 3: Spacing="1 nan 1" should be 3 numbers.',
    ],
    ["an unknown byte order", image("", 'byte_order="Middle"'), "line 2: byte_order is “Middle”"],
    ["an unknown header type", image("", 'header_type="UInt16"'), "header_type is “UInt16”"],
    [
      "an unknown type",
      image(uint8("").replace("UInt8", "Real")),
      "line 5: the field “p” has the unknown type “Real”.",
    ],
    ["an unknown format", image(uint8("", 'format="hex"')), "the format “hex”"],
    ["no components", image(uint8("", 'NumberOfComponents="0"')), "NumberOfComponents is “0”"],
    [
      "too many components",
      image(uint8(words(4), 'format="binary" NumberOfComponents="4000000000"')),
      "holds 4 bytes where its grid needs 16,000,000,000",
    ],
    [
      "a length that is not the grid's",
      image(uint8(words(5))),
      "line 5: the field “p” holds 5 bytes where its grid needs 4.",
    ],
    [
      "base64 that ends early",
      image(uint8(words(4))),
      "byte 216: the data end here, but the field “p” needs 4 bytes.",
    ],
    ["garbage for base64", image(uint8("AAAA*AAA")), "“*” is not a base64 digit."],
    [
      "appended data that are not there",
      image(uint8("", 'format="appended" offset="0"')),
      "should lie in appended data",
    ],
    [
      "more blocks than bytes",
      image(uint8(words(4000000000)), zlib),
      "the header of the field “p” declares 2 blocks",
    ],
    [
      "sizes that do not add up",
      image(uint8(words(2, 100, 0, 9, 9)), zlib),
      "holds 200 bytes where its grid needs 4.",
    ],
    [
      "blocks beyond the file",
      image(uint8(words(1, 4, 0, 90000)), zlib),
      "the 1 compressed blocks of the field “p” need 90,000 bytes",
    ],
    [
      "garbage for zlib",
      image(uint8(words(1, 4, 0, 9) + btoa("x\x9cgarbage")), zlib),
      "is compressed, but a block cannot be decompressed.",
    ],
    ["a tag that does not end", image("").slice(0, 70), "a tag starts here, but does not end."],
    ["text for numbers", image(uint8("1 2 drei 4", 'format="ascii"')), "line 5: the field “p” has “drei”"],
  ])("%s", async (_, text, message) => {
    await expect(readText(text, "a.vti")).rejects.toMatchObject({
      message: expect.stringContaining(message),
    });
  });

  test.each([
    [
      "lz4.vti",
      "is compressed with LZ4, which Crinkle does not read. Save it with zlib compression or without any.",
    ],
    ["lzma.vti", "is compressed with LZMA"],
  ])("%s", async (name, message) => {
    await expect(readFixture(name)).rejects.toMatchObject({
      tag: "UnsupportedFormat",
      message: expect.stringContaining(message),
    });
  });

  test.each([
    ["StructuredGrid", "a curvilinear (structured) grid"],
    ["UnstructuredGrid", "an unstructured grid"],
    ["PImageData", "only the list of a parallel data set's pieces"],
    ["vtkMultiBlockDataSet", "several data sets in blocks"],
    ["Mystery", "of the kind Mystery"],
  ])("%s is refused by name", async (kind, message) => {
    await expect(readText(image("").replaceAll("ImageData", kind), "a.vti")).rejects.toMatchObject({
      tag: "UnsupportedFormat",
      message: expect.stringContaining(message),
    });
  });

  test("an image turned in space", async () => {
    const turned = image("", "", 'WholeExtent="0 1 0 1 0 0" Direction="0 1 0 -1 0 0 0 0 1"');
    await expect(readText(turned, "a.vti")).rejects.toThrow(
      "is rotated in space: its Direction is 0 1 0 -1 0 0 0 0 1.",
    );
  });

  test("a damaged byte in a compressed block is found by its check sum", async () => {
    const bytes = await fixtureBytes("image-raw-zlib-32-le.vti");
    const text = Buffer.from(bytes).toString("latin1");
    const from = text.indexOf("_", text.indexOf("<AppendedData")) + 1;
    const whole = plain(await readBytes(bytes, "a.vti"));
    let refused = 0;
    for (let at = from; at < text.indexOf("\n", text.lastIndexOf("</AppendedData") - 10); at++) {
      const damaged = bytes.slice();
      damaged[at] ^= 0x10;
      try {
        // Deflate has bits that no value depends on, such as the lengths of codes that do not occur.
        expect(plain(await readBytes(damaged, "a.vti")), `byte ${at} changed`).toEqual(whole);
      } catch (error) {
        expect(error).toMatchObject({ tag: "BadFile" });
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(300);
  });
});
