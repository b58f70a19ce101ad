import { formatCount, formatMilliseconds, formatNumber, withUnit } from "../../core/format.ts";
import styles from "./BenchTable.module.css";
import { plainName } from "./plain-name.ts";
import type { BenchLine } from "./use-bench.ts";

/** The ratio at which bars end: transfers within caches can beat the copy. */
const widest = 1.2;

/** One row per case, with its rate as a bar; the line across all bars marks the copy's rate. */
export function BenchTable({ lines }: { lines: readonly BenchLine[] }) {
  return (
    <div className={styles.scroller}>
      <table className={styles.table}>
        <caption className="visually-hidden">Rates of the primitives compared with the copy rate</caption>
        <thead>
          <tr>
            <th scope="col">Case</th>
            <th scope="col">Elements</th>
            <th scope="col">Time</th>
            <th scope="col">10⁹/s</th>
            <th scope="col">GB/s</th>
            <th scope="col" className={styles.rates}>
              Share of copy rate
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) =>
            line.kind === "row" ? (
              <Row key={line.row.name} line={line} />
            ) : (
              <tr key={line.name} className={styles.failed}>
                <th scope="row">{plainName(line.name)}</th>
                <td colSpan={5}>{line.error.problem}</td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

const formatShare = (share: number): string =>
  share < 0.01 ? withUnit("<\u00a01", "%") : withUnit(Math.round(100 * share), "%");

function Row({ line: { row } }: { line: Extract<BenchLine, { kind: "row" }> }) {
  const { name, n, ms, gbs, ratioToCopy, verified } = row;
  return (
    <tr>
      <th scope="row">
        {plainName(name)}
        {!verified && <span className={styles.wrong}> wrong result</span>}
      </th>
      <td>{formatCount(n)}</td>
      <td>{formatMilliseconds(ms)}</td>
      <td>{formatNumber(n / ms / 1e6, 3)}</td>
      <td>{formatNumber(gbs, 3)}</td>
      <td>
        <div className={styles.rate}>
          <span className={styles.track}>
            <span
              className={styles.bar}
              style={{ width: `${(100 * Math.min(widest, ratioToCopy)) / widest}%` }}
            />
            <span className={styles.copy} style={{ left: `${100 / widest}%` }} />
          </span>
          <span className={styles.percent}>{formatShare(ratioToCopy)}</span>
        </div>
      </td>
    </tr>
  );
}
