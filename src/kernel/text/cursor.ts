import { kernelError } from "../errors.ts";
import { joinSpans, type Token, tokenize } from "./lexer.ts";
import type { Name } from "./syntax.ts";

const keywords = new Set([
  ...[
    "const",
    "let",
    "var",
    "fn",
    "struct",
    "if",
    "else",
    "for",
    "break",
    "continue",
    "return",
    "true",
    "false",
  ],
  ...["while", "loop", "switch", "case", "default", "continuing", "discard", "alias", "override", "enable"],
]);

/** The tokens of a text, read one after the other. */
export class Cursor {
  private readonly tokens: Token[];
  private at = 0;

  constructor(text: string) {
    this.tokens = tokenize(text);
  }

  get next(): Token {
    return this.tokens[this.at];
  }

  get afterNext(): Token {
    return this.tokens[Math.min(this.at + 1, this.tokens.length - 1)];
  }

  get last(): Token {
    return this.tokens[Math.max(0, this.at - 1)];
  }

  take(): Token {
    const token = this.next;
    if (token.kind !== "end") this.at++;
    return token;
  }

  /** True of a symbol or keyword, which is not taken. */
  sees(text: string): boolean {
    return this.next.text === text && this.next.kind !== "number";
  }

  /** Takes a symbol or keyword where it is next. */
  skip(text: string): boolean {
    const found = this.sees(text);
    if (found) this.take();
    return found;
  }

  expect(text: string, where: string): Token {
    if (this.sees(text)) return this.take();
    throw this.unexpected(`“${text}” ${where}`);
  }

  /** The `>` that ends a template, which may be the first character of `>>`, `>=` or `>>=`. */
  expectTemplateEnd(): void {
    const { text, span } = this.next;
    if (!text.startsWith(">")) throw this.unexpected("“>” after the type");
    if (text === ">") this.take();
    else
      this.tokens[this.at] = {
        kind: "symbol",
        text: text.slice(1),
        span: { ...span, from: span.from + 1, column: span.column + 1 },
      };
  }

  expectName(what: string): Name {
    const { kind, text, span } = this.next;
    if (kind !== "name") throw this.unexpected(what);
    if (keywords.has(text)) {
      throw kernelError(
        `“${text}” is a word of the language.`,
        `Expected ${what}: choose another name.`,
        span,
      );
    }
    this.take();
    return { text, span };
  }

  isKeyword(): boolean {
    return this.next.kind === "name" && keywords.has(this.next.text);
  }

  unexpected(expected: string) {
    const { kind, text, span } = this.next;
    const found = kind === "end" ? "The text ends here" : `“${text}” is unexpected`;
    return kernelError(`${found}.`, `Expected ${expected}.`, kind === "end" ? joinSpans(span, span) : span);
  }
}
