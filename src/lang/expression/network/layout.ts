import { type DrawnEdge, type DrawnNode, describeReport, drawingOf, type NodeReports } from "./drawing.ts";
import { type LayeredItem, layersOf } from "./layers.ts";
import type { Network } from "./network.ts";

/** A box with its place: x and y are those of its centre, in pixels from the drawing's upper left corner. */
export interface PlacedNode extends DrawnNode {
  /** What stands in the box: the label, and what is known of a run. */
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

type Point = readonly [x: number, y: number];

/** An arrow, from the lower side of one box to the upper side of another. */
export interface PlacedEdge extends DrawnEdge {
  readonly points: readonly Point[];
}

export interface NetworkLayout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

/** Sizes that hold text of 12 pixels. */
const perLetter = 7;
const padding = 16;
const minWidth = 40;
const lineHeight = 16;
const boxPadding = 10;
const layerGap = 36;
const margin = 12;

/**
 * Places a network's boxes in layers, inputs above their users, with few crossings: Sugiyama's method (Sugiyama, Tagawa
 * and Toda 1981). Plain data, for whatever draws it.
 */
export function layoutNetwork(network: Network, reports?: NodeReports): NetworkLayout {
  const { nodes, edges } = drawingOf(network, reports);
  const boxes = nodes.map(boxOf);
  const index = new Map(nodes.map(({ id }, i) => [id, i]));
  const at = (id: string) => index.get(id) as number;
  const inputs: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) inputs[at(to)].push(at(from));
  const layers = layersOf(
    inputs,
    boxes.map(({ width }) => width),
  );
  const tops = layerTops(layers, (i) => boxes[i].height);
  const [left, right] = extent(layers);
  /** The box of each node, and the bends of the arrows that leave it, from the top. */
  const ways: LayeredItem[][] = nodes.map(() => []);
  for (const item of layers.flat()) ways[item.node].push(item);
  const centerOf = ({ x, layer }: LayeredItem): [number, number] => [
    x - left,
    (tops[layer] + tops[layer + 1] - layerGap) / 2,
  ];
  const placed = nodes.map((node, i): PlacedNode => {
    const [x, y] = centerOf(ways[i][0]);
    return { ...node, ...boxes[i], x, y };
  });
  const starts = edges.map((edge) => {
    const { x, y, height } = placed[at(edge.from)];
    const last = ways[at(edge.to)][0].layer;
    const bends = ways[at(edge.from)].filter(({ bend, layer }) => bend && layer < last);
    return [[x, y + height / 2] as const, ...bends.map(centerOf)];
  });
  const ends = arrivals(edges, starts, (id) => placed[at(id)]);
  return {
    width: right - left,
    height: tops[tops.length - 1] - layerGap + margin,
    nodes: placed,
    edges: edges.map((edge, e) => ({ ...edge, points: [...starts[e], ends[e]] })),
  };
}

/** Where each arrow ends: side by side on its box's upper edge, in the order in which they come. */
function arrivals(
  edges: readonly DrawnEdge[],
  starts: readonly (readonly Point[])[],
  boxOfId: (id: string) => PlacedNode,
): Point[] {
  const ofBox = new Map<string, number[]>();
  edges.forEach(({ to }, e) => {
    const own = ofBox.get(to);
    if (own) own.push(e);
    else ofBox.set(to, [e]);
  });
  const ends: Point[] = [];
  for (const [id, own] of ofBox) {
    const { x, y, width, height } = boxOfId(id);
    const fromX = (e: number) => starts[e][starts[e].length - 1][0];
    own.sort((a, b) => fromX(a) - fromX(b));
    own.forEach((e, k) => {
      ends[e] = [x + ((k + 0.5) / own.length - 0.5) * (width - padding), y - height / 2];
    });
  }
  return ends;
}

function boxOf(node: DrawnNode): Pick<PlacedNode, "lines" | "width" | "height"> {
  const lines = [node.label, describeReport(node)].filter(Boolean);
  const longest = Math.max(0, ...lines.map((line) => line.length));
  return {
    lines,
    width: Math.max(minWidth, longest * perLetter + padding),
    height: lines.length * lineHeight + boxPadding,
  };
}

/** Leftmost and rightmost ends, with the margin. */
function extent(layers: readonly (readonly LayeredItem[])[]): [number, number] {
  let [left, right] = [0, 0];
  for (const { x, width } of layers.flat()) {
    left = Math.min(left, x - width / 2);
    right = Math.max(right, x + width / 2);
  }
  return [left - margin, right + margin];
}

/** Upper ends of the layers, and of one more below them. */
function layerTops(
  layers: readonly (readonly LayeredItem[])[],
  heightOf: (node: number) => number,
): number[] {
  const tops = [margin];
  for (const layer of layers) {
    const heights = layer.map(({ node, bend }) => (bend ? 0 : heightOf(node)));
    tops.push(tops[tops.length - 1] + heights.reduce((a, b) => Math.max(a, b), 0) + layerGap);
  }
  return tops;
}
