import { describeType } from "../types.ts";
import type { Network, NetworkNode, NodeId } from "./network.ts";
import { inputPorts } from "./ports.ts";
import { inputsOf } from "./prune.ts";

/** What a run found out about a value. */
export interface NodeReport {
  readonly bytes?: number;
  readonly milliseconds?: number;
}

export type NodeReports = ReadonlyMap<NodeId, NodeReport>;

/** A box of a network's drawing: a node, or a sink for each output. */
export interface DrawnNode {
  readonly id: string;
  readonly kind: "source" | "constant" | "filter" | "sink";
  /** The field, the number, the filter's name or the output's. */
  readonly label: string;
  /** “vector (3), node”; empty for sinks. */
  readonly type: string;
  /** Edges that leave it: how many filters and sinks use the value. */
  readonly references: number;
  /** The node of the network; undefined for sinks. */
  readonly node?: NodeId;
  readonly bytes?: number;
  readonly milliseconds?: number;
}

export interface DrawnEdge {
  readonly from: string;
  readonly to: string;
  /** The name of the port that it leads to; empty for sinks. */
  readonly port: string;
}

export interface Drawing {
  /** Inputs before their users. */
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

/** The boxes and arrows of a network, with what `reports` knows of each value (seed 001, Figure 4). */
export function drawingOf({ nodes, outputs }: Network, reports?: NodeReports): Drawing {
  const edges = [
    ...nodes.flatMap((node, id) => {
      const ports = inputPorts(node);
      return inputsOf(node).map((input, k) => ({ from: keyOf(input), to: keyOf(id), port: ports[k] }));
    }),
    ...outputs.map(({ node }, i) => ({ from: keyOf(node), to: `s${i}`, port: "" })),
  ];
  const references = new Map<string, number>();
  for (const { from } of edges) references.set(from, (references.get(from) ?? 0) + 1);
  const drawn = nodes.map((node, id): DrawnNode => {
    const { value, placement } = node.type;
    const base = { id: keyOf(id), node: id, references: references.get(keyOf(id)) ?? 0, ...reports?.get(id) };
    return {
      ...base,
      kind: kindOf(node),
      label: labelOf(node),
      type: `${describeType(value)}, ${placement}`,
    };
  });
  const sinks = outputs.map(
    ({ name }, i): DrawnNode => ({ id: `s${i}`, kind: "sink", label: name, type: "", references: 0 }),
  );
  return { nodes: [...drawn, ...sinks], edges };
}

/** “12.5 MB, 0.31 ms”; empty where nothing is known. */
export function describeReport({ bytes, milliseconds }: NodeReport): string {
  return [
    ...(bytes === undefined ? [] : [describeBytes(bytes)]),
    ...(milliseconds === undefined ? [] : [`${Number(milliseconds.toPrecision(3))} ms`]),
  ].join(", ");
}

function describeBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${units[power]}`;
}

function keyOf(id: NodeId): string {
  return `n${id}`;
}

function kindOf({ kind }: NetworkNode): DrawnNode["kind"] {
  return kind === "source" || kind === "constant" ? kind : "filter";
}

function labelOf(node: NetworkNode): string {
  switch (node.kind) {
    case "source":
      return node.component === undefined ? node.field : `${node.field}[${node.component}]`;
    case "constant":
      return node.values.length === 1
        ? String(node.type.value === "bool" ? node.values[0] !== 0 : node.values[0])
        : `{${node.values.join(", ")}}`;
    case "recenter":
      return `recenter to ${node.to}`;
    default:
      return node.filter.name;
  }
}
