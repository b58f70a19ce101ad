import { zlibSync } from "fflate";
import { type DType, isLittleEndian, type TypedArray } from "../../core/dtype.ts";
import { bytesOf } from "../bytes/allocate.ts";
import type { Yielder } from "../bytes/yielder.ts";
import type { Chunks } from "./chunks.ts";

/** VTK's names of element types. */
export const vtkTypes: Readonly<Record<DType, string>> = {
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

/** zlib makes files smaller and writing slower. */
export type Compression = "none" | "zlib";

/** The appended section: raw arrays after their lengths, or zlib blocks after their sizes. */
export class AppendedData {
  readonly #chunks: Chunks = [];
  readonly #zlib: boolean;
  readonly #yielder: Yielder;
  readonly #total: number;
  #length = 0;
  #written = 0;

  /** `total`: bytes that will be added, for progress. */
  constructor(compression: Compression, yielder: Yielder, total: number) {
    this.#zlib = compression === "zlib";
    this.#yielder = yielder;
    this.#total = total;
  }

  /** Adds an array without copying it; returns the element that refers to it. */
  async array(name: string, dtype: DType, components: number, array: TypedArray): Promise<string> {
    const offset = await this.#add(array);
    return (
      `<DataArray type="${vtkTypes[dtype]}" Name="${escapeXml(name)}" NumberOfComponents="${components}" ` +
      `format="appended" offset="${offset}"/>`
    );
  }

  /** A complete file of a kind of data set: the lines that describe it, then the added arrays. */
  file(kind: string, lines: readonly string[]): Chunks {
    const compressor = this.#zlib ? ' compressor="vtkZLibDataCompressor"' : "";
    const head = [...fileHead(kind, compressor), ...lines, '<AppendedData encoding="raw">', "_"];
    return [encode(head.join("\n")), ...this.#chunks, encode("\n</AppendedData>\n</VTKFile>\n")];
  }

  /** Returns the array's offset. */
  async #add(array: TypedArray): Promise<number> {
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
      if (this.#yielder.isDue()) await this.#yielder.yield((this.#written + at) / this.#total);
      blocks.push(zlibSync(bytes.subarray(at, at + blockBytes), { level: 4 }));
    }
    this.#written += bytes.length;
    const partial = bytes.length % blockBytes;
    this.#push(header(blocks.length, blockBytes, partial, ...blocks.map((block) => block.length)));
    for (const block of blocks) this.#push(block);
  }

  #push(chunk: Uint8Array<ArrayBuffer>): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
  }
}

/** The first lines of a file, which end with the beginning of its root element. */
export function fileHead(kind: string, attributes = ""): string[] {
  const order = isLittleEndian ? "LittleEndian" : "BigEndian";
  return [
    '<?xml version="1.0"?>',
    `<VTKFile type="${kind}" version="1.0" byte_order="${order}" header_type="UInt64"${attributes}>`,
  ];
}

function header(...numbers: number[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(BigUint64Array.from(numbers, BigInt).buffer);
}

/** Text for an attribute; control characters, which XML cannot hold, become spaces. */
export function escapeXml(text: string): string {
  return text.replace(/\p{Cc}/gu, " ").replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
