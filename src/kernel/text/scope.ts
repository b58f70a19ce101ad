import { nearestName } from "../../core/names.ts";
import { kernelError } from "../errors.ts";
import type { Variable } from "../ir.ts";
import type { Lowered } from "./abstract.ts";
import type { Name } from "./syntax.ts";

/** What a name in a text stands for: a variable, or a `const`, whose value stands wherever it is named. */
export type Binding = { readonly variable: Variable } | { readonly constant: Lowered };

/** The names that can be used at a place of a text. */
export class Scope {
  private readonly bindings = new Map<string, Binding>();
  private readonly outer: Scope | undefined;

  constructor(outer?: Scope) {
    this.outer = outer;
  }

  find(name: string): Binding | undefined {
    return this.bindings.get(name) ?? this.outer?.find(name);
  }

  /** Inner scopes may use an outer one's names anew. */
  declare(name: Name, binding: Binding): void {
    if (this.bindings.has(name.text)) {
      throw kernelError(`“${name.text}” is declared twice.`, "Give one of them another name.", name.span);
    }
    this.bindings.set(name.text, binding);
  }

  names(): string[] {
    return [...this.bindings.keys(), ...(this.outer?.names() ?? [])];
  }
}

export function unknownName(name: Name, known: Iterable<string>, what = "name") {
  const names = [...known];
  const near = nearestName(name.text, names);
  const list = names.length > 0 ? `Known here: ${names.join(", ")}.` : `There are no ${what}s here.`;
  return kernelError(
    `There is no ${what} “${name.text}”.`,
    near ? `Did you mean “${near}”?` : names.length <= 12 ? list : "",
    name.span,
  );
}
