import { CrinkleError } from "../../core/errors.ts";
import { check } from "./check/check.ts";
import type { BuildOptions } from "./network/builder.ts";
import type { FieldSignature, Network } from "./network/network.ts";
import { parseProgram } from "./syntax/parse.ts";
import { valueStatements } from "./syntax/tree.ts";

/**
 * Turns a text of the expression language into a typed dataflow network over a data set with the given fields.
 * Throws the first SyntaxError, UnknownName or TypeError, with its place in the text.
 */
export function compile(
  text: string,
  fields: readonly FieldSignature[],
  options: BuildOptions = {},
): Network {
  const program = parseProgram(text);
  const { network, errors } = check(program, { fields });
  if (errors.length > 0) throw errors[0];
  if (valueStatements(program).length === 0) {
    throw new CrinkleError({
      tag: "SyntaxError",
      problem: "The text holds no expression.",
      remedy: "Write one, such as q = q_criterion(velocity).",
    });
  }
  return network.build(options);
}
