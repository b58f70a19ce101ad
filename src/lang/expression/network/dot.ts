import { type DrawnNode, describeReport, drawingOf, type NodeReports } from "./drawing.ts";
import type { Network } from "./network.ts";

const shapes: Readonly<Record<DrawnNode["kind"], string>> = {
  source: "ellipse",
  constant: "plaintext",
  filter: "box",
  sink: "doubleoctagon",
};

/** The network in Graphviz's language, with the bytes and milliseconds that `reports` knows on each node. */
export function toDot(network: Network, reports?: NodeReports): string {
  const { nodes, edges } = drawingOf(network, reports);
  return [
    "digraph network {",
    "  rankdir=TB;",
    '  node [fontname="sans-serif", fontsize=11];',
    ...nodes.map((node) => `  ${node.id} [label=${quote(linesOf(node))}, shape=${shapes[node.kind]}];`),
    ...edges.map(({ from, to, port }) => `  ${from} -> ${to}${port ? ` [headlabel=${quote([port])}]` : ""};`),
    "}",
    "",
  ].join("\n");
}

function linesOf(node: DrawnNode): string[] {
  return [node.label, node.type, describeReport(node)].filter(Boolean);
}

function quote(lines: readonly string[]): string {
  return `"${lines.map((line) => line.replace(/[\\"]/g, "\\$&").replace(/\n/g, " ")).join("\\n")}"`;
}
