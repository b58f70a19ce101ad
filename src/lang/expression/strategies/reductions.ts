import type { Statistics } from "../../../core/statistics.ts";
import type { Network, NetworkNode, NodeId, ReductionNode } from "../network/network.ts";
import { inputsFirst } from "../network/walk.ts";
import { chosenOutputs } from "./outputs.ts";
import { inputsOf } from "./stages.ts";

/** Gives the statistics of named outputs of a network without reductions. */
export type Measure = (
  network: Network,
  names: readonly string[],
) => Promise<ReadonlyMap<string, Statistics>>;

/**
 * A network whose reductions (`avg(f)`) have become constants: what they reduce is measured first, the innermost before
 * those that are built on it, each field once. The same network where the outputs need no reduction.
 */
export async function resolveReductions(
  network: Network,
  outputs: readonly string[],
  measure: Measure,
): Promise<Network> {
  const roots = chosenOutputs(network, outputs).map(({ node }) => node);
  const nodes = [...network.nodes];
  for (;;) {
    const open = inputsFirst(roots, (id) => inputsOf(nodes[id])).filter(
      (id) => nodes[id].kind === "reduction",
    );
    if (open.length === 0)
      return nodes.some((node, id) => node !== network.nodes[id]) ? { ...network, nodes } : network;
    const ready = open
      .filter((id) => !reachesReduction(nodes, id))
      .map((id) => [id, nodes[id] as ReductionNode] as const);
    const inputs = [
      ...new Set(
        ready.map(
          ([
            ,
            {
              inputs: [input],
            },
          ]) => input,
        ),
      ),
    ];
    const named = inputs.map((node) => ({ name: `reduced value ${node}`, node }));
    const found = await measure(
      { nodes, outputs: named, notes: [] },
      named.map(({ name }) => name),
    );
    for (const [id, node] of ready) {
      const statistics = found.get(`reduced value ${node.inputs[0]}`) as Statistics;
      nodes[id] = {
        kind: "constant",
        values: [reducedValue(node, statistics)],
        reducedBy: node.filter.name,
        type: node.type,
        span: node.span,
      };
    }
  }
}

/** A network without reductions, and the outputs that are wanted of it. */
export interface Part {
  readonly network: Network;
  readonly names: readonly string[];
}

/**
 * What runs one after the other for the outputs of a network: what its reductions reduce, then the network itself. The
 * numbers that reductions give stand in for those that they will give: kernels, arrays and bytes do not depend on them.
 */
export async function partsOf(network: Network, outputs: readonly string[]): Promise<readonly Part[]> {
  const parts: Part[] = [];
  const known = await resolveReductions(network, outputs, async (inner, names) => {
    parts.push({ network: inner, names });
    return new Map(names.map((name) => [name, anyStatistics]));
  });
  return [...parts, { network: known, names: outputs }];
}

const anyStatistics: Statistics = { min: 0, max: 1, mean: 0.5, nan: 0, infinite: 0, count: 2 };

function reachesReduction(nodes: readonly NetworkNode[], id: NodeId): boolean {
  const below = inputsFirst(inputsOf(nodes[id]), (at) => inputsOf(nodes[at]));
  return below.some((at) => nodes[at].kind === "reduction");
}

function reducedValue(
  { filter }: ReductionNode,
  { min, max, mean, nan, infinite, count }: Statistics,
): number {
  switch (filter.statistic) {
    case "min":
      return min;
    case "max":
      return max;
    case "mean":
      return mean;
    case "sum": {
      const finite = count - nan - infinite;
      return finite === 0 ? 0 : mean * finite;
    }
  }
}
