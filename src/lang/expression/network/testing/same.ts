import { expect } from "vitest";
import type { Network, NetworkNode } from "../network.ts";

/** Expects two networks to compute the same: equal nodes, in whatever order they and commuting operands come. */
export function expectSameNetwork(actual: Network, expected: Network, message?: string): void {
  expect(canonical(actual), message).toEqual(canonical(expected));
}

/** Each distinct node as a line that names its inputs by their lines' content, not by their numbers. */
function canonical({ nodes, outputs }: Network) {
  const digests: string[] = [];
  nodes.forEach((node, id) => {
    const inputs = "inputs" in node ? node.inputs.map((input) => digests[input]) : [];
    if (node.kind === "element" && node.filter.commutative) inputs.sort();
    digests[id] = digest(`${keyOf(node)} ${node.type.value} ${node.type.placement} ${inputs.join(" ")}`);
  });
  return {
    nodes: digests.map((id, i) => `${id} ${keyOf(nodes[i])}`).sort(),
    outputs: outputs.map(({ name, node }) => `${name} = ${digests[node]}`),
  };
}

function keyOf(node: NetworkNode): string {
  switch (node.kind) {
    case "constant":
      return `constant ${node.values.map((value) => (Object.is(value, -0) ? "-0" : value)).join(" ")}`;
    case "source":
      return `source ${JSON.stringify(node.field)} ${node.component ?? "all"}`;
    case "recenter":
      return `recenter ${node.to}`;
    default:
      return node.filter.name;
  }
}

/** 64 bits of the text: far more than the nodes of a test could make collide. */
function digest(text: string): string {
  let [a, b] = [0xdeadbeef, 0x41c6ce57];
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 2654435761);
    b = Math.imul(b ^ text.charCodeAt(i), 1597334677) ^ (a >>> 13);
  }
  return `${(a >>> 0).toString(16)}${(b >>> 0).toString(16)}`;
}
