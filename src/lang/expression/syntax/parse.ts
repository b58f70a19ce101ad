import type { Tree } from "@lezer/common";
import type { CrinkleError } from "../../../core/errors.ts";
import { parser } from "../grammar/parser.ts";
import { explainSyntaxError } from "./explain.ts";
import { LineMap, located } from "./located.ts";
import { lowerProgram } from "./lower.ts";
import { startsDefinition, type Token, tokenize } from "./tokens.ts";
import type { ParseResult, Program } from "./tree.ts";

const strictParser = parser.configure({ strict: true });

/** No text is worth more messages than this. */
const maxErrors = 20;

/** Reads a text as far as it can be read and says everything that is wrong with its syntax. */
export function parse(text: string): ParseResult {
  const lines = new LineMap(text);
  const lowered = lowerProgram(parser.parse(text), text, lines);
  const errors = [...syntaxErrors(text, lines), ...lowered.errors, ...unnamedStatements(lowered.program)];
  return { program: lowered.program, errors: errors.sort(byPlace) };
}

/** Reads a well-formed text. Throws SyntaxError for the first thing wrong. */
export function parseProgram(text: string): Program {
  const { program, errors } = parse(text);
  if (errors.length > 0) throw errors[0];
  return program;
}

/** The concrete tree, for the editor. */
export function parseTree(text: string): Tree {
  return parser.parse(text);
}

function syntaxErrors(text: string, lines: LineMap): CrinkleError[] {
  const errors: CrinkleError[] = [];
  let start = 0;
  let tokens: Token[] | undefined;
  while (errors.length < maxErrors) {
    const at = firstUnexpected(text.slice(start));
    if (at === undefined) break;
    tokens ??= tokenize(text);
    errors.push(explainSyntaxError(tokens, start, start + at, lines));
    const next = nextStatement(tokens, start, start + at);
    if (next === undefined) break;
    start = next;
  }
  return errors;
}

/** Where the grammar can go no further; undefined where it accepts the whole text. */
function firstUnexpected(text: string): number | undefined {
  const parse = strictParser.startParse(text);
  try {
    while (!parse.advance());
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return parse.parsedPos;
  }
}

/** Where the next statement starts that a reader would take for one: after a `;`, or a line with `name =`. */
function nextStatement(tokens: readonly Token[], start: number, at: number): number | undefined {
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token.from <= start) continue;
    if (startsDefinition(tokens, i) && tokens[i + 1].from >= at) return token.from;
    if (token.kind === "separator" && token.from >= at) return token.to;
  }
  return undefined;
}

function unnamedStatements({ statements }: Program): CrinkleError[] {
  return statements
    .slice(0, -1)
    .filter((statement) => statement.nameSpan === undefined && statement.value !== undefined)
    .map((statement) =>
      located(
        "SyntaxError",
        statement.span,
        "Only the last statement can do without a name",
        "Write name = in front of it.",
      ),
    );
}

function byPlace(a: CrinkleError, b: CrinkleError): number {
  return (a.span?.from ?? 0) - (b.span?.from ?? 0);
}
