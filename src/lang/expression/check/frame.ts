import type { NodeId } from "../network/network.ts";
import type { Expression, FunctionDefinition } from "../syntax/tree.ts";

/** The meaning of names and calls in the text itself, or in a function's body. */
export interface Frame {
  /** Undefined if the value has an error. */
  readonly values: Map<string, NodeId | undefined>;
  readonly functions: Map<string, UserFunction>;
}

export interface ResolvedFunction {
  readonly state: "resolved";
  readonly definition: FunctionDefinition;
  readonly body: Expression;
  /** The values of the body by the arguments' nodes, so that equal calls are expanded once. */
  readonly results: Map<string, NodeId>;
  frame(inputs: readonly NodeId[]): Frame;
}

/** A definition whose error has been reported: calls of it are not errors of their own. */
export interface BrokenFunction {
  readonly state: "broken";
  readonly definition: FunctionDefinition;
}

/** A function of the text: `def speed(v) = sqrt(dot(v, v))`. */
export type UserFunction = ResolvedFunction | BrokenFunction;

export type DefinitionsOfText = ReadonlyMap<string, FunctionDefinition>;
