import type { Network, NetworkNode } from "../network.ts";

/** A network as text, one node a line: “2 = add(0, 1): scalar, node”. Outputs follow as “q = 2”. */
export function describeNetwork({ nodes, outputs }: Network): string {
  const lines = nodes.map(
    (node, id) => `${id} = ${describeNode(node)}: ${node.type.value}, ${node.type.placement}`,
  );
  return [...lines, ...outputs.map(({ name, node }) => `${name} = ${node}`)].join("\n");
}

function describeNode(node: NetworkNode): string {
  switch (node.kind) {
    case "constant":
      return node.values.length === 1 ? String(node.values[0]) : `{${node.values.join(", ")}}`;
    case "source":
      return node.component === undefined ? node.field : `${node.field}[${node.component}]`;
    case "mesh":
      return `${node.filter.name}()`;
    case "recenter":
      return `recenter_to_${node.to}(${node.inputs[0]})`;
    default:
      return `${node.filter.name}(${node.inputs.join(", ")})`;
  }
}
