/** VTK XML image data (.vti): appended raw blocks, zlib, UInt32 headers, little endian. */
import { deflateSync } from "node:zlib";

const BLOCK_BYTES = 1 << 18;

/** Block count, block size, size of a last partial block (0: none), compressed sizes; then the blocks. @param {Buffer} bytes */
function compress(bytes) {
  const blocks = [];
  for (let from = 0; from < bytes.length; from += BLOCK_BYTES) {
    blocks.push(deflateSync(bytes.subarray(from, from + BLOCK_BYTES), { level: 9, memLevel: 9 }));
  }
  const header = [blocks.length, BLOCK_BYTES, bytes.length % BLOCK_BYTES, ...blocks.map((b) => b.length)];
  const words = Buffer.alloc(4 * header.length);
  header.forEach((word, i) => {
    words.writeUInt32LE(word, 4 * i);
  });
  return Buffer.concat([words, ...blocks]);
}

/** @param {Float32Array} values */
function littleEndian(values) {
  const bytes = Buffer.alloc(4 * values.length);
  for (let i = 0; i < values.length; i++) bytes.writeFloatLE(values[i], 4 * i);
  return bytes;
}

/**
 * @typedef {{ name: string, components: number, values: Float32Array }} PointArray x fastest, then y, z; the
 *   components of a point together
 * @param {{ dims: number[], origin: number[], spacing: number[], arrays: PointArray[], comment: string }} image
 * @returns {Buffer} the file
 */
export function encodeVti({ dims, origin, spacing, arrays, comment }) {
  const extent = dims.map((size) => `0 ${size - 1}`).join(" ");
  const payloads = arrays.map(({ values }) => compress(littleEndian(values)));
  let offset = 0;
  const lines = arrays.map(({ name, components }, i) => {
    const line = `<DataArray type="Float32" Name="${name}" NumberOfComponents="${components}" format="appended" offset="${offset}"/>`;
    offset += payloads[i].length;
    return `        ${line}`;
  });
  const scalars = arrays.find(({ components }) => components === 1)?.name;
  const vectors = arrays.find(({ components }) => components === 3)?.name;
  const active = `${scalars ? ` Scalars="${scalars}"` : ""}${vectors ? ` Vectors="${vectors}"` : ""}`;
  const head = `<?xml version="1.0"?>
<!-- ${comment} -->
<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt32" compressor="vtkZLibDataCompressor">
  <ImageData WholeExtent="${extent}" Origin="${origin.join(" ")}" Spacing="${spacing.join(" ")}">
    <Piece Extent="${extent}">
      <PointData${active}>
${lines.join("\n")}
      </PointData>
    </Piece>
  </ImageData>
  <AppendedData encoding="raw">
   _`;
  return Buffer.concat([Buffer.from(head), ...payloads, Buffer.from("\n  </AppendedData>\n</VTKFile>\n")]);
}

/**
 * Rounds to the nearest multiple of 2^−bits: the same error bound everywhere, so that differences of neighbours are
 * as good where the field is large, and zero low bits for the compressor.
 * @param {ArrayLike<number>} values @param {number} bits @returns {Float32Array}
 */
export function roundToBits(values, bits) {
  const scale = 2 ** bits;
  // + 0 turns −0 into 0
  return Float32Array.from(values, (value) => Math.round(value * scale) / scale + 0);
}
