import type { ByteCursor } from "../bytes/cursor.ts";
import { badFile, printable } from "../failure.ts";
import { parseFinite, readLine } from "../text/lines.ts";

/** The header of a MetaImage: values by their keys, with their lines. */
export class MetaHeader {
  readonly name: string;
  readonly #entries = new Map<string, { readonly text: string; readonly line: number }>();

  constructor(name: string) {
    this.name = name;
  }

  set(key: string, text: string, line: number): void {
    this.#entries.set(key, { text, line });
  }

  /** The text of the first of these keys that is there. */
  text(...keys: string[]): string | undefined {
    const key = keys.find((each) => this.#entries.has(each));
    return key === undefined ? undefined : this.#entries.get(key)?.text;
  }

  required(key: string): string {
    const text = this.text(key);
    if (text === undefined) throw badFile(this.name, "header", `a MetaImage needs “${key} = …”.`);
    return text;
  }

  /** Finite numbers, or undefined if none of the keys is there. Throws BadFile unless there are `count`. */
  numbers(count: number, ...keys: string[]): number[] | undefined {
    const key = keys.find((each) => this.#entries.has(each));
    if (key === undefined) return undefined;
    const words = this.required(key).split(/[\s,]+/);
    const numbers = words.map(parseFinite);
    if (numbers.length < count || numbers.slice(0, count).includes(undefined))
      throw this.bad(
        key,
        `${key} is “${printable(this.required(key))}”, where ${count} numbers are expected.`,
      );
    return numbers.slice(0, count) as number[];
  }

  /** Throws BadFile unless the value is True or False. */
  flag(standard: boolean, ...keys: string[]): boolean {
    const text = this.text(...keys)?.toLowerCase();
    if (text === undefined) return standard;
    if (text === "true" || text === "1") return true;
    if (text === "false" || text === "0") return false;
    const key = keys.find((each) => this.#entries.has(each)) as string;
    throw this.bad(key, `${key} is “${printable(text)}”, where True or False is expected.`);
  }

  bad(key: string, what: string): Error {
    const entry = this.#entries.get(key);
    return badFile(this.name, entry ? `line ${entry.line}` : "header", what);
  }
}

const maxLines = 10_000;

/** Reads lines “Key = value” up to ElementDataFile, which comes last: values may follow it. */
export async function readMetaHeader(cursor: ByteCursor): Promise<MetaHeader> {
  const header = new MetaHeader(cursor.source.name);
  for (let lines = 0; lines < maxLines; lines++) {
    const { line } = cursor;
    const text = await readLine(cursor);
    if (text === undefined) break;
    if (text.trim() === "") continue;
    const [, key, value] = /^\s*([\w.-]+)\s*=\s*(.*?)\s*$/.exec(text) ?? [];
    if (key === undefined) {
      throw badFile(
        header.name,
        `line ${line}`,
        `“${printable(text.slice(0, 60))}” is not a “Key = value” line of a MetaImage's header.`,
      );
    }
    header.set(key, value, line);
    if (key === "ElementDataFile") return header;
  }
  throw badFile(
    header.name,
    "header",
    "a MetaImage's header ends with “ElementDataFile = …”, which is missing.",
  );
}
