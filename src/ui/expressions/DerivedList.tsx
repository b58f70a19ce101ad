import { formatBytes, formatMilliseconds, formatWithin } from "../../core/format.ts";
import type { DerivedSummary } from "../../engine/api.ts";
import { IconButton } from "../controls/IconButton.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { describeComponents, wholeField } from "../store/field-choice.ts";
import styles from "./DerivedList.module.css";

/** What has been computed for this data set, with what it took. */
export function DerivedList() {
  const derived = useApp(({ data }) => data.derived);
  if (derived.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Derived fields">
      {derived.map((field) => (
        <DerivedItem key={field.name} field={field} />
      ))}
    </ul>
  );
}

function DerivedItem({ field }: { field: DerivedSummary }) {
  const { surface, expressions } = useSession();
  const shown = useApp(({ surface }) => surface.settings?.field);
  const { name, expression, components, centering, statistics, bytes, ms } = field;
  const { min, max, nan } = statistics;
  return (
    <li className={styles.item} data-shown={shown === wholeField(field) || undefined}>
      <p className={styles.definition} title={`${name} = ${expression}`}>
        <button
          type="button"
          className={styles.name}
          aria-label={`Show ${name}`}
          onClick={() => void surface.showField(wholeField(field))}
        >
          {name}
        </button>{" "}
        = {expression}
      </p>
      <p className={styles.facts}>
        {describeComponents(components)}
        {centering === "cell" && ", cell"} · {formatWithin(min, statistics, 3)} …{" "}
        {formatWithin(max, statistics, 3)}
        {nan > 0 && ` · ${nan} NaN`} · {formatMilliseconds(ms)} · {formatBytes(bytes)}
      </p>
      <div className={styles.remove}>
        <IconButton
          label={`Remove ${name}`}
          icon="trash"
          side="left"
          size={28}
          onClick={() => void expressions.remove(name)}
        />
      </div>
    </li>
  );
}
