import { zlibSync } from "fflate";
import { type DType, isLittleEndian, type TypedArray } from "../../core/dtype.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { DataSet, Field } from "../../core/field.ts";
import { type Grid, nodeCoordinates } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { bytesOf } from "../bytes/allocate.ts";
import { Pace } from "../bytes/pace.ts";
import type { Chunks } from "./chunks.ts";

export interface WriteOptions {
  /** zlib makes files smaller and writing slower. */
  readonly compression?: "none" | "zlib";
}

const types: Record<DType, string> = {
  i8: "Int8",
  u8: "UInt8",
  i16: "Int16",
  u16: "UInt16",
  i32: "Int32",
  u32: "UInt32",
  i64: "Int64",
  u64: "UInt64",
  f32: "Float32",
  f64: "Float64",
};

const blockBytes = 1 << 18;

/** Writes .vti (appended raw data, 64-bit headers). Throws BadArgument for a rectilinear grid, which needs .vtr. */
export async function writeVti(
  dataSet: DataSet,
  job: JobContext,
  options: WriteOptions = {},
): Promise<Chunks> {
  const { grid } = dataSet;
  if (grid.kind !== "uniform") {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `“${dataSet.name}” has a rectilinear grid, which .vti files cannot hold.`,
      remedy: "Write a .vtr file.",
    });
  }
  const attributes = `Origin="${grid.origin.join(" ")}" Spacing="${grid.spacing.join(" ")}"`;
  return writeXml(dataSet, "ImageData", attributes, [], job, options);
}

/** Writes .vtr (appended raw data, 64-bit headers); a uniform grid's coordinates are written out. */
export async function writeVtr(
  dataSet: DataSet,
  job: JobContext,
  options: WriteOptions = {},
): Promise<Chunks> {
  const axes = ["x", "y", "z"].map((name, axis) => ({ name, array: nodeCoordinates(dataSet.grid, axis) }));
  return writeXml(dataSet, "RectilinearGrid", "", axes, job, options);
}

interface NamedArray {
  readonly name: string;
  readonly array: TypedArray;
}

async function writeXml(
  { grid, fields, name }: DataSet,
  kind: string,
  attributes: string,
  axes: readonly NamedArray[],
  job: JobContext,
  { compression = "none" }: WriteOptions,
): Promise<Chunks> {
  const zlib = compression === "zlib";
  const pace = new Pace(job, `Writing ${name}`);
  const appended = new AppendedData(zlib, pace, totalBytes(fields));
  const node = fields.filter((field) => field.centering === "node");
  const cell = fields.filter((field) => field.centering === "cell");
  const extent = extentOf(grid);
  const order = isLittleEndian ? "LittleEndian" : "BigEndian";
  const compressor = zlib ? ' compressor="vtkZLibDataCompressor"' : "";
  const lines = [
    '<?xml version="1.0"?>',
    `<VTKFile type="${kind}" version="1.0" byte_order="${order}" header_type="UInt64"${compressor}>`,
    `<${kind} WholeExtent="${extent}" ${attributes}>`,
    `<Piece Extent="${extent}">`,
    ...(await section("PointData", node, appended)),
    ...(await section("CellData", cell, appended)),
  ];
  if (axes.length > 0) {
    lines.push("<Coordinates>");
    for (const { name, array } of axes) lines.push(await arrayTag(name, "f64", 1, array, appended));
    lines.push("</Coordinates>");
  }
  lines.push("</Piece>", `</${kind}>`, '<AppendedData encoding="raw">', "_");
  return [encode(lines.join("\n")), ...appended.chunks, encode("\n</AppendedData>\n</VTKFile>\n")];
}

async function section(element: string, fields: readonly Field[], appended: AppendedData): Promise<string[]> {
  const scalars = fields.find((field) => field.components === 1);
  const vectors = fields.find((field) => field.components === 3);
  const active =
    (scalars ? ` Scalars="${escapeXml(scalars.name)}"` : "") +
    (vectors ? ` Vectors="${escapeXml(vectors.name)}"` : "");
  const lines = [`<${element}${active}>`];
  for (const { name, dtype, components, data } of fields) {
    lines.push(await arrayTag(name, dtype, components, data, appended));
  }
  return [...lines, `</${element}>`];
}

async function arrayTag(
  name: string,
  dtype: DType,
  components: number,
  array: TypedArray,
  appended: AppendedData,
): Promise<string> {
  const offset = await appended.add(array);
  return (
    `<DataArray type="${types[dtype]}" Name="${escapeXml(name)}" NumberOfComponents="${components}" ` +
    `format="appended" offset="${offset}"/>`
  );
}

/** The appended section: arrays behind their lengths as they are, or in zlib blocks behind their sizes. */
class AppendedData {
  readonly chunks: Chunks = [];
  readonly #zlib: boolean;
  readonly #pace: Pace;
  readonly #total: number;
  #length = 0;
  #written = 0;

  constructor(zlib: boolean, pace: Pace, total: number) {
    this.#zlib = zlib;
    this.#pace = pace;
    this.#total = total;
  }

  /** Adds an array without copying it; returns its offset. */
  async add(array: TypedArray): Promise<number> {
    const offset = this.#length;
    const bytes = bytesOf(array) as Uint8Array<ArrayBuffer>;
    if (this.#zlib) await this.#addBlocks(bytes);
    else {
      this.#push(header(bytes.length));
      this.#push(bytes);
    }
    return offset;
  }

  async #addBlocks(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const blocks: Chunks = [];
    for (let at = 0; at < bytes.length; at += blockBytes) {
      if (this.#pace.due()) await this.#pace.rest((this.#written + at) / this.#total);
      blocks.push(zlibSync(bytes.subarray(at, at + blockBytes), { level: 4 }));
    }
    this.#written += bytes.length;
    const partial = bytes.length % blockBytes;
    this.#push(header(blocks.length, blockBytes, partial, ...blocks.map((block) => block.length)));
    for (const block of blocks) this.#push(block);
  }

  #push(chunk: Uint8Array<ArrayBuffer>): void {
    this.chunks.push(chunk);
    this.#length += chunk.length;
  }
}

function header(...numbers: number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(BigUint64Array.from(numbers, BigInt).buffer);
}

function totalBytes(fields: readonly Field[]): number {
  return Math.max(
    1,
    fields.reduce((sum, { data }) => sum + data.byteLength, 0),
  );
}

function extentOf({ dims }: Grid): string {
  return dims.map((n) => `0 ${n - 1}`).join(" ");
}

/** Text for an attribute; control characters, which XML cannot hold, become spaces. */
function escapeXml(text: string): string {
  return text.replace(/\p{Cc}/gu, " ").replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
