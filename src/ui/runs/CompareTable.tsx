import { formatBytes, formatCount, formatMilliseconds } from "../../core/format.ts";
import type { ComparisonRow, StrategyName } from "../../engine/api.ts";
import styles from "./CompareTable.module.css";
import { describeDifference, movedBytes, scalesOf } from "./counters.ts";

interface Props {
  readonly rows: readonly ComparisonRow[];
  /** The strategy that the automatic choice takes. */
  readonly chosen: StrategyName | undefined;
}

/** A row per strategy with its time and peak memory as bars, or the sentence that says why it cannot run. */
export function CompareTable({ rows, chosen }: Props) {
  const scales = scalesOf(rows);
  return (
    <div className={styles.scroller}>
      <table className={styles.table}>
        <caption className="visually-hidden">Strategies compared</caption>
        <thead>
          <tr>
            <th scope="col">Strategy</th>
            <th scope="col" className={styles.wide}>
              Time
            </th>
            <th scope="col" className={styles.wide}>
              Peak memory
            </th>
            <th scope="col">Kernels</th>
            <th scope="col">Uploads</th>
            <th scope="col">Downloads</th>
            <th scope="col">Moved</th>
            <th scope="col">Values</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.strategy} data-refused={row.kind === "refused" || undefined}>
              <th scope="row">
                {row.strategy}{" "}
                {row.kind === "run" && row.run.blocks > 1 && (
                  <span className={styles.blocks}>{formatCount(row.run.blocks)} blocks </span>
                )}
                {row.strategy === chosen && <span className={styles.chosen}>automatic</span>}
              </th>
              {row.kind === "run" ? (
                <Cells row={row} scales={scales} />
              ) : (
                <td colSpan={7}>
                  <p className={styles.refusal}>
                    {row.error.problem} {row.error.remedy}
                  </p>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CellsProps {
  readonly row: Extract<ComparisonRow, { kind: "run" }>;
  readonly scales: ReturnType<typeof scalesOf>;
}

function Cells({ row: { run, difference }, scales }: CellsProps) {
  return (
    <>
      <td>
        <Bar share={run.ms / scales.ms} text={formatMilliseconds(run.ms)} />
      </td>
      <td>
        <Bar share={run.peakBytes / scales.peakBytes} text={formatBytes(run.peakBytes)} />
      </td>
      <td>{formatCount(run.kernels)}</td>
      <td>{formatCount(run.uploads)}</td>
      <td>{formatCount(run.downloads)}</td>
      <td>{formatBytes(movedBytes(run))}</td>
      <td>{describeDifference(difference)}</td>
    </>
  );
}

function Bar({ share, text }: { share: number; text: string }) {
  return (
    <div className={styles.measure}>
      <span className={styles.number}>{text}</span>
      <span className={styles.track}>
        <span className={styles.bar} style={{ width: `${100 * share}%` }} />
      </span>
    </div>
  );
}
