import { Button, Progress } from "@mantine/core";
import { formatBytes, formatMilliseconds, formatNumber } from "../../core/format.ts";
import type { ClusterMeasurement } from "../../engine/cluster/api.ts";
import { CopyButton } from "../controls/CopyButton.tsx";
import { Icon } from "../controls/icons.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { LinkDrawing } from "./LinkDrawing.tsx";
import styles from "./LinksView.module.css";
import { type LinkGraph, linkGraph, linkTable } from "./link-graph.ts";
import { pathLabels } from "./path-labels.ts";

/** The links between all ranks as a drawing, with their rates once they have been measured. */
export function LinksView() {
  const { cluster } = useSession();
  const { rank, measuring, measured } = useApp(({ cluster }) => cluster);
  const graph = linkGraph(rank?.members ?? [], measured);
  if (graph.nodes.length < 2) return null;
  const hasFigures = graph.edges.some(({ megabytesPerSecond }) => megabytesPerSecond !== undefined);
  return (
    <section className={styles.links} aria-labelledby="cluster-links">
      <div className={styles.head}>
        <h3 id="cluster-links" className={styles.heading}>
          Links
        </h3>
        {hasFigures && <CopyButton label="Copy as table" text={linkTable(graph)} />}
        {rank?.isHost && (
          <Button
            size="xs"
            variant="default"
            leftSection={<Icon name="gauge" size={14} />}
            disabled={measuring !== undefined}
            onClick={cluster.measure}
          >
            Measure links
          </Button>
        )}
      </div>
      {measuring !== undefined && <Progress size="sm" value={100 * measuring} aria-label="Links measured" />}
      <div className={styles.both}>
        <LinkDrawing graph={graph} />
        {hasFigures ? (
          <LinkTable graph={graph} measured={measured?.result} />
        ) : (
          <p className={styles.note}>
            {rank?.isHost
              ? "Measuring sends short and long messages over each link, one after the other; nobody can join meanwhile."
              : "The host can measure the links."}
          </p>
        )}
      </div>
    </section>
  );
}

function LinkTable({ graph, measured }: { graph: LinkGraph; measured: ClusterMeasurement | undefined }) {
  const contention = measured?.contention;
  return (
    <div className={styles.figures}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is to be scrolled by keys */}
      <section className={styles.scroller} aria-label="Measurements of the links" tabIndex={0}>
        <table className={styles.table}>
          <caption className="visually-hidden">Links as measured</caption>
          <thead>
            <tr>
              <th scope="col">Ranks</th>
              <th scope="col">Path</th>
              <th scope="col">MB/s</th>
              <th scope="col">Round trip</th>
            </tr>
          </thead>
          <tbody>
            {graph.edges.map(({ from, to, path, megabytesPerSecond, roundTripUs }) => (
              <tr key={`${from.id} ${to.id}`}>
                <th scope="row">
                  {from.rank} – {to.rank}
                </th>
                <td>{pathLabels(path)}</td>
                <td>{megabytesPerSecond === undefined ? "–" : formatNumber(megabytesPerSecond, 3)}</td>
                <td>{roundTripUs === undefined ? "–" : formatMilliseconds(roundTripUs / 1000)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {measured && (
        <p className={styles.note}>
          Summing 1 MiB over all ranks took {formatMilliseconds(measured.allreduceMs)}.
          {contention &&
            ` A message of ${formatBytes(contention.bytes)} takes ${formatMilliseconds(contention.aloneMs)} alone and ${formatMilliseconds(contention.togetherMs)} while all ranks send one; algorithms for sums are chosen by these times.`}
        </p>
      )}
    </div>
  );
}
