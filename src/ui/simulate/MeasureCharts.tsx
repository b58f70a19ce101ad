import { NativeSelect } from "@mantine/core";
import { useEffect, useMemo, useState } from "react";
import { formatNumber } from "../../core/format.ts";
import type { Described, LatticeModelSummary } from "../../engine/api.ts";
import { type ChartData, withUnit } from "../charts/chart-data.ts";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";
import type { LatticeView } from "../store/lattice.ts";
import styles from "./SimulationPanel.module.css";

const chart = lazyPart("The charts", () => import("../charts/Chart.tsx"));

/** Charts are drawn anew no more often. */
const redrawMs = 250;

interface Props {
  readonly lattice: LatticeView;
  readonly model: LatticeModelSummary;
}

/** What is measured, sweep by sweep: a chart of one quantity or of each. */
export function MeasureCharts({ lattice: { history, version }, model }: Props) {
  const [chosen, setChosen] = useState("");
  const shown = useLatest(version, redrawMs);
  const { names } = history;
  if (names.length === 0) return <p className={styles.about}>Charts begin with the first sweep.</p>;
  const labelOf = (name: string) => model.quantities[name]?.label ?? name;
  const drawn = chosen && names.includes(chosen) ? [chosen] : names.slice(0, 2);
  return (
    <div className={styles.charts}>
      {names.length > 1 && (
        <NativeSelect
          size="xs"
          label="Chart"
          value={chosen}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={[
            { value: "", label: names.slice(0, 2).map(labelOf).join(" and ") },
            ...names.map((name) => ({ value: name, label: labelOf(name) })),
          ]}
        />
      )}
      {drawn.map((name) => (
        <QuantityChart
          key={name}
          name={name}
          described={model.quantities[name] ?? { label: name, meaning: name }}
          history={history}
          version={shown}
        />
      ))}
    </div>
  );
}

interface QuantityProps {
  readonly name: string;
  readonly described: Described;
  readonly history: LatticeView["history"];
  readonly version: number;
}

function QuantityChart({ name, described: { label, meaning, unit }, history, version }: QuantityProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the history grows in place, and the version says when
  const data = useMemo<ChartData>(
    () => ({
      title: label,
      xName: "Sweep",
      yName: withUnit(label, unit),
      lines: [{ name: label, x: history.sweeps(), y: history.values(name) }],
    }),
    [name, label, unit, history, version],
  );
  const last = data.lines[0].y[data.lines[0].y.length - 1];
  const summary = `${meaning} by sweep${last === undefined ? "" : `; the latest is ${formatNumber(last)}`}`;
  return (
    <LazyBoundary part={chart} wish="shown">
      {({ default: Chart }) => <Chart data={data} summary={summary} />}
    </LazyBoundary>
  );
}

/** The value as it was at most so many milliseconds ago. */
function useLatest(value: number, everyMs: number): number {
  const [shown, setShown] = useState(value);
  const isBehind = shown !== value;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one timer runs until it has fired, whatever the value does meanwhile
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(() => setShown(latest.current.value), everyMs);
    return () => clearTimeout(timer);
  }, [isBehind, shown, everyMs]);
  const [latest] = useState(() => ({ current: { value } }));
  latest.current.value = value;
  return shown;
}
