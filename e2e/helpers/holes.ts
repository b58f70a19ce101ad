import { open } from "node:fs/promises";

/** Writes a .vti of n³ zeros that are a hole in the file: they take no room on the disk. */
export async function writeHoles(
  path: string,
  n: number,
  type: "Float32" | "UInt8" = "Float32",
): Promise<void> {
  const bytes = (type === "UInt8" ? 1 : 4) * n ** 3;
  const extent = `0 ${n - 1} 0 ${n - 1} 0 ${n - 1}`;
  const head =
    `<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian" header_type="UInt64">` +
    `<ImageData WholeExtent="${extent}" Origin="0 0 0" Spacing="1 1 1"><Piece Extent="${extent}"><PointData>` +
    `<DataArray type="${type}" Name="f" format="appended" offset="0"/></PointData></Piece></ImageData>` +
    `<AppendedData encoding="raw">_`;
  const file = await open(path, "w");
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes));
  await file.write(Buffer.concat([Buffer.from(head), length]));
  await file.truncate(head.length + 8 + bytes);
  await file.close();
}
