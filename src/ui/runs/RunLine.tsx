import { formatBytes, formatCount, formatMilliseconds } from "../../core/format.ts";
import type { RunSummary } from "../../engine/api.ts";
import styles from "./RunLine.module.css";

/** The cost of the last computation in one line, with the reason for its strategy. A click opens the inspector. */
export function RunLine({ run, onInspect }: { run: RunSummary; onInspect: () => void }) {
  const { strategy, reason, blocks, kernels, uploads, downloads, peakBytes, ms } = run;
  return (
    <div className={styles.run}>
      <table className={styles.table}>
        <caption className="visually-hidden">The last computation</caption>
        <thead>
          <tr>
            <th scope="col">Strategy</th>
            <th scope="col">Kernels</th>
            <th scope="col" aria-label="Uploads">
              Up
            </th>
            <th scope="col" aria-label="Downloads">
              Down
            </th>
            <th scope="col" aria-label="Peak bytes">
              Peak
            </th>
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>
              <button
                type="button"
                className={styles.strategy}
                aria-label={`${strategy}: inspect this run`}
                onClick={onInspect}
              >
                {strategy}
              </button>
            </td>
            <td>{formatCount(kernels)}</td>
            <td>{formatCount(uploads)}</td>
            <td>{formatCount(downloads)}</td>
            <td>{formatBytes(peakBytes)}</td>
            <td>{formatMilliseconds(ms)}</td>
          </tr>
        </tbody>
      </table>
      {(reason !== undefined || blocks > 1) && (
        <p className={styles.reason} title={reason}>
          {blocks > 1 && `In ${formatCount(blocks)} blocks${reason === undefined ? "." : "; "}`}
          {reason}
        </p>
      )}
    </div>
  );
}
