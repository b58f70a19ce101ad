import { CrinkleError } from "../../core/errors.ts";
import { check } from "./check/check.ts";
import type { BuildOptions } from "./network/builder.ts";
import type { LoopOf } from "./network/folding.ts";
import type { FieldSignature, Network } from "./network/network.ts";
import { parseProgram } from "./syntax/parse.ts";
import { valueStatements } from "./syntax/tree.ts";

/** The network of a text, with constants folded by the loops of `loopOf`. Throws as `compile`, and what `loopOf` throws. */
export function compileWith(
  loopOf: LoopOf,
  text: string,
  fields: readonly FieldSignature[],
  options: BuildOptions = {},
): Network {
  const program = parseProgram(text);
  const { network, errors } = check(program, { fields }, loopOf);
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
