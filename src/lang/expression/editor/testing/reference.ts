import { elementLoop } from "../../filters/element-loops.ts";
import type { Filter, FilterDoc } from "../../filters/filter.ts";
import { allFilters, findFilter } from "../../filters/registry.ts";
import { createNetworkBuilder } from "../../network/graph.ts";
import type { NetworkNode } from "../../network/network.ts";
import { componentsOf } from "../../types.ts";
import { documentedFunctions } from "../documentation.ts";

interface Entry {
  readonly doc: FilterDoc;
  readonly aliases: readonly string[];
  readonly kind: Kind;
}

/** What a function reads at most: its element, a stencil, the mesh, or all values. */
type Kind = "S" | "R" | "M" | "E";

/** The function reference of docs/expressions.md, generated from the filters' documentation. */
export function functionReference(): string {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries()) {
    const group = groups.get(entry.doc.group);
    if (group) group.push(entry);
    else groups.set(entry.doc.group, [entry]);
  }
  return [...groups].map(([title, list]) => `### ${title}\n\n${list.map(describe).join("\n")}\n`).join("\n");
}

/** Operators, which have no name of their own, come first, then everything that can be called. */
function entries(): Entry[] {
  const operators = allFilters.filter(({ internal, doc }) => internal && !/^\w+\(/.test(doc.signature));
  const components = operators.filter(({ name }) => /^component_[12]$/.test(name));
  return [
    ...operators
      .filter((filter) => !components.includes(filter))
      .map(({ doc }): Entry => ({ doc, aliases: [], kind: "E" })),
    ...documentedFunctions.map(({ name, doc, aliases }): Entry => {
      const filter = findFilter(name);
      return { doc, aliases, kind: filter ? kindOf(filter) : "S" };
    }),
  ];
}

const kindOfNode: Readonly<Record<NetworkNode["kind"], Kind>> = {
  constant: "E",
  source: "E",
  element: "E",
  mesh: "M",
  reduction: "R",
  recenter: "S",
  stencil: "S",
};

/** Determined on a network that applies the function to fields. */
function kindOf(filter: Filter): Kind {
  const builder = createNetworkBuilder(elementLoop);
  const inputs =
    "overloads" in filter ? filter.overloads[0].inputs : filter.kind === "mesh" ? [] : (["scalar"] as const);
  const sources = inputs.map((type, k) =>
    filter.kind === "reduction" && k > 0
      ? builder.constant([0.5])
      : builder.source({ name: `f${k}`, components: componentsOf(type), centering: "node" }),
  );
  builder.output("result", builder.apply(filter.name, sources));
  const kinds = new Set(builder.build().nodes.map(({ kind }) => kindOfNode[kind]));
  return (["S", "R", "M"] as const).find((kind) => kinds.has(kind)) ?? "E";
}

function describe({ doc, aliases, kind }: Entry): string {
  const also = aliases.length > 0 ? ` Also ${aliases.map(code).join(", ")}.` : "";
  const formula = doc.formula ? ` Formula: ${code(doc.formula)}.` : "";
  return `- ${code(doc.signature)} (${kind}): ${doc.summary}${formula}${also} Example: ${code(doc.example)}`;
}

function code(text: string): string {
  return `\`${text}\``;
}
