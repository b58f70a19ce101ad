import { findFilter } from "../filters/registry.ts";
import type { NodeId } from "../network/network.ts";
import { describePlace, located } from "../syntax/located.ts";
import { withinExpression } from "../syntax/parts.ts";
import { signatureOf } from "../syntax/print.ts";
import type { Call, Expression, FunctionDefinition, Name, Program } from "../syntax/tree.ts";
import { Dependent } from "./failures.ts";
import { isWordArgument } from "./forms.ts";
import type { DefinitionsOfText, Frame, UserFunction } from "./frame.ts";
import { isOfScope, type KnownNames, specialForms, unknownFunction, unknownName } from "./scope.ts";

export function definitionsOf({ statements }: Program): DefinitionsOfText {
  const functions = statements.filter((statement) => statement.kind === "function");
  return new Map(functions.map((definition) => [definition.name, definition]));
}

/**
 * Resolves each name of the body: a parameter, else its meaning at the definition. Throws
 * UnknownName, and TypeError for recursion and wrong numbers of arguments.
 */
export function resolveFunction(definition: FunctionDefinition, known: KnownNames): UserFunction {
  const { parameters, body } = definition;
  if (!body) return { state: "broken", definition };
  const names = parametersOf(definition);
  const closure = new Map<string, NodeId>();
  const functions = new Map<string, UserFunction>();
  const words = new Set<Expression>();
  const isKnown = (name: string) => names.has(name) || known.values.has(name) || isOfScope(name, known.scope);
  for (const part of withinExpression(body)) {
    if (part.kind === "call") {
      const callee = resolveCall(part, definition, known);
      if (callee) functions.set(part.callee, callee);
      else
        part.args.filter((_, i) => isWordArgument(part, i, isKnown)).forEach((word) => void words.add(word));
    }
    if (part.kind === "name" && !names.has(part.name) && !words.has(part)) {
      const value = resolveName(part, names, known);
      if (value !== undefined) closure.set(part.name, value);
    }
  }
  const frame = (inputs: readonly NodeId[]): Frame => {
    const values = new Map<string, NodeId | undefined>(closure);
    parameters.forEach(({ name }, i) => void values.set(name, inputs[i]));
    return { values, functions };
  };
  return { state: "resolved", definition, body, results: new Map(), frame };
}

/** Throws TypeError if the number of arguments is not the definition's. */
export function checkArity({ args, span }: Call, definition: FunctionDefinition): void {
  const expected = definition.parameters.length;
  if (args.length === expected) return;
  throw located(
    "TypeError",
    span,
    `“${signatureOf(definition)}” takes ${expected} argument${expected === 1 ? "" : "s"}, but was given ${args.length}`,
    `It is defined at ${describePlace(definition.nameSpan)}.`,
  );
}

function parametersOf(definition: FunctionDefinition): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name, span } of definition.parameters) {
    if (names.has(name)) {
      throw located(
        "TypeError",
        span,
        `Two parameters of “${definition.name}” are called ${name}`,
        "Give each a name of its own.",
      );
    }
    names.add(name);
  }
  return names;
}

/** The value that a previous statement gave the name; undefined for fields and the grid's own names. */
function resolveName(
  { name, span }: Name,
  parameters: ReadonlySet<string>,
  known: KnownNames,
): NodeId | undefined {
  if (known.values.has(name)) {
    const value = known.values.get(name);
    if (value === undefined) throw new Dependent();
    return value;
  }
  if (isOfScope(name, known.scope)) return undefined;
  throw unknownName(name, span, known, [...parameters]);
}

/** The called function of the text; undefined for those of the language. */
function resolveCall(
  call: Call,
  definition: FunctionDefinition,
  known: KnownNames,
): UserFunction | undefined {
  const { callee } = call;
  if (callee === definition.name) throw recursion(call, [callee, callee]);
  const own = known.functions.get(callee);
  if (own) {
    if (own.state === "broken") throw new Dependent();
    checkArity(call, own.definition);
    return own;
  }
  const filter = findFilter(callee);
  if ((filter && !filter.internal) || specialForms.has(callee)) return undefined;
  const back = pathBetween(callee, definition.name, known.definitions);
  throw back ? recursion(call, [definition.name, ...back]) : unknownFunction(call, known);
}

function recursion({ callee, calleeSpan }: Call, cycle: readonly string[]) {
  const [name] = cycle;
  const how = callee === name ? `“${name}” calls itself` : `“${name}” calls itself: ${cycle.join(" → ")}`;
  return located("TypeError", calleeSpan, how, "A function can only use those defined above it.");
}

/** Names from `from` to `to`, each a function of the text that calls the next. */
function pathBetween(from: string, to: string, definitions: DefinitionsOfText): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const name of cameFrom.keys()) {
    if (name === to) return pathTo(name, cameFrom);
    const body = definitions.get(name)?.body;
    for (const part of body ? withinExpression(body) : []) {
      if (part.kind === "call" && definitions.has(part.callee) && !cameFrom.has(part.callee)) {
        cameFrom.set(part.callee, name);
      }
    }
  }
  return undefined;
}

function pathTo(name: string, cameFrom: ReadonlyMap<string, string | undefined>): string[] {
  const path: string[] = [];
  for (let at: string | undefined = name; at !== undefined; at = cameFrom.get(at)) path.unshift(at);
  return path;
}
