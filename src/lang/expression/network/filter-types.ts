import { CrinkleError } from "../../../core/errors.ts";
import { nearestName } from "../../../core/names.ts";
import { allFilters, findFilter } from "../filters/registry.ts";
import type { NetworkBuilder } from "./builder.ts";
import type { NetworkNode, NodeId } from "./network.ts";
import { aritiesOf, portsOf } from "./ports.ts";

/** A filter as a network made by hand has it. */
export interface FilterType {
  readonly ports: readonly string[];
  readonly arities: ReadonlySet<number>;
  make(builder: NetworkBuilder, inputs: readonly NodeId[]): NodeId;
}

/** Types that say where values are to be. */
const placed: ReadonlyMap<string, FilterType> = new Map(
  (["node", "cell"] as const).flatMap((centering): [string, FilterType][] => [
    [
      `recenter:${centering}`,
      { ports: ["f"], arities: new Set([1]), make: (builder, [input]) => builder.recenter(input, centering) },
    ],
    ...allFilters
      .filter(({ kind }) => kind === "mesh")
      .map(({ name }): [string, FilterType] => [
        `${name}:${centering}`,
        { ports: [], arities: new Set([0]), make: (builder) => builder.mesh(name, centering) },
      ]),
  ]),
);

/** The type of a name. Throws UnknownName. */
export function filterType(name: string): FilterType {
  const own = placed.get(name);
  if (own) return own;
  const filter = findFilter(name);
  if (filter) {
    return {
      ports: portsOf(filter),
      arities: aritiesOf(filter),
      make: (builder, inputs) => builder.apply(filter.name, inputs),
    };
  }
  const known = [...allFilters.flatMap((each) => [each.name, ...(each.aliases ?? [])]), ...placed.keys()];
  const near = nearestName(name, known);
  throw new CrinkleError({
    tag: "UnknownName",
    problem: `There is no filter of type “${name}”.`,
    remedy: near ? `Did you mean ${near}?` : `The types are: ${known.sort().join(", ")}.`,
  });
}

/** The name of the type that makes a node; undefined for sources and constants. */
export function typeNameOf(node: NetworkNode): string | undefined {
  switch (node.kind) {
    case "constant":
    case "source":
      return undefined;
    case "recenter":
      return `recenter:${node.to}`;
    case "mesh":
      return `${node.filter.name}:${node.type.placement}`;
    default:
      return node.filter.name;
  }
}
