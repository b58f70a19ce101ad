import type { PartialParse, Tree } from "@lezer/common";
import type { CrinkleError } from "../../../core/errors.ts";
import { parser } from "../grammar/parser.ts";
import { maxDepth } from "./depth.ts";
import { explainSyntaxError } from "./explain.ts";
import { LineMap, located } from "./located.ts";
import { lowerProgram } from "./lower.ts";
import { startsDefinition, startsFunction, type Token, tokenize } from "./tokens.ts";
import type { ParseResult, Program } from "./tree.ts";

const strictParser = parser.configure({ strict: true });

/** Maximum number of errors reported for one text. */
const maxErrors = 20;

/** Parses as much of a text as possible and reports all of its syntax errors. */
export function parse(text: string): ParseResult {
  const lines = new LineMap(text);
  const statements: Program["statements"][number][] = [];
  const errors: CrinkleError[] = [];
  let tokens: Token[] | undefined;
  for (let start: number | undefined = 0; start !== undefined && errors.length < maxErrors; ) {
    const rest = text.slice(start);
    const at = firstUnexpected(rest);
    let end: number | undefined;
    if (at !== undefined) {
      tokens ??= tokenize(text);
      errors.push(explainSyntaxError(tokens, start, start + at, lines));
      end = nextStatement(tokens, start, start + at);
    }
    const piece = end === undefined ? rest : text.slice(start, end);
    const lowered = lowerProgram(finish(parser.startParse(piece)), piece, lines, start);
    statements.push(...lowered.program.statements);
    errors.push(...lowered.errors);
    start = end;
  }
  const program = { statements };
  if (errors.length === 0) errors.push(...unnamedStatements(program));
  return { program, errors: errors.sort(byPlace) };
}

/** Parses a well-formed text. Throws the first SyntaxError. */
export function parseProgram(text: string): Program {
  const { program, errors } = parse(text);
  if (errors.length > 0) throw errors[0];
  return program;
}

/** The offset at which the grammar cannot continue; undefined if it accepts the whole text. */
function firstUnexpected(text: string): number | undefined {
  const parse = strictParser.startParse(text);
  try {
    finish(parse);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return parse.parsedPos;
  }
}

/** The state that lezer/lr (1.4) keeps of the long left-associative chain that it is in. */
interface ChainCount {
  lastBigReductionStart?: number;
  bigReductionCount?: number;
}

/**
 * Runs a parse to its end. lezer/lr breaks off after 300 reductions of long operators in a row (two for each operator,
 * Rec.MaxLeftAssociativeReductionCount), lest trees get too deep for the stack. Each chain gets 700 more, so that
 * `maxDepth` operators are read whatever their operands.
 */
function finish(parse: PartialParse & ChainCount): Tree {
  let chain = parse.lastBigReductionStart;
  for (;;) {
    const tree = parse.advance();
    if (tree) return tree;
    if (parse.lastBigReductionStart === chain) continue;
    chain = parse.lastBigReductionStart;
    parse.bigReductionCount = 1 - 2 * maxDepth + 300;
  }
}

/** The start of what a reader would take for the next statement: after a `;`, or at a line with `name =`. */
function nextStatement(tokens: readonly Token[], start: number, at: number): number | undefined {
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i];
    if (token.from <= start) continue;
    const certain = startsFunction(tokens, i) ? token : tokens[i + 1];
    if (startsDefinition(tokens, i) && certain.from >= at) return token.from;
    if (token.kind === "separator" && token.from >= at) return token.to;
  }
  return undefined;
}

function unnamedStatements(program: Program): CrinkleError[] {
  return program.statements
    .slice(0, -1)
    .filter((statement) => statement.nameSpan === undefined)
    .map((statement) =>
      located(
        "SyntaxError",
        statement.span,
        "Only the last statement can do without a name",
        "Write name = in front of it, or end the line above it with an operator.",
      ),
    );
}

function byPlace(a: CrinkleError, b: CrinkleError): number {
  return (a.span?.from ?? 0) - (b.span?.from ?? 0);
}
