import { CrinkleError, type ErrorTag, type Span } from "../errors.ts";

/** An error whose sentence, given without its full stop, ends with its place in the text. */
export const placedError = (tag: ErrorTag, span: Span, problem: string, remedy?: string): CrinkleError =>
  new CrinkleError({ tag, problem: `${problem} (line ${span.line}, column ${span.column}).`, remedy, span });
