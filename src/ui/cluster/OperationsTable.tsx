import { useMemo } from "react";
import { formatBytes, formatCount, formatMilliseconds } from "../../core/format.ts";
import { operationsOf, type RankTrace } from "../../core/rank-trace.ts";
import styles from "./LanesView.module.css";

/** Rows beyond cost next to nothing. */
const maxRows = 12;

const times = ["read", "compute", "pack", "send", "wait"] as const;
const columns = ["Operation", "Messages", "Bytes", "Reading", "Computing", "Packing", "Sending", "Waiting"];

/** Messages, bytes and times of what the ranks did, of all of them together; what took longest comes first. */
export function OperationsTable({ trace }: { trace: RankTrace }) {
  const operations = useMemo(() => operationsOf([trace]), [trace]);
  return (
    <details className={styles.operations}>
      <summary>Operations</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what is wider than the panel. */}
      <section className={styles.scroller} aria-label="Costs of operations" tabIndex={0}>
        <table className={styles.costs}>
          <caption className="visually-hidden">What each operation has cost all ranks together</caption>
          <thead>
            <tr>
              {columns.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {operations.slice(0, maxRows).map(({ name, messages, bytes, ms }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{messages > 0 && formatCount(messages)}</td>
                <td>{bytes > 0 && formatBytes(bytes)}</td>
                {times.map((each) => (
                  <td key={each}>{ms[each] > 0 && formatMilliseconds(ms[each])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
