import type { LatticeSummary } from "../../engine/api.ts";
import styles from "./SimulationPanel.module.css";

/** What the sites show, and by which names expressions read it. */
export function FieldList({ fields }: { fields: LatticeSummary["model"]["fields"] }) {
  return (
    <details className={styles.variation}>
      <summary>Fields</summary>
      <dl className={styles.fields}>
        {Object.entries(fields).map(([name, { label, meaning }]) => (
          <div key={name}>
            <dt>
              {label} <code>{name}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
