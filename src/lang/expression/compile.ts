import { compileWith } from "./compile-with.ts";
import { elementLoop } from "./filters/element-loops.ts";
import type { BuildOptions } from "./network/builder.ts";
import type { FieldSignature, Network } from "./network/network.ts";

/**
 * Turns a text of the expression language into a typed dataflow network over a data set with the given fields.
 * Throws the first SyntaxError, UnknownName or TypeError, with its place in the text.
 */
export const compile = (text: string, fields: readonly FieldSignature[], options?: BuildOptions): Network =>
  compileWith(elementLoop, text, fields, options);
