import { useMemo } from "react";
import { formatMilliseconds } from "../../core/format.ts";
import type { RankTrace } from "../../core/rank-trace.ts";
import type { RankReport } from "../../engine/cluster/api.ts";
import { Notes } from "../controls/Notes.tsx";
import { cellsOf, divisionSentence } from "./block-words.ts";
import { costWords, totalSentence } from "./cost-words.ts";
import styles from "./LanesView.module.css";
import { type LanePaths, lanePaths, laneWidth } from "./lane-paths.ts";
import { OperationsTable } from "./OperationsTable.tsx";

const activities = [
  ["read", "reading", styles.read],
  ["compute", "computing", styles.compute],
  ["pack", "packing", styles.pack],
  ["send", "sending", styles.send],
  ["wait", "waiting", styles.wait],
] as const;

/** Lanes on one scale of time, one for each rank, of what it did and when; and what each operation has cost. */
export function LanesView({ ranks, trace }: { ranks: readonly RankReport[]; trace: RankTrace }) {
  const { ms, lanes } = useMemo(() => lanePaths(trace), [trace]);
  return (
    <>
      <div className={styles.scroller}>
        <table className={styles.table}>
          <caption className="visually-hidden">What each rank did</caption>
          <thead>
            <tr>
              <th scope="col">Rank</th>
              <th scope="col" className={styles.wide}>
                Device
              </th>
              <th scope="col" className={styles.wide}>
                Cells
              </th>
              <th scope="col">
                <span className={styles.axis}>
                  <span>What it did</span>
                  <span>{formatMilliseconds(ms)}</span>
                </span>
              </th>
            </tr>
          </thead>
          <tbody>
            {ranks.map((report) => (
              <Lane
                key={report.rank}
                report={report}
                cells={cellsOf(report, ranks)}
                paths={lanes[report.rank]}
              />
            ))}
          </tbody>
        </table>
      </div>
      <ul className={styles.legend} aria-label="Colours of the lanes">
        {activities.map(([activity, name, color]) => (
          <li key={activity}>
            <svg className={styles.swatch} viewBox="0 0 1 1" aria-hidden="true">
              <path className={color} d="M0 0h1v1h-1z" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <p className={styles.division}>{[divisionSentence(ranks), ...totalSentence(ranks)].join(" ")}</p>
      {isCut(ranks, trace) && (
        <Notes
          notes={["The lanes show only the beginning of each rank's work; the numbers cover all of it."]}
        />
      )}
      <OperationsTable trace={trace} />
    </>
  );
}

interface LaneProps {
  readonly report: RankReport;
  readonly cells: string;
  readonly paths: LanePaths | undefined;
}

function Lane({ report, cells, paths }: LaneProps) {
  const { rank, device, ms } = report;
  const times = activities
    .filter(([activity]) => ms[activity] > 0)
    .map(([activity, name]) => `${formatMilliseconds(ms[activity])} ${name}`)
    .join(", ");
  const words = `${times}; ${costWords(report)}`;
  return (
    <tr>
      <th scope="row">{rank}</th>
      <td className={styles.wide}>{device}</td>
      <td className={styles.wide}>{cells}</td>
      <td className={styles.cell}>
        <svg
          className={styles.lane}
          viewBox={`0 0 ${laneWidth} 1`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`Lane of rank ${rank}: ${times}`}
        >
          {activities.map(([activity, , color]) => (
            <path key={activity} className={color} d={paths?.get(activity) ?? ""} />
          ))}
        </svg>
        <span className={styles.words}>{words}</span>
        <span className={styles.narrow}>
          {device}, cells {cells}
        </span>
      </td>
    </tr>
  );
}

/** Whether ranks did more than what they have kept spans of. */
const isCut = (ranks: readonly RankReport[], trace: RankTrace): boolean =>
  ranks.some(({ rank, ms }) => {
    const all = Object.values(ms).reduce((sum, each) => sum + each, 0);
    const kept = trace[rank]?.reduce((sum, { start, end }) => sum + end - start, 0) ?? 0;
    return kept < 0.99 * all;
  });
