import { formatCount, formatNumber } from "../../core/format.ts";
import type { RankedStatistics } from "../../engine/cluster/api.ts";
import styles from "./ResultsView.module.css";

type Results = RankedStatistics["results"];
type Numbers = readonly (readonly [name: string, value: number])[];

/** What the ranks have found: of one result its numbers in a row, of several a row for each. */
export function ResultsView({ results }: { results: Results }) {
  return results.length === 1 ? <OneResult result={results[0]} /> : <SeveralResults results={results} />;
}

function OneResult({ result: { name, value } }: { result: Results[number] }) {
  return (
    <dl className={styles.numbers} aria-label="Result of the ranks">
      {numbersOf(name, value).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{formatted(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

const columns = ["min", "max", "mean"] as const;

/** What is not finite, and what is no field, stands in words beneath: it is the exception. */
function SeveralResults({ results }: { results: Results }) {
  const fields = results.flatMap(({ name, value }) =>
    value.kind === "field" ? [{ name, statistics: value.statistics }] : [],
  );
  const others = results.filter(({ value }) => value.kind !== "field");
  return (
    <>
      {fields.length > 0 && (
        <section className={styles.scroller} aria-label="Ranges of the results">
          <table className={styles.table}>
            <caption className="visually-hidden">Results of the ranks</caption>
            <thead>
              <tr>
                {["Field", ...columns].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {fields.map(({ name, statistics }) => (
                <tr key={name}>
                  <th scope="row">
                    {name}
                    <NotFinite nan={statistics.nan} infinite={statistics.infinite} />
                  </th>
                  {columns.map((column) => (
                    <td key={column}>{formatted(statistics[column])}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {others.map((result) => (
        <OneResult key={result.name} result={result} />
      ))}
    </>
  );
}

function NotFinite({ nan, infinite }: { nan: number; infinite: number }) {
  const words = [
    ...(nan > 0 ? [`${formatCount(nan)} NaN`] : []),
    ...(infinite > 0 ? [`${formatCount(infinite)} infinite`] : []),
  ];
  return words.length > 0 && <span className={styles.words}>{words.join(", ")}</span>;
}

function numbersOf(name: string, value: Results[number]["value"]): Numbers {
  if (value.kind === "field") {
    const { min, max, mean, nan, infinite } = value.statistics;
    const all: Numbers = [
      [`${name}: min`, min],
      ["max", max],
      ["mean", mean],
      ["NaN", nan],
      ["infinite", infinite],
    ];
    return all.filter(([, count], k) => k < 3 || count > 0);
  }
  const { quantity } = value;
  if (quantity.kind === "histogram")
    return quantity.histogram.counts.map((count, bin) => [
      bin === 0 ? `${name}: bin 0` : `bin ${bin}`,
      count,
    ]);
  const { components } = quantity;
  return components.map((each, axis) => [components.length === 1 ? name : `${name} ${"xyz"[axis]}`, each]);
}

const formatted = (value: number): string =>
  Number.isInteger(value) ? formatCount(value) : formatNumber(value);
