import type { Quantity } from "../../../core/quantity.ts";
import type { ScalarValues } from "../filters/filter.ts";
import type { Network } from "../network/network.ts";
import { inputsFirst } from "../network/walk.ts";
import { chosenOutputs } from "./outputs.ts";
import { inputsOf } from "./stages.ts";

/** A network without reductions, and the outputs that are wanted of it. */
export interface Part {
  readonly network: Network;
  readonly names: readonly string[];
}

/** Computes a part's outputs, all as fields, and keeps them while `read` looks at their values. */
export type Measure = <Result>(
  part: Part,
  read: (values: ReadonlyMap<string, ScalarValues>) => Promise<Result>,
) => Promise<Result>;

/** What outputs of a network come down to once its reductions (`avg(f)`) have become constants. */
export interface Resolved {
  /** The outputs that are fields: the network is the same where there was nothing to reduce. */
  readonly fields: Part;
  /** The others, which need no more computing. */
  readonly quantities: ReadonlyMap<string, Quantity>;
}

/**
 * Measures what reductions reduce, the innermost before those that are built on it, each field once. Throws TypeError for
 * parameters that a reduction cannot do with.
 */
export async function resolveReductions(
  network: Network,
  outputs: readonly string[],
  measure: Measure,
): Promise<Resolved> {
  const resolved = withoutReductions(network, outputs);
  if (resolved) return resolved;
  const { measureReductions } = await import("./resolve-reductions.ts");
  return measureReductions(network, outputs, measure);
}

/**
 * What runs one after the other for the outputs of a network: what its reductions reduce, then the network itself. The
 * numbers that reductions give stand in for those that they will give: kernels, arrays and bytes do not depend on them.
 */
export async function partsOf(network: Network, outputs: readonly string[]): Promise<readonly Part[]> {
  const resolved = withoutReductions(network, outputs);
  if (resolved) return [resolved.fields];
  const { partsWithReductions } = await import("./resolve-reductions.ts");
  return partsWithReductions(network, outputs);
}

/** The outputs of a network that reduces nothing for them, whose constants are known. */
function withoutReductions(network: Network, outputs: readonly string[]): Resolved | undefined {
  const { nodes } = network;
  const chosen = chosenOutputs(network, outputs);
  const roots = chosen.map(({ node }) => node);
  const reached = inputsFirst(roots, (id) => inputsOf(nodes[id]));
  if (reached.some((id) => nodes[id].kind === "reduction")) return undefined;
  const quantities = new Map<string, Quantity>();
  const names: string[] = [];
  for (const { name, node: id } of chosen) {
    const node = nodes[id];
    if (node.kind === "constant") quantities.set(name, { kind: "number", components: node.values });
    else names.push(name);
  }
  return { fields: { network, names }, quantities };
}
