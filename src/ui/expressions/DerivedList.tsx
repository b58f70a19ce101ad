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
    <li
      className={styles.item}
      title={`${name} = ${expression}`}
      data-shown={shown === wholeField(field) || undefined}
    >
      <button
        type="button"
        className={styles.definition}
        onClick={() => void surface.showField(wholeField(field))}
      >
        <span className="visually-hidden">Show </span>
        <span className={styles.name}>{name}</span> = {expression}
      </button>
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
