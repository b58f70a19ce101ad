import type { Centering } from "../../../core/grid.ts";
import type { Network, NetworkNode, NodeId } from "../network/network.ts";
import { inputsFirst } from "../network/walk.ts";

/** Values computed in one sweep over the values of one centring. */
export interface Stage {
  readonly centering: Centering;
  /** Nodes whose values the stage stores: outputs, and temporaries that later stages read. */
  readonly roots: readonly NodeId[];
  /** Stored nodes of earlier stages: read from memory rather than computed again. */
  readonly stored: ReadonlySet<NodeId>;
}

export interface StagePlan {
  readonly stages: readonly Stage[];
  /** Nodes that a neighbourhood is read of, though they are computed. */
  readonly temporaries: ReadonlySet<NodeId>;
}

/** Constants are stored, where they are an output, at the nodes. */
export function centeringOf(node: NetworkNode): Centering {
  return node.type.placement === "cell" ? "cell" : "node";
}

export function inputsOf(node: NetworkNode): readonly NodeId[] {
  return "inputs" in node ? node.inputs : [];
}

/** Stencils and changes of centring read other elements than their own. */
export function readsNeighbors(node: NetworkNode): node is NetworkNode & { inputs: readonly [NodeId] } {
  return node.kind === "stencil" || node.kind === "recenter";
}

/**
 * Splits a network into as few stages as its stencils allow. A stencil's input that `canFetch` refuses (it may be
 * read at neighbours without being stored) becomes a temporary, stored by an earlier stage; `forced` nodes do too.
 * `canFetch` is called in topological order with the nodes that are temporaries so far, and who reads.
 */
export function planStages(
  network: Network,
  outputs: readonly NodeId[],
  canFetch: (node: NodeId, temporaries: ReadonlySet<NodeId>, reader: NetworkNode) => boolean,
  forced: ReadonlySet<NodeId> = new Set(),
): StagePlan {
  const needed = reachable(network, outputs);
  const temporaries = new Set<NodeId>();
  for (const id of needed) {
    if (forced.has(id)) temporaries.add(id);
    const node = network.nodes[id];
    if (readsNeighbors(node) && !canFetch(node.inputs[0], temporaries, node)) temporaries.add(node.inputs[0]);
  }
  const level = stageLevels(network, needed, temporaries, forced);
  const slots = new Map<string, { level: number; centering: Centering; roots: NodeId[] }>();
  const slot = (at: number, centering: Centering) => {
    const key = `${at} ${centering}`;
    const found = slots.get(key) ?? { level: at, centering, roots: [] };
    slots.set(key, found);
    return found;
  };
  for (const id of needed) {
    if (temporaries.has(id)) slot(level[id], centeringOf(network.nodes[id])).roots.push(id);
  }
  const pure = [...new Set(outputs)].filter((id) => !temporaries.has(id)).sort((a, b) => level[b] - level[a]);
  for (const id of pure) {
    const centering = centeringOf(network.nodes[id]);
    const later = [...slots.values()]
      .filter((s) => s.centering === centering && s.level >= level[id])
      .sort((a, b) => a.level - b.level)[0];
    (later ?? slot(level[id], centering)).roots.push(id);
  }
  const ordered = [...slots.values()].sort((a, b) => a.level - b.level);
  return {
    temporaries,
    stages: ordered.map((s) => ({
      centering: s.centering,
      roots: s.roots.sort((a, b) => a - b),
      stored: new Set([...temporaries].filter((id) => level[id] < s.level)),
    })),
  };
}

/** The inputs that the stage computes, or reads at the same place, for the node's value. */
export function ownInputs(network: Network, stage: Stage, id: NodeId): readonly NodeId[] {
  const node = network.nodes[id];
  return stage.stored.has(id) || readsNeighbors(node) ? [] : inputsOf(node);
}

/** The stored nodes that a stage reads. */
export function storedReads(network: Network, stage: Stage): Set<NodeId> {
  const visited = inputsFirst(stage.roots, (id) => (stage.stored.has(id) ? [] : inputsOf(network.nodes[id])));
  return new Set(visited.filter((id) => stage.stored.has(id)));
}

/** Nodes that the outputs depend on, in the network's order. */
function reachable(network: Network, outputs: readonly NodeId[]): NodeId[] {
  return inputsFirst(outputs, (id) => inputsOf(network.nodes[id])).sort((a, b) => a - b);
}

/** The first stage in which each node's value can be had: one after the last temporary that is read at neighbours. */
function stageLevels(
  network: Network,
  needed: readonly NodeId[],
  temporaries: ReadonlySet<NodeId>,
  forced: ReadonlySet<NodeId>,
): number[] {
  const own: number[] = [];
  const fetched: number[] = [];
  for (const id of needed) {
    const node = network.nodes[id];
    const inputs = inputsOf(node);
    const read = (input: NodeId) => (forced.has(input) ? own[input] + 1 : own[input]);
    own[id] = readsNeighbors(node) ? fetched[node.inputs[0]] : Math.max(0, ...inputs.map(read));
    fetched[id] = temporaries.has(id)
      ? own[id] + 1
      : Math.max(own[id], ...inputs.map((input) => fetched[input]));
  }
  return own;
}
