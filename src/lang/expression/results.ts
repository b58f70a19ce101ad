import { parseProgram } from "./syntax/parse.ts";
import { withinExpression } from "./syntax/parts.ts";
import { type Expression, type FunctionDefinition, type Statement, valueStatements } from "./syntax/tree.ts";

/** A statement whose value is worth keeping. */
export interface ResultStatement {
  readonly name: string;
  /** The value as written, without the name. */
  readonly text: string;
}

/** A text's results, in order, and the names of the steps on the way to them, which fusion need not store. */
export interface Results {
  readonly results: readonly ResultStatement[];
  readonly steps: readonly string[];
}

/**
 * Results are the statements that no later statement builds on, itself or through a function: of
 * `w = curl(v); e = dot(w, w)` it is e, and w is a step. Throws SyntaxError.
 */
export function resultStatements(text: string): Results {
  const program = parseProgram(text);
  const results = new Map<string, ResultStatement>();
  const latest = new Map<string, Statement>();
  const behindFunctions = new Map<string, ReadonlySet<Statement>>();
  for (const statement of program.statements) {
    if (statement.kind === "function") {
      behindFunctions.set(statement.name, statementsRead(statement, latest, behindFunctions));
      continue;
    }
    const { name, value } = statement;
    if (!value) continue;
    for (const read of statementsIn(value, latest, behindFunctions)) {
      if (latest.get(read.name) === read) results.delete(read.name);
    }
    latest.set(name, statement);
    results.delete(name);
    results.set(name, { name, text: text.slice(value.span.from, value.span.to) });
  }
  const names = valueStatements(program).map(({ name }) => name);
  return {
    results: [...results.values()],
    steps: [...new Set(names.filter((name) => !results.has(name)))],
  };
}

/** The names that a text's values and functions read: fields, results of other texts, its own statements among them. */
export function namesRead(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of parseProgram(text).statements) {
    const expression = statement.kind === "function" ? statement.body : statement.value;
    for (const part of expression ? withinExpression(expression) : []) {
      if (part.kind === "name") names.add(part.name);
    }
  }
  return names;
}

type Latest = ReadonlyMap<string, Statement>;
type BehindFunctions = ReadonlyMap<string, ReadonlySet<Statement>>;

/** The statements that a function's body builds on: a parameter hides the statement of its name. */
function statementsRead(
  { parameters, body }: FunctionDefinition,
  latest: Latest,
  behind: BehindFunctions,
): Set<Statement> {
  const visible = new Map(latest);
  for (const { name } of parameters) visible.delete(name);
  return body ? statementsIn(body, visible, behind) : new Set();
}

function statementsIn(expression: Expression, latest: Latest, behind: BehindFunctions): Set<Statement> {
  const read = new Set<Statement>();
  for (const part of withinExpression(expression)) {
    const named = part.kind === "name" ? latest.get(part.name) : undefined;
    if (named) read.add(named);
    if (part.kind === "call") for (const statement of behind.get(part.callee) ?? []) read.add(statement);
  }
  return read;
}
