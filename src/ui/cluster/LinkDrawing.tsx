import { formatMilliseconds, formatNumber, withUnit } from "../../core/format.ts";
import styles from "./LinkDrawing.module.css";
import type { GraphEdge, LinkGraph } from "./link-graph.ts";
import { pathLabels } from "./path-labels.ts";

/** More labels would overlap; the table has all of them. */
const maxLabels = 10;

/** Ranks as circles, links as lines in the colour and pattern of their path. */
export function LinkDrawing({ graph }: { graph: LinkGraph }) {
  const { width, height, nodes, edges } = graph;
  const hasLabels =
    edges.length <= maxLabels && edges.some(({ megabytesPerSecond }) => megabytesPerSecond !== undefined);
  const paths = [...new Set(edges.map(({ path }) => path))];
  return (
    <figure className={styles.figure}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className={styles.drawing}
        role="img"
        aria-label={describeGraph(graph)}
      >
        {edges.map((edge) => (
          <line
            key={`${edge.from.id} ${edge.to.id}`}
            className={styles.edge}
            data-path={edge.path}
            x1={edge.from.x}
            y1={edge.from.y}
            x2={edge.to.x}
            y2={edge.to.y}
          >
            <title>{wordsOf(edge)}</title>
          </line>
        ))}
        {hasLabels &&
          edges.map(({ from, to, label, megabytesPerSecond }) =>
            megabytesPerSecond === undefined ? null : (
              <text key={`${from.id} ${to.id}`} className={styles.label} x={label.x} y={label.y}>
                {formatNumber(megabytesPerSecond, 2)}
              </text>
            ),
          )}
        {nodes.map(({ id, rank, x, y, isSelf }) => (
          <g
            key={id}
            className={styles.node}
            data-self={isSelf || undefined}
            transform={`translate(${x} ${y})`}
          >
            <circle r={16} />
            <text>{rank}</text>
          </g>
        ))}
      </svg>
      <figcaption className={styles.legend}>
        {paths.map((path) => (
          <span key={path} className={styles.entry}>
            <svg width="22" height="6" aria-hidden="true">
              <line className={styles.edge} data-path={path} x1="0" y1="3" x2="22" y2="3" />
            </svg>
            {pathLabels(path)}
          </span>
        ))}
        {hasLabels && <span>numbers: MB/s</span>}
      </figcaption>
    </figure>
  );
}

const describeGraph = ({ nodes, edges }: LinkGraph): string =>
  `${nodes.length} ranks. ${edges.map((edge) => `${wordsOf(edge)}.`).join(" ")}`;

function wordsOf({ from, to, path, megabytesPerSecond, roundTripUs }: GraphEdge): string {
  const figures =
    megabytesPerSecond === undefined || roundTripUs === undefined
      ? ""
      : `, ${withUnit(formatNumber(megabytesPerSecond, 3), "MB/s")}, round trip ${formatMilliseconds(roundTripUs / 1000)}`;
  return `${from.rank} to ${to.rank}: ${pathLabels(path)}${figures}`;
}
