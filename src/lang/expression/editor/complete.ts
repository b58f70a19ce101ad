import { builtins, type Scope } from "../check/scope.ts";
import * as terms from "../grammar/parser.terms.ts";
import { parser } from "../grammar/parser.ts";
import { type FieldSignature, fieldValueType } from "../network/network.ts";
import { keywords, quoteName } from "../syntax/quoting.ts";
import { describeType } from "../types.ts";
import { analyze } from "./analyze.ts";
import { documentedFunctions } from "./documentation.ts";

/** One proposal; its members are those of a CodeMirror `Completion`. */
export interface CompletionOption {
  readonly label: string;
  readonly type: "variable" | "property" | "constant" | "function" | "keyword";
  /** Shown beside the label: a type or a signature. */
  readonly detail?: string;
  /** A sentence about it. */
  readonly info?: string;
  /** Text to insert, where it is not the label. */
  readonly apply?: string;
  /** For functions, the call with its arguments to fill in, as CodeMirror's `snippet` takes it. */
  readonly template?: string;
}

export interface CompletionList {
  /** Where the text to be replaced starts, and ends where that is not the cursor. */
  readonly from: number;
  readonly to?: number;
  readonly options: readonly CompletionOption[];
  /** The list stays right while the replaced text matches. */
  readonly validFor: RegExp;
}

const words = /^[\p{L}_][\p{L}\p{M}\d_₀-₉]*$/u;
const wordBefore = /[\p{L}_][\p{L}\p{M}\d_₀-₉]*$/u;

/**
 * What can be written at offset `position`; undefined inside comments, numbers and names that are being defined, and
 * where nothing is typed yet unless the person asks (`explicit`).
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
  if (node.type.id === terms.Comment) return undefined;
  const word = wordBefore.exec(before)?.[0] ?? "";
  const from = position - word.length;
  if (word === "" && !explicit) return undefined;
  if (/\d\.?$/.test(text.slice(0, from)) || /^\s*=(?!=)/.test(text.slice(position))) return undefined;
  return { from, options: allOptions(text, from, scope), validFor: words };
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

function allOptions(text: string, from: number, scope: Scope): CompletionOption[] {
  const defined = definedBefore(text, from, scope);
  const hidden = new Set(defined.map(({ label }) => label));
  const fields = scope.fields.map(fieldOption).filter(({ label }) => !hidden.has(label));
  for (const { label } of fields) hidden.add(label);
  return [
    ...defined,
    ...fields,
    ...[...builtins]
      .filter(([name]) => !hidden.has(name))
      .map(([label, info]): CompletionOption => ({ label, type: "constant", detail: "of the grid", info })),
    ...functionOptions,
    ...[...keywords].map((label): CompletionOption => ({ label, type: "keyword" })),
  ];
}

/** Names of the statements that end before `from`; of those of one name the last. */
function definedBefore(text: string, from: number, scope: Scope): CompletionOption[] {
  const statements = text.slice(
    0,
    Math.max(text.lastIndexOf("\n", from - 1), text.lastIndexOf(";", from - 1), 0),
  );
  const options = new Map<string, CompletionOption>();
  for (const { name, nameSpan, type } of analyze(statements, scope).definitions) {
    if (nameSpan) options.set(name, { label: quoteName(name), type: "variable", detail: type });
  }
  return [...options.values()];
}

function fieldOption({ name, components, centering }: FieldSignature): CompletionOption {
  const type = fieldValueType(components);
  const shape = type ? describeType(type) : `${components} components`;
  return { label: quoteName(name), type: "property", detail: `${shape}, ${centering}-centred field` };
}

const functionOptions: readonly CompletionOption[] = documentedFunctions.flatMap(
  ({ name, aliases, doc, parameters }) =>
    [name, ...aliases].map((label) => ({
      label,
      type: "function" as const,
      detail: name === label ? doc.signature : `same as ${name}`,
      info: doc.summary,
      template: `${label}(${parameters.map((parameter) => `\${${parameter}}`).join(", ")})`,
    })),
);
