import { CrinkleError, type Span } from "../../../core/errors.ts";
import { describePlace } from "../syntax/located.ts";
import { signatureOf } from "../syntax/print.ts";
import type { FunctionDefinition } from "../syntax/tree.ts";

/** Thrown if a value uses a definition whose own error has already been reported. */
export class Dependent extends Error {}

interface CallPlace {
  readonly definition: FunctionDefinition;
  readonly span: Span;
}

/** Maximum number of calls that a message names. */
const maxNamed = 3;

/** An error in a function's body, for the arguments of one call: thrown through the calls that lead to it. */
export class FailedCall extends Error {
  readonly error: CrinkleError;
  /** Innermost first. */
  readonly calls: readonly CallPlace[];

  constructor(error: CrinkleError, calls: readonly CallPlace[]) {
    super(error.message);
    this.error = error;
    this.calls = calls;
  }

  /** The error at the outermost call, which also names the positions in the bodies. */
  located(): CrinkleError {
    const { error, calls } = this;
    const last = calls[calls.length - 1];
    const named = calls.length > maxNamed ? [calls[0], last] : calls;
    const trail = named.map(({ definition }) => `in “${signatureOf(definition)}”`);
    if (calls.length > maxNamed) trail.splice(1, 0, `${calls.length - 2} calls`);
    const inner = error.span ? [error.span] : [];
    return new CrinkleError({
      tag: error.tag,
      problem: `${error.problem.replace(/\.$/, "")}, ${trail.join(", ")}, called at ${describePlace(last.span)}.`,
      remedy: error.remedy,
      span: last.span,
      related: [...inner, ...calls.slice(0, -1).map(({ span }) => span)].slice(0, maxNamed),
    });
  }
}

/** What was thrown in a body, with the call that led there. */
export function inCall(thrown: unknown, definition: FunctionDefinition, span: Span): unknown {
  const call = { definition, span };
  if (thrown instanceof FailedCall) return new FailedCall(thrown.error, [...thrown.calls, call]);
  return thrown instanceof CrinkleError ? new FailedCall(thrown, [call]) : thrown;
}
