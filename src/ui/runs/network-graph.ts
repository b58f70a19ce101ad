import { formatBytes, formatCount, formatMilliseconds } from "../../core/format.ts";
import type { NetworkLayout } from "../../engine/api.ts";

type PlacedNode = NetworkLayout["nodes"][number];
type PlacedEdge = NetworkLayout["edges"][number];

/** An edge as the data of an SVG path: straight down at each of its points, curved between them. */
export function edgePath({ points }: Pick<PlacedEdge, "points">): string {
  const [[x, y], ...rest] = points;
  let path = `M${round(x)} ${round(y)}`;
  let [fromX, fromY] = [x, y];
  for (const [toX, toY] of rest) {
    const middle = round((fromY + toY) / 2);
    path += ` C${round(fromX)} ${middle} ${round(toX)} ${middle} ${round(toX)} ${round(toY)}`;
    [fromX, fromY] = [toX, toY];
  }
  return path;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** A run's measurements as text: “13 KiB · 65.5 µs”; empty if there are none. */
export function measuredWords({ bytes, milliseconds }: Pick<PlacedNode, "bytes" | "milliseconds">): string {
  return [
    ...(bytes === undefined ? [] : [formatBytes(bytes)]),
    ...(milliseconds === undefined ? [] : [formatMilliseconds(milliseconds)]),
  ].join(" · ");
}

const kinds: Readonly<Record<PlacedNode["kind"], string>> = {
  source: "field",
  constant: "constant",
  filter: "filter",
  sink: "result",
};

/** A box in words: “sqrt, filter, scalar, node, of a = add, used twice, 13 KiB”. */
export function nodeWords({ nodes, edges }: NetworkLayout, node: PlacedNode): readonly string[] {
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  const inputs = edges
    .filter(({ to }) => to === node.id)
    .map(({ from, port }) => (port ? `${port} = ${labels.get(from)}` : labels.get(from)));
  const { references } = node;
  const use = references === 1 ? "once" : references === 2 ? "twice" : `${formatCount(references)} times`;
  return [
    `${kinds[node.kind]}`,
    ...(node.type ? [node.type] : []),
    ...(inputs.length > 0 ? [`of ${inputs.join(", ")}`] : []),
    ...(node.kind === "sink" ? [] : [`used ${use}`]),
    ...(measuredWords(node) ? [measuredWords(node)] : []),
  ];
}

const arrows = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"] as const;
export type GraphKey = (typeof arrows)[number];

export function isGraphKey(key: string): key is GraphKey {
  return (arrows as readonly string[]).includes(key);
}

/**
 * The box to which a key moves from another: up to the nearest input, down to the nearest user, sideways to the
 * neighbour in the layer, Home and End to the first and the last; the same box if there is none.
 */
export function nextNode({ nodes, edges }: NetworkLayout, id: string, key: GraphKey): string {
  const at = nodes.find((node) => node.id === id);
  if (!at) return id;
  switch (key) {
    case "Home":
      return nodes[0].id;
    case "End":
      return nodes[nodes.length - 1].id;
    case "ArrowUp":
    case "ArrowDown": {
      const isUp = key === "ArrowUp";
      const ids = new Set(
        edges.flatMap(({ from, to }) => (isUp ? (to === id ? [from] : []) : from === id ? [to] : [])),
      );
      return nearest(
        at,
        nodes.filter((node) => ids.has(node.id)),
      );
    }
    case "ArrowLeft":
      return nearest(
        at,
        nodes.filter(({ x, y }) => y === at.y && x < at.x),
      );
    case "ArrowRight":
      return nearest(
        at,
        nodes.filter(({ x, y }) => y === at.y && x > at.x),
      );
  }
}

function nearest(at: PlacedNode, candidates: readonly PlacedNode[]): string {
  let best = at.id;
  let shortest = Number.POSITIVE_INFINITY;
  for (const { id, x, y } of candidates) {
    const distance = Math.hypot(x - at.x, y - at.y);
    if (distance < shortest) [best, shortest] = [id, distance];
  }
  return best;
}
