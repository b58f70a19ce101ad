import type { Network, NetworkNode, NetworkOutput, NodeId } from "./network.ts";

/** The nodes that the outputs need, numbered anew in the same order. */
export function prune(
  nodes: readonly NetworkNode[],
  outputs: readonly NetworkOutput[],
): Pick<Network, "nodes" | "outputs"> {
  const needed = new Set<NodeId>(outputs.map(({ node }) => node));
  for (let id = nodes.length - 1; id >= 0; id--) {
    if (needed.has(id)) for (const input of inputsOf(nodes[id])) needed.add(input);
  }
  const kept = [...needed].sort((a, b) => a - b);
  const renumbered = new Map(kept.map((old, id) => [old, id]));
  const at = (id: NodeId) => renumbered.get(id) as NodeId;
  return {
    nodes: kept.map((id) => withInputs(nodes[id], at)),
    outputs: outputs.map(({ name, node }) => ({ name, node: at(node) })),
  };
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
    default:
      return node;
  }
}
