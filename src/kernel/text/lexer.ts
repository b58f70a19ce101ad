import type { Span } from "../../core/errors.ts";
import { kernelError } from "../errors.ts";

export interface Token {
  readonly kind: "name" | "number" | "symbol" | "end";
  readonly text: string;
  readonly span: Span;
}

const symbols = [
  ...["<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "->"],
  ...["+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="],
  ..."+-*/%<>=!~&|^()[]{},;:.",
];
const name = /[A-Za-z_]\w*/y;
const number = /(?:0[xX][\dA-Fa-f]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\w*/y;

/** From the start of one span to the end of another. */
export const joinSpans = (first: Span, last: Span): Span => ({ ...first, to: Math.max(first.to, last.to) });

/** Tokens of a text with their places; white space and comments go. The last is the end. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let lineStart = 0;
  let at = 0;
  const spanTo = (to: number): Span => ({ from: at, to, line, column: at - lineStart + 1 });
  const advance = (to: number) => {
    for (; at < to; at++) {
      if (text[at] !== "\n") continue;
      line++;
      lineStart = at + 1;
    }
  };
  const matchAt = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  while (at < text.length) {
    if (/\s/.test(text[at])) {
      advance(at + 1);
    } else if (text.startsWith("//", at)) {
      const end = text.indexOf("\n", at);
      advance(end < 0 ? text.length : end);
    } else if (text.startsWith("/*", at)) {
      const end = commentEnd(text, at);
      if (end === undefined) {
        throw kernelError("A comment has no end.", "Close it with */.", spanTo(at + 2));
      }
      advance(end);
    } else {
      const word = matchAt(name);
      const digits = word === undefined ? matchAt(number) : undefined;
      const found = word ?? digits ?? symbols.find((symbol) => text.startsWith(symbol, at));
      if (found === undefined) {
        const character = String.fromCodePoint(text.codePointAt(at)!);
        throw kernelError(
          `The character “${character}” has no meaning here.`,
          "Kernels are written with WGSL's operators and ASCII names.",
          spanTo(at + character.length),
        );
      }
      const kind = word !== undefined ? "name" : digits !== undefined ? "number" : "symbol";
      tokens.push({ kind, text: found, span: spanTo(at + found.length) });
      advance(at + found.length);
    }
  }
  tokens.push({ kind: "end", text: "", span: spanTo(at) });
  return tokens;
}

/** Where a block comment ends; block comments nest. */
function commentEnd(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text.startsWith("/*", at)) depth++;
    else if (text.startsWith("*/", at)) depth--;
    else continue;
    at++;
    if (depth === 0) return at + 1;
  }
  return undefined;
}
