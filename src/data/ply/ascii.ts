import { bytesPerElement, type DType, type TypedArray } from "../../core/dtype.ts";
import { formatCount } from "../../core/format.ts";
import { allocate } from "../bytes/allocate.ts";
import type { ByteCursor } from "../bytes/cursor.ts";
import { badFile, printable, tooShort } from "../failure.ts";
import { isNaNText, latin1, parseNumber } from "../text/numbers.ts";
import type { PlyElement, PropertyValues } from "./header.ts";

const longestToken = 512;

/** Reads an element's items as words between white space; keeps what `readBinaryElement` keeps. */
export async function readAsciiElement(
  cursor: ByteCursor,
  { name, count, properties }: PlyElement,
  keep: boolean,
): Promise<readonly PropertyValues[]> {
  const what = `the element “${name}”`;
  if (count * 2 * properties.length - 1 > cursor.atMost)
    throw tooShort(cursor, `${what} needs ${formatCount(count)} items from ${cursor.place()} on`);
  if (count > 0 && properties.length === 0)
    throw badFile(cursor.source.name, "header", `${what} has no properties.`);
  const arrays: (TypedArray | undefined)[] = properties.map(({ dtype, count: list }) =>
    keep && !list ? allocate(dtype, count, what) : undefined,
  );
  const words = new Words(cursor);
  for (let item = 0; item < count; item++) {
    for (let i = 0; i < properties.length; i++) {
      const { dtype, count: list, name: property } = properties[i];
      if (!words.advance() && !(await words.refill()))
        throw tooShort(cursor, `${what} has ${formatCount(item)} of its ${formatCount(count)} items by then`);
      const value = words.number(list ?? dtype, property);
      const array = arrays[i];
      if (array) array[item] = value;
      if (!list) continue;
      if (!(value * 2 <= cursor.atMost + 1 && value >= 0))
        throw tooShort(cursor, `a list of “${name}” has ${formatCount(value)} values`);
      for (let n = 0; n < value; n++)
        if (!words.advance() && !(await words.refill()))
          throw tooShort(cursor, `a list of “${name}” goes on`);
    }
  }
  return properties.flatMap(({ name }, i) => {
    const data = arrays[i];
    return data ? [{ name, data }] : [];
  });
}

/** The words of a text, one of which is current. */
class Words {
  readonly #cursor: ByteCursor;
  #from = 0;

  constructor(cursor: ByteCursor) {
    this.#cursor = cursor;
  }

  /** Moves past the next word of the window; false if it holds no complete word. */
  advance(): boolean {
    const cursor = this.#cursor;
    const { window } = cursor;
    let at = cursor.at;
    while (at < window.length && window[at] <= 0x20) {
      if (window[at] === 0x0a) cursor.line++;
      at++;
    }
    cursor.at = at;
    let to = at;
    while (to < window.length && window[to] > 0x20) to++;
    if (at === to || (to === window.length && !cursor.windowIsLast && to - at < longestToken)) return false;
    this.#from = at;
    cursor.at = to;
    return true;
  }

  /** The same with further bytes; false at the end of the file. */
  async refill(): Promise<boolean> {
    const cursor = this.#cursor;
    while (!cursor.atEnd) {
      await cursor.ensure(longestToken);
      if (this.advance()) return true;
    }
    return false;
  }

  /** The current word as a number that the type can hold. Throws BadFile. */
  number(dtype: DType, property: string): number {
    const { window, at } = this.#cursor;
    const value = parseNumber(window, this.#from, at);
    const holds = dtype.startsWith("f")
      ? !Number.isNaN(value) || isNaNText(latin1(window, this.#from, at))
      : isIntegerOf(dtype, value);
    if (holds) return value;
    throw badFile(
      this.#cursor.source.name,
      this.#cursor.place(),
      `the property “${property}” has “${printable(latin1(window, this.#from, Math.min(at, this.#from + 40)))}” where a number of type ${dtype} is expected.`,
      "The file is damaged, or its header is wrong.",
    );
  }
}

function isIntegerOf(dtype: DType, value: number): boolean {
  const values = 2 ** (8 * bytesPerElement(dtype));
  const low = dtype.startsWith("i") ? -values / 2 : 0;
  return Number.isInteger(value) && value >= low && value < low + values;
}
