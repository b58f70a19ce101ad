import { formatCount } from "../../core/format.ts";
import type { ByteCursor } from "../bytes/cursor.ts";
import { badFile, printable, tooShort } from "../failure.ts";
import { decodeText } from "../text/lines.ts";

/** A run of character data, as a byte range of the file; it is read only when needed. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
  readonly line: number;
}

export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  /** Character data directly inside the element, without stretches of white space only a few bytes long. */
  readonly text: TextRange[];
  readonly line: number;
  /** Byte behind the start tag. */
  readonly contentFrom: number;
}

const longestTag = 1 << 16;
const maxDepth = 64;

/**
 * Reads the elements of an XML file. Reading stops where `stopAt` starts, because what follows may be binary.
 * End tags need not match, but each element needs one: a file that ends inside an element has lost a part.
 */
export async function readXml(cursor: ByteCursor, stopAt: string): Promise<XmlElement> {
  const root: XmlElement = {
    name: "",
    attributes: new Map(),
    children: [],
    text: [],
    line: 1,
    contentFrom: 0,
  };
  const open: XmlElement[] = [root];
  for (;;) {
    const range = await readTextRange(cursor);
    if (range) open[open.length - 1].text.push(range);
    if (cursor.atEnd) {
      const unclosed = open[open.length - 1];
      if (unclosed === root) return root;
      const { source } = cursor;
      const what = `the element ${printable(unclosed.name)} of line ${unclosed.line} has no end`;
      throw tooShort({ source, end: source.size }, what);
    }
    const { line } = cursor;
    const tag = await readTag(cursor);
    if (tag.startsWith("/")) {
      if (open.length > 1) open.pop();
      continue;
    }
    if (tag.startsWith("?") || tag.startsWith("!")) continue;
    const element = parseTag(tag, line, cursor);
    open[open.length - 1].children.push(element);
    if (element.name === stopAt) return root;
    if (tag.endsWith("/")) continue;
    if (open.length > maxDepth)
      throw badFile(cursor.source.name, cursor.place(), `elements are nested more than ${maxDepth} deep.`);
    open.push(element);
  }
}

/** Moves to the next “<” and returns the bytes before it, or undefined if they are only a little white space. */
async function readTextRange(cursor: ByteCursor): Promise<TextRange | undefined> {
  const from = cursor.position;
  const { line } = cursor;
  let blank = true;
  for (;;) {
    await cursor.ensure(1);
    const { window, at } = cursor;
    const found = window.indexOf(0x3c, at);
    const to = found < 0 ? window.length : found;
    for (let i = at; i < to; i++) {
      if (window[i] === 0x0a) cursor.line++;
      else if (window[i] > 0x20) blank = false;
    }
    cursor.at = to;
    if (found >= 0 || cursor.windowIsLast) break;
  }
  return blank ? undefined : { from, to: cursor.position, line };
}

/** The text between “<” and “>”, comments included; the cursor ends after it. */
async function readTag(cursor: ByteCursor): Promise<string> {
  await cursor.ensure(longestTag);
  const { window, at } = cursor;
  const comment = window[at + 1] === 0x21 && window[at + 2] === 0x2d && window[at + 3] === 0x2d;
  let quote = 0;
  for (let i = at + 1; i < window.length && i - at <= longestTag; i++) {
    const byte = window[i];
    if (byte === 0x0a) cursor.line++;
    if (comment) {
      if (byte !== 0x3e || window[i - 1] !== 0x2d || window[i - 2] !== 0x2d || i < at + 6) continue;
    } else if (quote !== 0) {
      if (byte === quote) quote = 0;
      continue;
    } else if (byte === 0x22 || byte === 0x27) {
      quote = byte;
      continue;
    } else if (byte !== 0x3e) continue;
    cursor.at = i + 1;
    return decodeText(window.subarray(at + 1, i));
  }
  throw badFile(
    cursor.source.name,
    `byte ${formatCount(cursor.position)}`,
    "a tag starts here, but does not end.",
    "The file is truncated or damaged.",
  );
}

const attribute = /\s+([^\s=/"'<]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

/** Throws BadFile for malformed attributes, as VTK writes them for a name with a quote. */
function parseTag(tag: string, line: number, cursor: ByteCursor): XmlElement {
  const name = /^[^\s/]*/.exec(tag)?.[0] ?? "";
  const attributes = new Map<string, string>();
  let end = name.length;
  attribute.lastIndex = end;
  for (let found = attribute.exec(tag); found; found = attribute.exec(tag)) {
    attributes.set(found[1], decodeEntities(found[2] ?? found[3]));
    end = attribute.lastIndex;
  }
  const rest = tag.slice(end).trim();
  if (rest !== "" && rest !== "/") {
    const where = printable(rest.slice(0, 40));
    throw badFile(
      cursor.source.name,
      `line ${line}`,
      `the tag ${printable(name)} is malformed at “${where}”.`,
    );
  }
  return { name, attributes, children: [], text: [], line, contentFrom: cursor.position };
}

const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, decimal, named) => {
    if (named !== undefined) return entities[named] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** The first child of that name. */
export function childNamed(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find((child) => child.name === name);
}

export function childrenNamed(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}
