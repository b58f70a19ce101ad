import type { Token } from "./tokens.ts";

/**
 * What is still open before token `end`, outermost first: brackets, and the words `if` (which waits for then) and
 * `then` (which waits for else).
 */
export function openAt(tokens: readonly Token[], first: number, end: number): Token[] {
  const open: Token[] = [];
  const withComma = new Set<Token>();
  for (const token of tokens.slice(first, end)) {
    const top = open.at(-1);
    if (token.kind === "open" || token.text === "if") open.push(token);
    else if (token.kind === "comma" && top) withComma.add(top);
    else if (token.text === "then" && top?.text === "if") open.splice(-1, 1, token);
    else if (token.text === "else" && top?.text === "then") open.pop();
    else if (token.kind === "close") closeBracket(open, withComma);
  }
  return open;
}

function closeBracket(open: Token[], withComma: ReadonlySet<Token>): void {
  const at = open.findLastIndex((token) => token.kind === "open");
  if (at < 0) return;
  const [bracket] = open.splice(at);
  // if(c, a, b) is a call and waits for nothing.
  if (withComma.has(bracket) && open.at(-1)?.text === "if") open.pop();
}
