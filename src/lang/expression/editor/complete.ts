import type { SyntaxNode } from "@lezer/common";
import { builtins, type Scope } from "../check/scope.ts";
import * as terms from "../grammar/parser.terms.ts";
import { parser } from "../grammar/parser.ts";
import { type FieldSignature, fieldValueType } from "../network/network.ts";
import { keywords, quoteName } from "../syntax/quoting.ts";
import type { FunctionDefinition } from "../syntax/tree.ts";
import { describeType } from "../types.ts";
import { analyze } from "./analyze.ts";
import { documentedFunctions, userFunctionDoc } from "./documentation.ts";

/** One proposal; its members are those of a CodeMirror `Completion`. */
export interface CompletionOption {
  readonly label: string;
  readonly type: "variable" | "property" | "constant" | "function" | "keyword";
  /** A type or a signature, shown beside the label. */
  readonly detail?: string;
  /** A sentence about it. */
  readonly info?: string;
  /** Text to insert, if it is not the label. */
  readonly apply?: string;
  /** For functions, the call with its arguments to fill in, as CodeMirror's `snippet` takes it. */
  readonly template?: string;
}

export interface CompletionList {
  /** The range to replace; it ends at the cursor if `to` is undefined. */
  readonly from: number;
  readonly to?: number;
  readonly options: readonly CompletionOption[];
  /** The list stays valid while the replaced text matches. */
  readonly validFor: RegExp;
}

const words = /^[\p{L}_][\p{L}\p{M}\d_₀-₉]*$/u;
/** Nodes in which no existing name can be used. */
const unnamed: ReadonlySet<number> = new Set([terms.Comment, terms.DefinedFunction, terms.Parameter]);
const wordBefore = /[\p{L}_][\p{L}\p{M}\d_₀-₉]*$/u;

/**
 * The completions at offset `position`; undefined inside comments, numbers and names that are being defined, and,
 * unless requested (`explicit`), where nothing is typed yet.
 */
export function completionsAt(
  text: string,
  position: number,
  scope: Scope,
  explicit = false,
): CompletionList | undefined {
  const before = text.slice(0, position);
  const node = parser.parse(text).resolveInner(position, -1);
  const quote = openQuote(before);
  if (quote !== undefined) {
    const whole = node.type.id === terms.QuotedName && node.from === quote;
    return { ...quotedNames(quote, scope), to: whole ? node.to : position };
  }
  if (unnamed.has(node.type.id)) return undefined;
  const word = wordBefore.exec(before)?.[0] ?? "";
  const from = position - word.length;
  if (word === "" && !explicit) return undefined;
  if (/\d\.?$/.test(text.slice(0, from)) || /^\s*=(?!=)/.test(text.slice(position))) return undefined;
  return { from, options: allOptions(text, from, node, scope), validFor: words };
}

/** The offset of a `"` that is open at the end of `before`. */
function openQuote(before: string): number | undefined {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const pieces = line.replace(/\\./g, "··").split('"');
  if (pieces.length % 2 === 1 || pieces.some((piece, i) => i % 2 === 0 && piece.includes("#")))
    return undefined;
  return before.length - pieces[pieces.length - 1].length - 1;
}

function quotedNames(from: number, { fields }: Scope): CompletionList {
  const options = fields.map((field) => ({ ...fieldOption(field), apply: `"${escaped(field.name)}"` }));
  return {
    from,
    options: options.map((option) => ({ ...option, label: option.apply })),
    validFor: /^"[^"\n]*"?$/,
  };
}

function escaped(name: string): string {
  return name.replace(/[\\"]/g, "\\$&");
}

function allOptions(text: string, from: number, node: SyntaxNode, scope: Scope): CompletionOption[] {
  const { values, functions } = definedBefore(text, from, scope);
  const parameters = parametersAround(text, node);
  const hidden = new Set<string>();
  const visible = (options: readonly CompletionOption[]) =>
    options.filter(({ label }) => !hidden.has(label) && hidden.add(label));
  const names = [
    ...visible(parameters),
    ...visible(values),
    ...visible(scope.fields.map(fieldOption)),
    ...visible(
      [...builtins].map(([label, info]) => ({ label, type: "constant", detail: "of the grid", info })),
    ),
  ];
  hidden.clear();
  return [
    ...names,
    ...visible(functions),
    ...visible(functionOptions),
    ...[...keywords].map((label): CompletionOption => ({ label, type: "keyword" })),
  ];
}

/** Names of the statements that end before `from`, and of functions; the last of each name. */
function definedBefore(
  text: string,
  from: number,
  scope: Scope,
): { readonly values: readonly CompletionOption[]; readonly functions: readonly CompletionOption[] } {
  const statements = text.slice(
    0,
    Math.max(text.lastIndexOf("\n", from - 1), text.lastIndexOf(";", from - 1), 0),
  );
  const { definitions, functions } = analyze(statements, scope);
  const values = new Map<string, CompletionOption>();
  for (const { name, nameSpan, type } of definitions) {
    if (nameSpan) values.set(name, { label: quoteName(name), type: "variable", detail: type });
  }
  const callable = new Map(functions.map((definition) => [definition.name, userOption(definition, text)]));
  return { values: [...values.values()], functions: [...callable.values()] };
}

function userOption(definition: FunctionDefinition, text: string): CompletionOption {
  const { signature, summary, formula } = userFunctionDoc(definition, text);
  return {
    label: definition.name,
    type: "function",
    detail: signature,
    info: formula ? `${summary} ${formula}` : summary,
    template: templateOf(
      definition.name,
      definition.parameters.map(({ name }) => name),
    ),
  };
}

/** The parameters of the function in whose body `node` is. */
function parametersAround(text: string, node: SyntaxNode): CompletionOption[] {
  let around: SyntaxNode | null = node;
  while (around && around.type.id !== terms.FunctionDefinition) around = around.parent;
  const list = around?.getChild(terms.ParameterList);
  const name = around?.getChild(terms.DefinedFunction);
  if (!list || !name) return [];
  const detail = `parameter of ${text.slice(name.from, name.to)}`;
  return list
    .getChildren(terms.Parameter)
    .map(({ from, to }) => ({ label: text.slice(from, to), type: "variable", detail }));
}

function fieldOption({ name, components, centering, values }: FieldSignature): CompletionOption {
  const type = fieldValueType(components);
  const shape = type ? describeType(type) : `${components} components`;
  if (values) return { label: quoteName(name), type: "variable", detail: `${shape}, the same everywhere` };
  return { label: quoteName(name), type: "property", detail: `${shape}, ${centering}-centred field` };
}

const functionOptions: readonly CompletionOption[] = documentedFunctions.flatMap(
  ({ name, aliases, doc, parameters }) =>
    [name, ...aliases].map((label) => ({
      label,
      type: "function" as const,
      detail: name === label ? doc.signature : `same as ${name}`,
      info: doc.summary,
      template: templateOf(label, parameters),
    })),
);

function templateOf(name: string, parameters: readonly string[]): string {
  return `${name}(${parameters.map((parameter) => `\${${parameter}}`).join(", ")})`;
}
