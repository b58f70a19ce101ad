import { Fragment, useState } from "react";
import { formatCount, formatWithin } from "../../core/format.ts";
import type { FieldSummary } from "../../engine/api.ts";
import { componentIndex } from "../../lang/expression/syntax/field-scalars.ts";
import { Histogram } from "../controls/Histogram.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { describeComponents, wholeLabel } from "../store/field-choice.ts";
import styles from "./FieldTable.module.css";
import { matchingFields } from "./matching-fields.ts";

const columns = ["Min", "Mean", "Max", "NaN"] as const;
/** Above this number of fields, a name filter appears. */
const fewFields = 12;

/** The data set's fields with their statistics. A field's button unfolds its type and histogram. */
export function FieldTable() {
  const fields = useApp(({ data }) => data.dataSet?.fields ?? noFields);
  const selected = useApp(({ data }) => data.selected);
  const heading = useApp(({ data }) => (data.dataSet?.points ? "Column" : "Field"));
  const [pattern, setPattern] = useState("");
  const isLong = fields.length > fewFields;
  const shown = isLong ? matchingFields(fields, pattern) : fields;
  return (
    <div className={styles.scroll}>
      <table className={styles.table}>
        <caption className="visually-hidden">Fields</caption>
        <thead>
          <tr>
            <th scope="col">
              {isLong ? (
                <input
                  type="search"
                  className={styles.filter}
                  aria-label="Filter fields"
                  placeholder={`Filter ${formatCount(fields.length)} fields`}
                  value={pattern}
                  onChange={({ currentTarget }) => setPattern(currentTarget.value)}
                />
              ) : (
                heading
              )}
            </th>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((field) => (
            <Fragment key={field.name}>
              <FieldRow field={field} isSelected={field.name === selected} />
              {field.name === selected && <DetailRow field={field} />}
            </Fragment>
          ))}
          {shown.length === 0 && (
            <tr>
              <td colSpan={1 + columns.length}>No field name contains “{pattern.trim()}”.</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}

const noFields: readonly FieldSummary[] = [];

function FieldRow({ field, isSelected }: { field: FieldSummary; isSelected: boolean }) {
  const { data } = useSession();
  const { name, statistics } = field;
  return (
    <tr data-selected={isSelected || undefined}>
      <th scope="row">
        <button
          type="button"
          className={styles.name}
          data-magnitude={statistics.componentRanges ? true : undefined}
          title={`${name}: ${describeKind(field)}`}
          aria-expanded={isSelected}
          onClick={() => void data.select(isSelected ? undefined : name)}
        >
          {name}
        </button>
      </th>
      <td>{formatWithin(statistics.min, statistics, 3)}</td>
      <td>{formatWithin(statistics.mean, statistics, 3)}</td>
      <td>{formatWithin(statistics.max, statistics, 3)}</td>
      <td>{formatCount(statistics.nan)}</td>
    </tr>
  );
}

function describeKind({ components, centering, dtype }: FieldSummary): string {
  return `${describeComponents(components)}, ${centering}, ${dtype}`;
}

function DetailRow({ field }: { field: FieldSummary }) {
  const histogram = useApp(({ data }) => data.histogram);
  const { infinite, componentRanges } = field.statistics;
  const label = wholeLabel(field);
  return (
    <tr data-selected>
      <td colSpan={1 + columns.length} className={styles.detail}>
        <div className={styles.narrow}>
          <p className={styles.kind}>
            {describeKind(field)}
            {infinite > 0 && `, ${formatCount(infinite)} infinite`}
            {componentRanges && ". Min, mean and max are the magnitude’s; the components have these ranges:"}
          </p>
          {componentRanges && (
            <dl className={styles.components}>
              {componentRanges.map(([min, max], c) => (
                <div key={componentIndex(c, field.components)}>
                  <dt>{componentIndex(c, field.components)}</dt>
                  <dd>
                    {formatWithin(min, { min, max }, 3)} … {formatWithin(max, { min, max }, 3)}
                  </dd>
                </div>
              ))}
            </dl>
          )}
          <div className={styles.histogram}>
            {histogram && <Histogram histogram={histogram} label={`Histogram of ${label}`} />}
          </div>
          <div className={styles.axis}>
            <span>{histogram && formatWithin(histogram.min, histogram)}</span>
            <span title={label}>{label}</span>
            <span>{histogram && formatWithin(histogram.max, histogram)}</span>
          </div>
        </div>
      </td>
    </tr>
  );
}
