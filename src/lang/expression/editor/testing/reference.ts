import type { FilterDoc } from "../../filters/filter.ts";
import { allFilters } from "../../filters/registry.ts";
import { documentedFunctions } from "../documentation.ts";

interface Entry {
  readonly doc: FilterDoc;
  readonly aliases: readonly string[];
}

/** The function reference of docs/expressions.md, made from the filters' own documentation. */
export function functionReference(): string {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries()) {
    const group = groups.get(entry.doc.group);
    if (group) group.push(entry);
    else groups.set(entry.doc.group, [entry]);
  }
  return [...groups].map(([title, list]) => `### ${title}\n\n${list.map(describe).join("\n")}\n`).join("\n");
}

/** Operators first, which have no name of their own, then everything that can be called. */
function entries(): Entry[] {
  const operators = allFilters.filter(({ internal, doc }) => internal && !/^\w+\(/.test(doc.signature));
  const components = operators.filter(({ name }) => /^component_[12]$/.test(name));
  return [
    ...operators.filter((filter) => !components.includes(filter)).map(({ doc }) => ({ doc, aliases: [] })),
    ...documentedFunctions,
  ];
}

function describe({ doc, aliases }: Entry): string {
  const also = aliases.length > 0 ? ` Also ${aliases.map(code).join(", ")}.` : "";
  const formula = doc.formula ? ` Formula: ${code(doc.formula)}.` : "";
  return `- ${code(doc.signature)}: ${doc.summary}${formula}${also} Example: ${code(doc.example)}`;
}

function code(text: string): string {
  return `\`${text}\``;
}
