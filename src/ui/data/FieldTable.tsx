import { Fragment } from "react";
import { formatCount, formatWithin } from "../../core/format.ts";
import type { FieldSummary } from "../../engine/api.ts";
import { Histogram } from "../controls/Histogram.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { describeComponents, wholeLabel } from "../store/field-choice.ts";
import styles from "./FieldTable.module.css";

const columns = ["Min", "Mean", "Max", "NaN"] as const;

/** The data set's fields with their statistics; a field's button unfolds its histogram. */
export function FieldTable() {
  const fields = useApp(({ data }) => data.dataSet?.fields ?? noFields);
  const selected = useApp(({ data }) => data.selected);
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">Fields</caption>
      <thead>
        <tr>
          <th scope="col">Field</th>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <Fragment key={field.name}>
            <FieldRow field={field} isSelected={field.name === selected} />
            {field.name === selected && <HistogramRow field={field} />}
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

const noFields: readonly FieldSummary[] = [];

function FieldRow({ field, isSelected }: { field: FieldSummary; isSelected: boolean }) {
  const { data } = useSession();
  const { name, components, centering, dtype, statistics } = field;
  return (
    <tr data-selected={isSelected || undefined}>
      <th scope="row">
        <button
          type="button"
          className={styles.name}
          aria-expanded={isSelected}
          onClick={() => void data.select(isSelected ? undefined : name)}
        >
          {name}
        </button>
        <span className={styles.kind}>
          {describeComponents(components)}, {centering}, {dtype}
        </span>
      </th>
      <td>{formatWithin(statistics.min, statistics, 3)}</td>
      <td>{formatWithin(statistics.mean, statistics, 3)}</td>
      <td>{formatWithin(statistics.max, statistics, 3)}</td>
      <td>{formatCount(statistics.nan)}</td>
    </tr>
  );
}

function HistogramRow({ field }: { field: FieldSummary }) {
  const histogram = useApp(({ data }) => data.histogram);
  const { infinite } = field.statistics;
  return (
    <tr data-selected>
      <td colSpan={1 + columns.length}>
        <div className={styles.histogram}>
          {histogram && <Histogram histogram={histogram} label={`Histogram of ${wholeLabel(field)}`} />}
        </div>
        <div className={styles.axis}>
          <span>{histogram && formatWithin(histogram.min, histogram)}</span>
          <span>
            {wholeLabel(field)}
            {infinite > 0 && `, ${formatCount(infinite)} infinite`}
          </span>
          <span>{histogram && formatWithin(histogram.max, histogram)}</span>
        </div>
      </td>
    </tr>
  );
}
