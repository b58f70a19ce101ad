import { CrinkleError, type Span } from "../core/errors.ts";
import { parseProgram } from "../lang/expression/syntax/parse.ts";
import { resultName, valueStatements } from "../lang/expression/syntax/tree.ts";

/** A text whose statements all have names. */
export interface NamedText {
  readonly text: string;
  /** Where a name was inserted, on which line, and how many characters; undefined if none was. */
  readonly inserted: { readonly at: number; readonly line: number; readonly length: number } | undefined;
}

interface NamedResult {
  readonly name: string;
  /** Its value as written. */
  readonly expression: string;
}

/**
 * Gives a last statement without a name one that no other value has: result, result2, result3 …, or the one that it got
 * when it was last computed. A text with syntax errors is left as it is.
 */
export function nameResult(
  text: string,
  results: readonly NamedResult[],
  others: Iterable<string>,
): NamedText {
  const asItIs = { text, inserted: undefined };
  const last = parsed(text)?.at(-1);
  if (!last?.value || last.nameSpan) return asItIs;
  const expression = text.slice(last.value.span.from, last.value.span.to);
  const former = results.find((result) => isOurs(result.name) && result.expression === expression);
  const name = former?.name ?? freeName(new Set([...results.map((result) => result.name), ...others]));
  const at = last.span.from;
  const prefix = `${name} = `;
  return {
    text: `${text.slice(0, at)}${prefix}${text.slice(at)}`,
    inserted: { at, line: last.span.line, length: prefix.length },
  };
}

/** An error of a named text, as one of the text that it was made of. */
export function withoutName(error: unknown, { inserted }: NamedText): unknown {
  if (!(error instanceof CrinkleError) || !inserted) return error;
  const { tag, problem, remedy, span, related, cause } = error;
  const { at, length, line } = inserted;
  const moved = (place: Span): Span => {
    if (place.from < at) return place;
    const column = place.line === line ? place.column - length : place.column;
    return { from: place.from - length, to: place.to - length, line: place.line, column };
  };
  return new CrinkleError({
    tag,
    problem,
    remedy,
    cause,
    span: span && moved(span),
    related: related.map(moved),
  });
}

const isOurs = (name: string): boolean => new RegExp(`^${resultName}\\d*$`).test(name);

function freeName(taken: ReadonlySet<string>): string {
  if (!taken.has(resultName)) return resultName;
  let number = 2;
  while (taken.has(`${resultName}${number}`)) number++;
  return `${resultName}${number}`;
}

function parsed(text: string) {
  try {
    return valueStatements(parseProgram(text));
  } catch {
    return undefined;
  }
}
