/** Every error a person can meet carries one of these tags; code branches on the tag, never on the text. */
export type ErrorTag =
  | "BadFile"
  | "UnsupportedFormat"
  /** Neither the name nor the first bytes say what a file is: it may be raw numbers. */
  | "UnknownFormat"
  | "TooLarge"
  | "OutOfMemory"
  | "SyntaxError"
  | "TypeError"
  | "UnknownName"
  | "BadArgument"
  | "KernelError"
  | "NoWebGPU"
  | "DeviceLost"
  | "ShaderError"
  | "Cancelled"
  | "BadMessage"
  | "LinkClosed"
  | "RankFailed"
  | "Revoked"
  | "Truncated"
  | "Unreachable"
  | "Refused"
  | "Usage"
  | "Internal";

/** A half-open range of UTF-16 offsets in the text the error speaks of, with its 1-based line and column. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly line: number;
  readonly column: number;
}

export interface ErrorParts {
  readonly tag: ErrorTag;
  /** What went wrong, as a sentence that names the thing and the value. */
  readonly problem: string;
  /** What the person can do about it, as a sentence; empty where nothing can be done. */
  readonly remedy?: string;
  readonly span?: Span;
  /** Other places of the same text that the error speaks of. */
  readonly related?: readonly Span[];
  readonly cause?: unknown;
}

/** What crosses a worker boundary or reaches a log: an error's parts without its prototype or cause. */
export interface PlainError {
  readonly tag: ErrorTag;
  readonly problem: string;
  readonly remedy: string;
  readonly span?: Span;
  readonly related?: readonly Span[];
}

/**
 * The one error class: names the thing, the value and the way out.
 * `message` is the same text in the page, on the command line and in the API.
 */
export class CrinkleError extends Error {
  readonly tag: ErrorTag;
  readonly problem: string;
  readonly remedy: string;
  readonly span: Span | undefined;
  readonly related: readonly Span[];

  constructor(parts: ErrorParts) {
    const remedy = parts.remedy ?? "";
    super(remedy ? `${parts.problem} ${remedy}` : parts.problem, { cause: parts.cause });
    this.name = `CrinkleError(${parts.tag})`;
    this.tag = parts.tag;
    this.problem = parts.problem;
    this.remedy = remedy;
    this.span = parts.span;
    this.related = parts.related ?? [];
  }

  toPlain(): PlainError {
    const { tag, problem, remedy, span, related } = this;
    const placed = span ? { tag, problem, remedy, span } : { tag, problem, remedy };
    return related.length > 0 ? { ...placed, related } : placed;
  }
}

/** Rebuilds an error that crossed a boundary as plain data. */
export function fromPlainError(plain: PlainError): CrinkleError {
  return new CrinkleError(plain);
}

/** True for a cancelled job, whether it was cancelled by our code or by an AbortSignal's own DOMException. */
export function isCancelled(error: unknown): boolean {
  return (
    (error instanceof CrinkleError && error.tag === "Cancelled") ||
    (error instanceof Error && error.name === "AbortError")
  );
}

export function cancelled(what: string): CrinkleError {
  return new CrinkleError({ tag: "Cancelled", problem: `${what} was cancelled.` });
}

/** The text a person reads for any thrown value. */
export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
