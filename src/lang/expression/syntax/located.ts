import { CrinkleError, type ErrorTag, type Span } from "../../../core/errors.ts";

/** Converts offsets in one text to spans with lines and columns. */
export class LineMap {
  readonly #starts: number[] = [0];

  constructor(text: string) {
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.#starts.push(at + 1);
  }

  span(from: number, to: number): Span {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= from) low = middle;
      else high = middle - 1;
    }
    return { from, to, line: low + 1, column: from - this.#starts[low] + 1 };
  }
}

/** “line 2, column 5”. */
export function describePlace(span: Span): string {
  return `line ${span.line}, column ${span.column}`;
}

/** An error of the language, whose sentence ends with its position. Give `problem` without its full stop. */
export function located(
  tag: ErrorTag,
  span: Span | undefined,
  problem: string,
  remedy?: string,
): CrinkleError {
  return new CrinkleError({
    tag,
    problem: span ? `${problem} (${describePlace(span)}).` : `${problem}.`,
    remedy,
    span,
  });
}
