/** A field of a made-up file: its value, or its components' values, at a point of the unit cube. */
export interface MadeField {
  readonly name: string;
  readonly components?: number;
  readonly type?: "Float32" | "Float64";
  readonly at: (x: number, y: number, z: number) => number | readonly number[];
}

/** A .vti of `dims` points over the unit cube, as a person's file for the file input. */
export function vtiFile(
  name: string,
  fields: readonly MadeField[],
  dims: readonly [number, number, number] = [8, 8, 8],
): { name: string; mimeType: string; buffer: Buffer } {
  const extent = dims.map((n) => `0 ${n - 1}`).join(" ");
  const spacing = dims.map((n) => 1 / Math.max(1, n - 1));
  const arrays = fields.map(({ name, components = 1, type = "Float32", at }) => {
    const values: (number | readonly number[])[] = [];
    for (let k = 0; k < dims[2]; k++) {
      for (let j = 0; j < dims[1]; j++) {
        for (let i = 0; i < dims[0]; i++) values.push(at(i * spacing[0], j * spacing[1], k * spacing[2]));
      }
    }
    return (
      `<DataArray type="${type}" Name="${name}" NumberOfComponents="${components}" format="ascii">` +
      `${values.flat().join(" ")}</DataArray>`
    );
  });
  const text =
    `<VTKFile type="ImageData" version="1.0" byte_order="LittleEndian"><ImageData WholeExtent="${extent}" ` +
    `Origin="0 0 0" Spacing="${spacing.join(" ")}"><Piece Extent="${extent}"><PointData>${arrays.join("")}` +
    `</PointData></Piece></ImageData></VTKFile>`;
  return { name, mimeType: "text/xml", buffer: Buffer.from(text) };
}
