import type { Network, NetworkNode, NetworkOutput, NodeId } from "./network.ts";

/** The nodes that the outputs need, numbered anew in the same order. */
export function prune(
  nodes: readonly NetworkNode[],
  outputs: readonly NetworkOutput[],
): Pick<Network, "nodes" | "outputs"> {
  const kept = dependencies(
    nodes,
    outputs.map(({ node }) => node),
  );
  const renumbered = new Map(kept.map((old, id) => [old, id]));
  const at = (id: NodeId) => renumbered.get(id) as NodeId;
  return {
    nodes: kept.map((id) => withInputs(nodes[id], at)),
    outputs: outputs.map(({ name, node }) => ({ name, node: at(node) })),
  };
}

/** The given nodes and all that they need, inputs before their users. */
export function dependencies(nodes: readonly NetworkNode[], of: readonly NodeId[]): NodeId[] {
  const needed = new Set(of);
  for (let id = Math.max(-1, ...of); id >= 0; id--) {
    if (needed.has(id)) for (const input of inputsOf(nodes[id])) needed.add(input);
  }
  return [...needed].sort((a, b) => a - b);
}

export function inputsOf(node: NetworkNode): readonly NodeId[] {
  return "inputs" in node ? node.inputs : [];
}

function withInputs(node: NetworkNode, at: (id: NodeId) => NodeId): NetworkNode {
  switch (node.kind) {
    case "element":
      return { ...node, inputs: node.inputs.map(at) };
    case "stencil":
    case "recenter":
      return { ...node, inputs: [at(node.inputs[0])] };
    case "reduction": {
      const [input, ...parameters] = node.inputs;
      return { ...node, inputs: [at(input), ...parameters.map(at)] };
    }
    default:
      return node;
  }
}
