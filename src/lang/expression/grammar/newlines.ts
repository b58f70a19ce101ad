import { ExternalTokenizer, type InputStream } from "@lezer/lr";
import { continuation, newline } from "./parser.terms.ts";

const lineFeed = 10;
const hash = 35;
const exclamation = 33;
const minus = 45;
const equals = 61;
const space = new Set([9, lineFeed, 13, 32, 0xa0, 0xfeff]);
/** Characters that no statement starts with. */
const continuing = new Set([..."+*/^%&|<>=,)]}"].map((character) => character.charCodeAt(0)));
const continuingWords = new Set(["and", "or", "then", "else"]);

/**
 * A line's end ends the statement where a statement may end and the next line does not start with an operator (a `-`
 * counts as one where it is indented); elsewhere (inside brackets, after an operator) it is white space.
 */
export const newlines = new ExternalTokenizer(
  (input, stack) => {
    if (input.next !== lineFeed) return;
    const ends = stack.canShift(newline) && !nextLineContinues(input);
    input.advance();
    input.acceptToken(ends ? newline : continuation);
  },
  { contextual: true },
);

function nextLineContinues(input: InputStream): boolean {
  let offset = 1;
  let next = input.peek(offset);
  while (space.has(next) || next === hash) {
    if (next === hash) while (next >= 0 && next !== lineFeed) next = input.peek(++offset);
    else next = input.peek(++offset);
  }
  if (continuing.has(next)) return true;
  if (next === minus) return input.peek(offset - 1) !== lineFeed; // "-x" at the margin is a statement
  if (next === exclamation) return input.peek(offset + 1) === equals; // "!=" compares, "!" starts an expression
  let word = "";
  while (next >= 97 && next <= 122 && word.length < 6) {
    word += String.fromCharCode(next);
    next = input.peek(++offset);
  }
  return continuingWords.has(word) && !isNameCharacter(next);
}

function isNameCharacter(code: number): boolean {
  return (
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    (code >= 97 && code <= 122) ||
    code > 0xb4
  );
}
