import type { SyntaxNode } from "@lezer/common";
import { takesMeshName } from "../check/forms.ts";
import { builtins, type Scope } from "../check/scope.ts";
import type { FilterDoc } from "../filters/filter.ts";
import * as terms from "../grammar/parser.terms.ts";
import { parser } from "../grammar/parser.ts";
import { signatureOf } from "../syntax/print.ts";
import { nameOfQuoted } from "../syntax/quoting.ts";
import type { ExpressionType } from "../types.ts";
import { analyze, describeExpressionType } from "./analyze.ts";
import { functionDoc, userFunctionDoc } from "./documentation.ts";

/** What to show about the word at a position. */
export interface Hover {
  readonly from: number;
  readonly to: number;
  readonly title: string;
  /** “vector (3) at the nodes”, if the text is valid so far; in functions' bodies, the types of the present calls. */
  readonly type?: string;
  /** The documentation of a function. */
  readonly doc?: FilterDoc;
  /** A sentence about one of the language's own names. */
  readonly info?: string;
}

/** The name, function or definition at offset `position`, with its type and documentation. */
export function hoverAt(text: string, position: number, scope: Scope): Hover | undefined {
  const node = wordAt(text, position);
  if (!node) return undefined;
  const { types, typesInBodies, definitions, functions } = analyze(text, scope);
  const here = [...types, ...typesInBodies].filter(({ span }) => span.from === node.from);
  const word = text.slice(node.from, node.to);
  const common = { from: node.from, to: node.to, type: describeTypes(here.map(({ type }) => type)) };
  if (callables.has(node.type.id)) {
    const own = functions.findLast(({ name, span }) => name === word && span.from <= node.from);
    const doc = own ? userFunctionDoc(own, text) : functionDoc(word);
    return doc && { ...common, title: doc.signature, doc };
  }
  const name = nameOfQuoted(word);
  const around = functions.find(({ span }) => span.from <= node.from && node.to <= span.to);
  if (around?.parameters.some((parameter) => parameter.name === name)) {
    return { ...common, title: name, info: `Parameter of ${signatureOf(around)}.` };
  }
  const named =
    scope.fields.some((field) => field.name === name) || definitions.some((it) => it.name === name);
  const info = named ? undefined : (builtins.get(name) ?? meshInfo(node, text));
  return common.type || info ? { ...common, title: name, info } : undefined;
}

/** There are several types if a function is called with arguments of several types. */
function describeTypes(types: readonly ExpressionType[]): string | undefined {
  const all = [...new Set(types.map(describeExpressionType))];
  const shown = all.slice(0, maxTypes).join(" or ");
  return all.length > maxTypes ? `${shown} or ${all.length - maxTypes} more` : shown || undefined;
}

const maxTypes = 3;

/** Explains a mesh's name in VisIt's volume(mesh). */
function meshInfo({ parent }: SyntaxNode, text: string): string | undefined {
  const call = parent?.type.id === terms.ArgumentList ? parent.parent : undefined;
  const callee = call?.getChild(terms.FunctionName);
  const takesMesh = callee && takesMeshName(text.slice(callee.from, callee.to));
  return takesMesh ? "The mesh, which VisIt names here: there is one, the data set's own grid." : undefined;
}

const callables: ReadonlySet<number> = new Set([terms.FunctionName, terms.DefinedFunction, terms._if]);

const words: ReadonlySet<number> = new Set([
  terms.FunctionName,
  terms.DefinedFunction,
  terms.VariableName,
  terms.DefinedName,
  terms.Parameter,
]);

/** The node of the name at or around `position`. */
function wordAt(text: string, position: number): SyntaxNode | undefined {
  const tree = parser.parse(text);
  for (const side of [1, -1] as const) {
    const inner = tree.resolveInner(position, side);
    const node = [inner, inner.parent].find((candidate) => candidate && words.has(candidate.type.id));
    if (node) return node;
    if (inner.type.id === terms._if && inner.parent?.type.id === terms.CallExpression) return inner;
  }
  return undefined;
}
