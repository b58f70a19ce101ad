import { Button, NativeSelect, TextInput } from "@mantine/core";
import { type SubmitEvent, useMemo, useState } from "react";
import type {
  LatticeModelSummary,
  LatticePoint,
  LatticeSummary,
  LatticeVariation,
} from "../../engine/api.ts";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";
import { useApp, useSession } from "../session-context.tsx";
import styles from "./SimulationPanel.module.css";
import { curvesOf, readVariation, type VariationForm, variationFor } from "./variation-form.ts";

const chart = lazyPart("The charts", () => import("../charts/Chart.tsx"));

interface Props {
  readonly summary: LatticeSummary;
  readonly parameters: Readonly<Record<string, number>>;
}

/** Runs the model at several values of a parameter and on several sizes, and draws what is measured. */
export function VariationView({ summary: { model, size }, parameters }: Props) {
  const [form, setForm] = useState<VariationForm | undefined>(() => variationFor(model, size.length));
  const { lattice } = useSession();
  const isBusy = useApp(({ job }) => job !== undefined);
  const [run, setRun] = useState<LatticeVariation>();
  const [points, setPoints] = useState<readonly LatticePoint[]>([]);
  if (!form) return null;
  const change = (part: Partial<VariationForm>) => setForm({ ...form, ...part });
  const reading = readVariation(model, form, parameters);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (!("variation" in reading)) return;
    setRun(reading.variation);
    setPoints([]);
    void lattice.vary(reading.variation, (point) => setPoints((former) => [...former, point]));
  };
  const field = (name: keyof VariationForm, label: string) => (
    <TextInput
      size="xs"
      label={label}
      value={form[name]}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  );
  return (
    <details className={styles.variation}>
      <summary>Vary a parameter</summary>
      <form className={styles.form} onSubmit={submit}>
        <NativeSelect
          size="xs"
          label="Parameter"
          value={form.parameter}
          onChange={({ currentTarget }) => change({ parameter: currentTarget.value })}
          data={model.parameters
            .filter(({ isFixed }) => !isFixed)
            .map(({ name, label }) => ({ value: name, label }))}
        />
        {field("count", "Values")}
        {field("from", "From")}
        {field("to", "To")}
        {field("sizes", "Sizes")}
        {field("sweeps", "Sweeps of a run")}
        {"problem" in reading && (
          <p className={styles.note} aria-live="polite">
            {reading.problem}
          </p>
        )}
        <Button type="submit" size="xs" variant="default" disabled={!("variation" in reading) || isBusy}>
          Measure
        </Button>
      </form>
      {run && points.length > 0 && <Curves model={model} points={points} run={run} />}
    </details>
  );
}

interface CurvesProps {
  readonly model: LatticeModelSummary;
  readonly points: readonly LatticePoint[];
  readonly run: LatticeVariation;
}

function Curves({ model, points, run }: CurvesProps) {
  const charts = useMemo(
    () => Object.keys(points[0].measures).map((measure) => curvesOf(model, points, measure, run)),
    [model, points, run],
  );
  const varied = model.parameters.find(({ name }) => name === run.parameter)?.label ?? run.parameter;
  return (
    <div className={styles.charts}>
      {charts.map((data) => (
        <LazyBoundary key={data.title} part={chart} wish="shown">
          {({ default: Chart }) => (
            <Chart
              data={data}
              height={190}
              summary={`${data.title} by ${varied.toLowerCase()}, of ${points.length} runs`}
            />
          )}
        </LazyBoundary>
      ))}
    </div>
  );
}
