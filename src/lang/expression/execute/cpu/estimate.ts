import type { DataSet } from "../../../../core/field.ts";
import { valueCount } from "../../../../core/grid.ts";
import type { Network, NetworkNode, NodeId } from "../../network/network.ts";
import { inputsFirst } from "../../network/walk.ts";
import { ownInputs, readsNeighbors, type StagePlan } from "../../plan/stages.ts";
import { componentsOf } from "../../types.ts";

/** What a computation is expected to take. */
export interface Estimate {
  /** Nanoseconds on one thread. */
  readonly workNs: number;
  /** Values of fields that are read, and of results. */
  readonly values: number;
  readonly stages: number;
}

/** Nanoseconds a value: of sums and the like, and of the filters of a group at about the middle of it. */
export const plainNs = 1.2;
const groupNs: Readonly<Record<string, number>> = {
  Derivatives: 2,
  Mathematics: 6,
  Filters: 15,
  Tensors: 30,
  Vortices: 30,
};

export function estimateOf(
  network: Network,
  outputs: readonly NodeId[],
  { stages }: StagePlan,
  { grid, fields }: DataSet,
): Estimate {
  let workNs = 0;
  let values = 0;
  const read = new Set<string>();
  for (const stage of stages) {
    const count = valueCount(grid, stage.centering);
    for (const id of inputsFirst(stage.roots, (id) => ownInputs(network, stage, id))) {
      const node = network.nodes[id];
      workNs += count * componentsOf(node.type.value) * nsOf(node);
      const source = readsNeighbors(node) ? network.nodes[node.inputs[0]] : node;
      if (source.kind === "source") read.add(source.field);
    }
    for (const root of stage.roots) {
      if (outputs.includes(root)) values += count * componentsOf(network.nodes[root].type.value);
    }
  }
  for (const { name, data } of fields) if (read.has(name)) values += data.length;
  return { workNs, values, stages: stages.length };
}

/** Nanoseconds that a node takes for each component of a value, on one thread. */
export function nsOf(node: NetworkNode): number {
  switch (node.kind) {
    case "constant":
      return 0;
    case "element":
    case "stencil":
      return groupNs[node.filter.doc.group] ?? plainNs;
    default:
      return plainNs;
  }
}
