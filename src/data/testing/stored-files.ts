import { type DType, swapBytes, type TypedArray } from "../../core/dtype.ts";
import type { Grid } from "../../core/grid.ts";
import { bytesOf } from "../bytes/allocate.ts";
import { type ByteOrder, isForeign } from "../bytes/order.ts";
import type { ReadOptions } from "../read.ts";
import { bytesSource, type Source } from "../source.ts";
import { vtkTypes } from "../write/vtk-appended.ts";

/** A field as a file is to hold it; files with one field have it on nodes. */
export interface FileField {
  readonly name: string;
  readonly centering: "node" | "cell";
  readonly components: number;
  readonly dtype: DType;
  readonly data: TypedArray;
}

/** A file of this many bytes before, between and behind the values, and what to read it with. */
export interface StoredFile {
  readonly source: Source;
  readonly options: ReadOptions;
}

const legacyTypes: Record<DType, string> = {
  i8: "char",
  u8: "unsigned_char",
  i16: "short",
  u16: "unsigned_short",
  i32: "int",
  u32: "unsigned_int",
  i64: "vtktypeint64",
  u64: "vtktypeuint64",
  f32: "float",
  f64: "double",
};

const utf8 = (text: string) => new TextEncoder().encode(text);

function stored(array: TypedArray, order: ByteOrder): Uint8Array {
  const bytes = bytesOf(array).slice();
  if (array.BYTES_PER_ELEMENT > 1 && isForeign(order)) swapBytes(bytes, array.BYTES_PER_ELEMENT);
  return bytes;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function rawFile(grid: Grid & { kind: "uniform" }, field: FileField, order: ByteOrder): StoredFile {
  const { dtype, components } = field;
  const { dims, origin, spacing } = grid;
  const source = bytesSource(joined([new Uint8Array(7), stored(field.data, order)]), "a.raw");
  return {
    source,
    options: { raw: { dims, origin, spacing, dtype, components, byteOrder: order, headerBytes: 7 } },
  };
}

export function nrrdFile(
  grid: Grid & { kind: "uniform" },
  field: FileField,
  order: ByteOrder,
  isDetached: boolean,
): StoredFile {
  const dims = field.components > 1 ? [field.components, ...grid.dims] : grid.dims;
  const types: Record<DType, string> = {
    ...{ i8: "int8", u8: "uint8", i16: "int16", u16: "uint16", i32: "int32", u32: "uint32" },
    ...{ i64: "int64", u64: "uint64", f32: "float", f64: "double" },
  };
  const own = field.components > 1 ? ["none"] : [];
  const kinds = [...(field.components > 1 ? ["vector"] : []), "domain", "domain", "domain"];
  const direction = [0, 1, 2].map(
    (axis) => `(${[0, 1, 2].map((i) => (i === axis ? grid.spacing[axis] : 0)).join(",")})`,
  );
  const lines = [
    "NRRD0004",
    `type: ${types[field.dtype]}`,
    `dimension: ${dims.length}`,
    `content: ${field.name}`,
    "space dimension: 3",
    `sizes: ${dims.join(" ")}`,
    `space directions: ${[...own, ...direction].join(" ")}`,
    `space origin: (${grid.origin.join(",")})`,
    `kinds: ${kinds.join(" ")}`,
    `endian: ${order}`,
    "encoding: raw",
    ...(isDetached ? ["data file: values.bin"] : []),
    "",
    "",
  ];
  const head = utf8(lines.join("\n"));
  const values = stored(field.data, order);
  if (!isDetached) return { source: bytesSource(joined([head, values]), "a.nrrd"), options: {} };
  const companions = (name: string) =>
    name === "values.bin" ? bytesSource(values, "values.bin") : undefined;
  return { source: bytesSource(head, "a.nhdr"), options: { companions } };
}

/** A .vti, or a .vtr with coordinates in the appended data. */
export function xmlFile(
  grid: Grid,
  fields: readonly FileField[],
  order: ByteOrder,
  headerWidth: 4 | 8,
): StoredFile {
  const blocks: Uint8Array[] = [];
  let offset = 0;
  const array = (name: string, dtype: DType, components: number, data: TypedArray) => {
    const bytes = stored(data, order);
    const length = new Uint8Array(headerWidth);
    const view = new DataView(length.buffer);
    if (headerWidth === 4) view.setUint32(0, bytes.length, order === "little");
    else view.setBigUint64(0, BigInt(bytes.length), order === "little");
    blocks.push(length, bytes);
    const element = `<DataArray type="${vtkTypes[dtype]}" Name="${name}" NumberOfComponents="${components}" format="appended" offset="${offset}"/>`;
    offset += headerWidth + bytes.length;
    return element;
  };
  const section = (name: string, centering: "node" | "cell") =>
    `<${name}>${fields
      .filter((field) => field.centering === centering)
      .map((field) => array(field.name, field.dtype, field.components, field.data))
      .join("")}</${name}>`;
  const extent = grid.dims.map((n) => `0 ${n - 1}`).join(" ");
  const kind = grid.kind === "uniform" ? "ImageData" : "RectilinearGrid";
  const place =
    grid.kind === "uniform" ? ` Origin="${grid.origin.join(" ")}" Spacing="${grid.spacing.join(" ")}"` : "";
  const coordinates =
    grid.kind === "rectilinear"
      ? `<Coordinates>${grid.axes.map((axis) => array("", "f64", 1, axis)).join("")}</Coordinates>`
      : "";
  const body = `<${kind} WholeExtent="${extent}"${place}><Piece Extent="${extent}">${section("PointData", "node")}${section("CellData", "cell")}${coordinates}</Piece></${kind}>`;
  const byteOrder = order === "little" ? "LittleEndian" : "BigEndian";
  const head = `<?xml version="1.0"?>\n<VTKFile type="${kind}" version="1.0" byte_order="${byteOrder}" header_type="UInt${8 * headerWidth}">${body}<AppendedData encoding="raw">_`;
  return {
    source: bytesSource(
      joined([utf8(head), ...blocks, utf8("</AppendedData></VTKFile>")]),
      grid.kind === "uniform" ? "a.vti" : "a.vtr",
    ),
    options: {},
  };
}

/** Always big-endian. */
export function legacyFile(grid: Grid, fields: readonly FileField[]): StoredFile {
  const parts: Uint8Array[] = [];
  const line = (text: string) => parts.push(utf8(`${text}\n`));
  line("# vtk DataFile Version 4.2");
  line("made");
  line("BINARY");
  line(`DATASET ${grid.kind === "uniform" ? "STRUCTURED_POINTS" : "RECTILINEAR_GRID"}`);
  line(`DIMENSIONS ${grid.dims.join(" ")}`);
  if (grid.kind === "uniform") {
    line(`SPACING ${grid.spacing.join(" ")}`);
    line(`ORIGIN ${grid.origin.join(" ")}`);
  } else {
    grid.axes.forEach((axis, i) => {
      line(`${"XYZ"[i]}_COORDINATES ${axis.length} double`);
      parts.push(stored(axis, "big"));
      line("");
    });
  }
  for (const [keyword, centering] of [
    ["POINT_DATA", "node"],
    ["CELL_DATA", "cell"],
  ] as const) {
    const own = fields.filter((field) => field.centering === centering);
    if (own.length === 0) continue;
    const count = own[0].data.length / own[0].components;
    line(`${keyword} ${count}`);
    line(`FIELD FieldData ${own.length}`);
    for (const { name, components, dtype, data } of own) {
      line(`${name} ${components} ${count} ${legacyTypes[dtype]}`);
      parts.push(stored(data, "big"));
      line("");
    }
  }
  return { source: bytesSource(joined(parts), "a.vtk"), options: {} };
}
