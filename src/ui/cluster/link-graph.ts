import type { ClusterMember } from "../../engine/cluster/api.ts";
import type { ClusterState } from "../store/cluster-state.ts";
import { pathBetween, pathLabels } from "./path-labels.ts";

export interface GraphNode {
  readonly id: string;
  readonly rank: number;
  readonly x: number;
  readonly y: number;
  readonly isSelf: boolean;
}

export interface GraphEdge {
  readonly from: GraphNode;
  readonly to: GraphNode;
  readonly path: string;
  /** Where the label goes: off the middle, where many edges meet. */
  readonly label: { readonly x: number; readonly y: number };
  readonly megabytesPerSecond: number | undefined;
  readonly roundTripUs: number | undefined;
}

export interface LinkGraph {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

const size = { width: 340, height: 260, margin: 34 };

/** The ranks on an ellipse, rank 0 at the top, or on the left if there are two; every two ranks are linked. */
export function linkGraph(members: readonly ClusterMember[], measured: ClusterState["measured"]): LinkGraph {
  const ranked = members.filter(({ rank }) => rank !== undefined);
  const { width, margin } = size;
  const height = ranked.length < 3 ? 96 : size.height;
  const start = ranked.length < 3 ? Math.PI : -Math.PI / 2;
  const nodes = ranked.map(({ id, isSelf }, k): GraphNode => {
    const angle = start + (2 * Math.PI * k) / ranked.length;
    const x = width / 2 + (width / 2 - margin) * Math.cos(angle);
    const y = height / 2 + (height / 2 - margin) * Math.sin(angle);
    return { id, rank: k, x, y, isSelf };
  });
  const figures = new Map(
    measured?.result.links.map((link) => [pairOf(measured.ids[link.a], measured.ids[link.b]), link]),
  );
  const edges = nodes.flatMap((to, b) =>
    nodes.slice(0, b).map((from, a): GraphEdge => {
      const link = figures.get(pairOf(from.id, to.id));
      const along = nodes.length < 4 ? 0.5 : 0.36;
      return {
        from,
        to,
        path: pathBetween(ranked[a], ranked[b]),
        label: { x: from.x + along * (to.x - from.x), y: from.y + along * (to.y - from.y) },
        megabytesPerSecond: link?.megabytesPerSecond,
        roundTripUs: link?.roundTripUs,
      };
    }),
  );
  return { width, height, nodes, edges: edges.toSorted((a, b) => a.from.rank - b.from.rank) };
}

const pairOf = (a: string, b: string): string => [a, b].toSorted().join(" ");

/** The links as a Markdown table. */
export function linkTable({ edges }: LinkGraph): string {
  const columns = ["from", "to", "path", "MB/s", "round trip µs"];
  const lines = edges.map(({ from, to, path, megabytesPerSecond, roundTripUs }) => [
    from.rank,
    to.rank,
    pathLabels(path),
    megabytesPerSecond?.toPrecision(3) ?? "",
    roundTripUs?.toFixed(0) ?? "",
  ]);
  return [columns, ["---:", "---:", "---", "---:", "---:"], ...lines]
    .map((cells) => `| ${cells.join(" | ")} |\n`)
    .join("");
}
