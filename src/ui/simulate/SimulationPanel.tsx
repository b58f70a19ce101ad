import { useApp } from "../session-context.tsx";
import { AxesSelect } from "./AxesSelect.tsx";
import { BrushControls } from "./BrushControls.tsx";
import { FieldList } from "./FieldList.tsx";
import { MeasureCharts } from "./MeasureCharts.tsx";
import { ParameterSliders } from "./ParameterSliders.tsx";
import { PlaceSliders } from "./PlaceSliders.tsx";
import { RunControls } from "./RunControls.tsx";
import styles from "./SimulationPanel.module.css";
import { StructureView } from "./StructureView.tsx";
import { VariationView } from "./VariationView.tsx";

/** Runs the open lattice, changes its parameters and shows what is measured. */
export default function SimulationPanel() {
  const summary = useApp(({ data }) => data.dataSet?.lattice);
  const lattice = useApp(({ lattice }) => lattice);
  if (!summary || !lattice) return null;
  const { state } = lattice;
  return (
    <div className={styles.panel}>
      <p className={styles.about}>
        <span title={summary.model.name}>{summary.model.title}</span>, {summary.size.join(" × ")} sites, seed{" "}
        {summary.seed}, {summary.start} start.
      </p>
      <RunControls state={state} />
      <ParameterSliders
        axes={summary.size.length}
        parameters={summary.model.parameters}
        values={state.parameters}
      />
      <AxesSelect size={summary.size} axes={summary.plane.axes} />
      <PlaceSliders size={summary.size} plane={summary.plane} />
      {summary.brush && <BrushControls limits={summary.brush} brush={lattice.brush} />}
      {state.unrepeatable && <p className={styles.note}>{state.unrepeatable}</p>}
      <MeasureCharts lattice={lattice} model={summary.model} />
      <StructureView
        key={`${summary.model.name} ${summary.size}`}
        summary={summary}
        version={lattice.version}
      />
      <FieldList fields={summary.model.fields} />
      <VariationView key={summary.model.name} summary={summary} parameters={state.parameters} />
    </div>
  );
}
