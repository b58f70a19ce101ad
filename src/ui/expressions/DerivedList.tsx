import { formatBytes, formatCount, formatMilliseconds, formatWithin } from "../../core/format.ts";
import type { Histogram as HistogramTable } from "../../core/histogram.ts";
import type { DerivedSummary, QuantitySummary } from "../../engine/api.ts";
import { wholeField } from "../../lang/expression/syntax/field-scalars.ts";
import { Histogram } from "../controls/Histogram.tsx";
import { IconButton } from "../controls/IconButton.tsx";
import { useApp, useSession } from "../session-context.tsx";
import { counted } from "../store/cluster-sentences.ts";
import { describeComponents } from "../store/field-choice.ts";
import { histogramField } from "../store/layers/state.ts";
import { describeNumber } from "../store/sentences.ts";
import styles from "./DerivedList.module.css";

/** The results computed for this data set, with their times. */
export function DerivedList() {
  const derived = useApp(({ data }) => data.derived);
  const quantities = useApp(({ data }) => data.quantities);
  return (
    <>
      {derived.length > 0 && (
        <ul className={styles.list} aria-label="Derived fields">
          {derived.map((field) => (
            <DerivedItem key={field.name} field={field} />
          ))}
        </ul>
      )}
      {quantities.length > 0 && (
        <ul className={`${styles.list} ${styles.tall}`} aria-label="Numbers and histograms">
          {quantities.map((result) => (
            <QuantityItem key={result.name} result={result} />
          ))}
        </ul>
      )}
    </>
  );
}

function DerivedItem({ field }: { field: DerivedSummary }) {
  const { layers } = useSession();
  const isShown = useApp((state) =>
    state.layers.list.some((layer) => histogramField(layer) === wholeField(field)),
  );
  const { name, expression, components, centering, statistics, bytes, ms, ranks } = field;
  const { min, max, nan, infinite } = statistics;
  return (
    <li className={styles.item} title={`${name} = ${expression}`} data-shown={isShown || undefined}>
      <button
        type="button"
        className={styles.definition}
        onClick={() => void layers.showField(wholeField(field))}
      >
        <span className="visually-hidden">Show </span>
        <span className={styles.name}>{name}</span> = {expression}
      </button>
      <p className={styles.facts}>
        {describeComponents(components)}
        {centering === "cell" && ", cell"} ·{" "}
        {Number.isFinite(min)
          ? `${formatWithin(min, statistics, 3)} … ${formatWithin(max, statistics, 3)}`
          : "no finite values"}
        {nan > 0 && ` · ${formatCount(nan)} NaN`}
        {infinite > 0 && ` · ${formatCount(infinite)} infinite`} ·{" "}
        {ranks === undefined
          ? `${formatMilliseconds(ms)} · ${formatBytes(bytes)}`
          : `computed on ${counted(ranks, "rank")} in ${formatMilliseconds(ms)}`}
      </p>
      <RemoveButton name={name} />
    </li>
  );
}

/** Shows a number with its value, or a histogram as a small plot. */
function QuantityItem({ result }: { result: QuantitySummary }) {
  const { name, expression, quantity } = result;
  return (
    <li className={styles.item} title={`${name} = ${expression}`}>
      <p className={styles.statement}>
        <span className={styles.name}>{name}</span> = {expression}
      </p>
      {quantity.kind === "number" ? (
        <p className={styles.value}>{describeNumber(quantity.components)}</p>
      ) : (
        <HistogramFacts name={name} histogram={quantity.histogram} />
      )}
      <RemoveButton name={name} />
    </li>
  );
}

function HistogramFacts({ name, histogram: { edges, counts } }: { name: string; histogram: HistogramTable }) {
  const range = { min: edges[0], max: edges[edges.length - 1] };
  const total = counts.reduce((sum, count) => sum + count, 0);
  return (
    <div className={styles.histogram}>
      <div className={styles.plot}>
        <Histogram histogram={{ ...range, counts }} label={`Histogram ${name}`} />
      </div>
      <p className={styles.facts}>
        {formatWithin(range.min, range)} … {formatWithin(range.max, range)} · {formatCount(counts.length)}{" "}
        bins · {formatCount(total)} values
      </p>
    </div>
  );
}

function RemoveButton({ name }: { name: string }) {
  const { expressions } = useSession();
  return (
    <div className={styles.remove}>
      <IconButton
        label={`Remove ${name}`}
        icon="trash"
        side="left"
        size={28}
        onClick={() => void expressions.remove(name)}
      />
    </div>
  );
}
