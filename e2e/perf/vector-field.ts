import { open } from "node:fs/promises";

/** Writes a smooth vector field on n³ nodes as a .vti with appended raw f32, a plane at a time. */
export async function writeVectorField(path: string, n: number): Promise<void> {
  const extent = `0 ${n - 1} 0 ${n - 1} 0 ${n - 1}`;
  const head =
    `<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt64">` +
    `<ImageData WholeExtent="${extent}" Origin="0 0 0" Spacing="1 1 1"><Piece Extent="${extent}"><PointData>` +
    `<DataArray type="Float32" Name="v" NumberOfComponents="3" format="appended" offset="0"/></PointData></Piece>` +
    `</ImageData><AppendedData encoding="raw">_`;
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(12 * n ** 3));
  const file = await open(path, "w");
  try {
    await file.write(Buffer.concat([Buffer.from(head), length]));
    const wave = Float64Array.from({ length: n }, (_, i) => Math.sin((6 * Math.PI * i) / n));
    const plane = new Float32Array(3 * n * n);
    for (let k = 0; k < n; k++) {
      for (let j = 0, at = 0; j < n; j++) {
        for (let i = 0; i < n; i++, at += 3) {
          plane[at] = wave[j] + 0.5 * wave[k];
          plane[at + 1] = wave[k] - wave[i];
          plane[at + 2] = wave[i] * wave[j];
        }
      }
      await file.write(new Uint8Array(plane.buffer));
    }
    await file.write("</AppendedData></VTKFile>");
  } finally {
    await file.close();
  }
}
