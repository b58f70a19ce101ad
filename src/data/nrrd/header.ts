import type { ByteCursor } from "../bytes/cursor.ts";
import { badFile } from "../failure.ts";
import { readLine } from "../text/lines.ts";

/** A NRRD header: fields by lower-case name with their text and line, and key/value pairs left out. */
export class NrrdHeader {
  readonly name: string;
  readonly #fields = new Map<string, { text: string; line: number }>();

  constructor(name: string) {
    this.name = name;
  }

  set(field: string, text: string, line: number): void {
    this.#fields.set(field, { text, line });
  }

  text(...spellings: string[]): string | undefined {
    for (const spelling of spellings) {
      const field = this.#fields.get(spelling);
      if (field) return field.text;
    }
    return undefined;
  }

  place(...spellings: string[]): string {
    for (const spelling of spellings) {
      const field = this.#fields.get(spelling);
      if (field) return `line ${field.line}`;
    }
    return "header";
  }

  /** The text of a required field. */
  required(field: string): string {
    const text = this.text(field);
    if (text === undefined) throw badFile(this.name, "header", `a NRRD file needs the field “${field}”.`);
    return text;
  }

  bad(field: string, what: string, remedy = ""): Error {
    return badFile(this.name, this.place(field), what, remedy);
  }
}

const maxLines = 10_000;

/** Reads up to the empty line that ends the header, or to the end of a detached one. */
export async function readNrrdHeader(cursor: ByteCursor): Promise<NrrdHeader> {
  const header = new NrrdHeader(cursor.source.name);
  await readLine(cursor);
  for (let lines = 0; lines < maxLines; lines++) {
    const { line } = cursor;
    const text = await readLine(cursor);
    if (text === undefined || text === "") return header;
    if (text.startsWith("#") || /^[^:]*:=/.test(text)) continue;
    const colon = text.indexOf(": ");
    const end = colon >= 0 ? colon : text.endsWith(":") ? text.length - 1 : -1;
    if (end < 0) {
      throw badFile(
        cursor.source.name,
        `line ${line}`,
        `“${text.slice(0, 60)}” is not a “field: value” line of an NRRD header.`,
      );
    }
    header.set(text.slice(0, end).trim().toLowerCase(), text.slice(end + 1).trim(), line);
  }
  throw badFile(cursor.source.name, `line ${cursor.line}`, "the NRRD header does not end.");
}
