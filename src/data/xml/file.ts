import type { JobContext } from "../../core/job.ts";
import { ByteCursor } from "../bytes/cursor.ts";
import type { ByteOrder } from "../bytes/order.ts";
import { Yielder } from "../bytes/yielder.ts";
import { badFile, tooShort, unsupported } from "../failure.ts";
import type { Source } from "../source.ts";
import { readXml, type XmlElement } from "./tokenizer.ts";

export type Compressor = "none" | "zlib";

/** The properties of a whole VTK XML file. */
export interface XmlFile {
  readonly source: Source;
  readonly yielder: Yielder;
  readonly order: ByteOrder;
  /** Bytes of each number in the headers of binary arrays. */
  readonly headerWidth: 4 | 8;
  readonly compressor: Compressor;
  /** The start of appended data: after the “_”. */
  readonly appended: { readonly from: number; readonly encoding: "raw" | "base64" } | undefined;
  /** The VTKFile element. */
  readonly root: XmlElement;
  /** VTK's name of the data set's kind, such as ImageData. */
  readonly type: string;
}

/** Reads the elements of a VTK XML file, without the numbers in it. */
export async function openXmlFile(source: Source, job: JobContext): Promise<XmlFile> {
  const silent: JobContext = { signal: job.signal, progress: () => {} };
  const cursor = new ByteCursor(source, new Yielder(silent, `Reading ${source.name}`));
  const document = await readXml(cursor, "AppendedData");
  const root = document.children.find((element) => element.name === "VTKFile");
  const type = root?.attributes.get("type");
  if (!root || !type) throw badFile(source.name, "line 1", "there is no VTKFile element with a type.");
  return {
    source,
    yielder: new Yielder(job, `Reading ${source.name}`),
    order: byteOrder(root, source),
    headerWidth: headerWidth(root, source),
    compressor: compressor(root, source),
    appended: await findAppended(root, source, cursor),
    root,
    type,
  };
}

function byteOrder(root: XmlElement, source: Source): ByteOrder {
  const text = root.attributes.get("byte_order") ?? "LittleEndian";
  if (text === "LittleEndian") return "little";
  if (text === "BigEndian") return "big";
  throw badFile(
    source.name,
    `line ${root.line}`,
    `byte_order is “${text}”, neither LittleEndian nor BigEndian.`,
  );
}

function headerWidth(root: XmlElement, source: Source): 4 | 8 {
  const text = root.attributes.get("header_type") ?? "UInt32";
  if (text === "UInt32") return 4;
  if (text === "UInt64") return 8;
  throw badFile(source.name, `line ${root.line}`, `header_type is “${text}”, neither UInt32 nor UInt64.`);
}

function compressor(root: XmlElement, source: Source): Compressor {
  const text = root.attributes.get("compressor") ?? "";
  if (text === "") return "none";
  if (text === "vtkZLibDataCompressor") return "zlib";
  const method = /^vtk(LZ4|LZMA)DataCompressor$/.exec(text)?.[1] ?? text;
  throw unsupported(
    `“${source.name}” is compressed with ${method}, which Crinkle does not read.`,
    "Save it with zlib compression or without any.",
  );
}

async function findAppended(
  root: XmlElement,
  source: Source,
  cursor: ByteCursor,
): Promise<XmlFile["appended"]> {
  const element = root.children.find((child) => child.name === "AppendedData");
  if (!element) return undefined;
  const encoding = element.attributes.get("encoding") ?? "base64";
  if (encoding !== "raw" && encoding !== "base64") {
    throw badFile(
      source.name,
      `line ${element.line}`,
      `appended data are encoded as “${encoding}”, neither raw nor base64.`,
    );
  }
  cursor.seek(element.contentFrom);
  await cursor.ensure(256);
  const underscore = cursor.window.indexOf(0x5f, cursor.at);
  if (underscore < 0) throw tooShort({ source, end: source.size }, "its appended data should start with “_”");
  return { from: element.contentFrom + underscore - cursor.at + 1, encoding };
}
