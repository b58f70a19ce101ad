/** The kind of a token, as detailed as messages about syntax errors need. */
export type TokenKind =
  | "number"
  | "name"
  | "keyword"
  | "operator"
  | "assign"
  | "open"
  | "close"
  | "comma"
  | "separator"
  | "newline"
  | "unclosed quote"
  | "stray";

export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const patterns: readonly [TokenKind | "blank", RegExp][] = [
  ["blank", /(?:[ \t\r\u00a0\ufeff]|#[^\n]*)+/y],
  ["newline", /\n/y],
  ["number", /(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y],
  ["keyword", /(?:if|then|else|and|or|not|def)(?![\p{L}\p{M}\d_₀-₉])/uy],
  ["name", /[\p{L}_][\p{L}\p{M}\d_₀-₉]*/uy],
  ["name", /"(?:[^"\\\n]|\\[^\n])*"/y],
  ["unclosed quote", /"[^\n]*/y],
  ["operator", /\*\*|<=|>=|==|!=|&&|\|\||[-+*/%^<>!&]/y],
  ["assign", /=/y],
  ["open", /[([{]/y],
  ["close", /[)\]}]/y],
  ["comma", /,/y],
  ["separator", /;/y],
  ["stray", /./suy],
];

const angleName = /<[\p{L}_][^<>\n]*>/uy;

/** Kinds after which a value is expected. */
export const wantsOperand: ReadonlySet<TokenKind> = new Set([
  "operator",
  "keyword",
  "assign",
  "open",
  "comma",
  "separator",
]);

/**
 * The tokens of any text, without white space and comments. The grammar decides what is valid; this only classifies
 * pieces.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  for (let from = 0; from < text.length; ) {
    const name = angleNameAt(text, from, tokens);
    if (name !== undefined) {
      tokens.push({ kind: "name", text: name, from, to: from + name.length });
      from += name.length;
      continue;
    }
    for (const [kind, pattern] of patterns) {
      pattern.lastIndex = from;
      const match = pattern.exec(text);
      if (!match) continue;
      const to = from + match[0].length;
      if (kind !== "blank") tokens.push({ kind, text: match[0], from, to });
      from = to;
      break;
    }
  }
  return tokens;
}

/** VisIt's <mesh/name>, where a value is expected: elsewhere < compares. */
function angleNameAt(text: string, from: number, before: readonly Token[]): string | undefined {
  if (text[from] !== "<") return undefined;
  const last = before.findLast(({ kind }) => kind !== "newline");
  if (last && !wantsOperand.has(last.kind)) return undefined;
  angleName.lastIndex = from;
  return angleName.exec(text)?.[0];
}

/** Whether token `i`, first in its line or statement, is a name that `=` follows or the word `def` before a name. */
export function startsDefinition(tokens: readonly Token[], i: number): boolean {
  return (
    startsFunction(tokens, i) ||
    (isFirst(tokens, i) && tokens[i]?.kind === "name" && tokens[i + 1]?.kind === "assign")
  );
}

/** Whether token `i`, first in its line or statement, is the word `def` before a name. */
export function startsFunction(tokens: readonly Token[], i: number): boolean {
  return isFirst(tokens, i) && tokens[i]?.text === "def" && tokens[i + 1]?.kind === "name";
}

function isFirst(tokens: readonly Token[], i: number): boolean {
  const before = tokens[i - 1] as Token | undefined;
  return before === undefined || before.kind === "newline" || before.kind === "separator";
}
