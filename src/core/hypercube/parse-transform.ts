/** Transforms as text: `shift(x, -3) | crinkle(y, 2)`, made from left to right. */
import type { CrinkleError, Span } from "../errors.ts";
import { nearestName } from "../names.ts";
import type { Operation } from "./operations.ts";
import { placedError } from "./placed.ts";

type Unplaced<O> = O extends unknown ? Omit<O, "span"> : never;

interface Token {
  readonly text: string;
  readonly span: Span;
}

interface Form {
  /** How it is written. */
  readonly usage: string;
  /** The operation of so many numbers; undefined where there are too many or too few. */
  make(numbers: readonly number[], isPadded: boolean): Unplaced<Operation> | undefined;
}

const along =
  (count: number, make: (axis: number, ...rest: readonly number[]) => Unplaced<Operation>): Form["make"] =>
  (numbers, isPadded) =>
    numbers.length === count && !isPadded ? make(...(numbers as [number, ...number[]])) : undefined;

const listed =
  (make: (numbers: readonly number[]) => Unplaced<Operation>, lower = 1): Form["make"] =>
  (numbers, isPadded) =>
    numbers.length >= lower && !isPadded ? make(numbers) : undefined;

const forms: Readonly<Record<string, Form>> = {
  flip: { usage: "flip(axis, …)", make: listed((axes) => ({ kind: "flip", axes })) },
  shift: { usage: "shift(axis, by)", make: along(2, (axis, by) => ({ kind: "shift", axis, by })) },
  pshift: { usage: "pshift(axis, by)", make: along(2, (axis, by) => ({ kind: "pshift", axis, by })) },
  crinkle: {
    usage: "crinkle(axis, step) or crinkle(axis, step, pad)",
    make: ([axis, step, ...others], pads) =>
      step === undefined || others.length > 0
        ? undefined
        : { kind: "crinkle", axis, step, ...(pads ? { pads } : {}) },
  },
  uncrinkle: {
    usage: "uncrinkle(axis, step)",
    make: along(2, (axis, step) => ({ kind: "uncrinkle", axis, step })),
  },
  transpose: {
    usage: "transpose(axis, axis)",
    make: along(2, (a, b) => ({ kind: "transpose", axes: [a, b] })),
  },
  permute: { usage: "permute(axis, …)", make: listed((axes) => ({ kind: "permute", axes })) },
  tile: { usage: "tile(length, …)", make: listed((lengths) => ({ kind: "tile", lengths })) },
  untile: { usage: "untile()", make: (numbers) => (numbers.length === 0 ? { kind: "untile" } : undefined) },
  morton: { usage: "morton()", make: (numbers) => (numbers.length === 0 ? { kind: "morton" } : undefined) },
  unmorton: { usage: "unmorton(length, …)", make: listed((lengths) => ({ kind: "unmorton", lengths })) },
  pad: {
    usage: "pad(axis, before, after)",
    make: along(3, (axis, before, after) => ({ kind: "pad", axis, before, after })),
  },
  crop: {
    usage: "crop(axis, before, after)",
    make: along(3, (axis, before, after) => ({ kind: "crop", axis, before, after })),
  },
};

/** How every transform is written. */
export const transformUsages: readonly string[] = Object.values(forms).map(({ usage }) => usage);

/** The operations of a text. Throws SyntaxError or UnknownName with the place in the text. */
export function parseTransform(text: string): readonly Operation[] {
  const tokens = tokensOf(text);
  let at = 0;
  const fail = (problem: string, remedy?: string) =>
    placedError("SyntaxError", tokens[at].span, problem, remedy);
  const seen = () => (tokens[at].text === "" ? "The text ends" : `“${tokens[at].text}” stands`);
  const expect = (mark: string) => {
    if (tokens[at].text !== mark) throw fail(`${seen()} where “${mark}” is expected`);
    at++;
  };
  const operations: Operation[] = [];
  while (operations.length === 0 || tokens[at].text !== "") {
    if (operations.length > 0) expect("|");
    const name = tokens[at];
    if (!/^[a-z]/i.test(name.text))
      throw fail(`${seen()} where a transform is expected`, "Write shift(x, 3), for example.");
    const form = Object.hasOwn(forms, name.text) ? forms[name.text] : undefined;
    if (!form) throw unknown(name);
    at++;
    expect("(");
    const numbers: number[] = [];
    let isPadded = false;
    while (tokens[at].text !== ")") {
      const { text: word } = tokens[at];
      const axis = "xyz".indexOf(word);
      if (word === "pad") isPadded = true;
      else if (word.length === 1 && axis >= 0) numbers.push(axis);
      else if (/^[-+]?\d+$/.test(word)) numbers.push(Number(word));
      else throw fail(`${seen()} where a number or an axis is expected`, `It is ${form.usage}.`);
      at++;
      if (tokens[at].text !== ")") expect(",");
    }
    const span = { ...name.span, to: tokens[at].span.to };
    const made = form.make(numbers, isPadded);
    if (!made) throw fail(`${name.text} has other arguments`, `It is ${form.usage}.`);
    operations.push({ ...made, span });
    at++;
  }
  return operations;
}

function unknown({ text: name, span }: Token): CrinkleError {
  const near = nearestName(name, Object.keys(forms));
  const remedy = near ? `Did you mean ${near}?` : `There are ${Object.keys(forms).join(", ")}.`;
  return placedError("UnknownName", span, `There is no transform “${name}”`, remedy);
}

/** Words, numbers and marks, then an empty token at the end. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let lineStart = 0;
  for (const match of text.matchAll(/\n|[A-Za-z_]\w*|[-+]?\d+|\S/g)) {
    const from = match.index;
    if (match[0] === "\n") {
      line++;
      lineStart = from + 1;
      continue;
    }
    tokens.push({
      text: match[0],
      span: { from, to: from + match[0].length, line, column: from - lineStart + 1 },
    });
  }
  const from = text.length;
  tokens.push({ text: "", span: { from, to: from, line, column: from - lineStart + 1 } });
  return tokens;
}
