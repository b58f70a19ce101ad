import { memo, useEffect, useRef, useState } from "react";
import { formatNumber } from "../../core/format.ts";
import type { LatticeSummary } from "../../engine/api.ts";
import { LazyBoundary, lazyPart } from "../controls/LazyBoundary.tsx";
import { useSession } from "../session-context.tsx";
import { toPlainError } from "../store/plain-error.ts";
import styles from "./SimulationPanel.module.css";
import { followStructure, maxStructureSites } from "./structure-client.ts";
import {
  domainChart,
  noSeries,
  type StructureAt,
  type StructureSeries,
  structureChart,
  withStructure,
} from "./structure-series.ts";

const chart = lazyPart("The charts", () => import("../charts/Chart.tsx"));

interface Props {
  readonly summary: LatticeSummary;
  /** Another number whenever the lattice has changed. */
  readonly version: number;
}

/** The structure factor of what is shown and the size of its domains, taken while this is unfolded. */
export function StructureView({ summary, version }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { axes } = summary.plane;
  const sites = axes.reduce((product, axis) => product * summary.size[axis], 1);
  return (
    <details className={styles.variation} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>Structure factor and domain size</summary>
      {isOpen &&
        (sites > maxStructureSites ? (
          <p className={styles.about}>
            They are taken of up to {maxStructureSites.toLocaleString("en")} sites; crinkle simulate takes
            those of larger lattices.
          </p>
        ) : (
          <StructureCharts summary={summary} version={version} />
        ))}
    </details>
  );
}

function StructureCharts({ summary, version }: Props) {
  const { engine } = useSession();
  const [series, setSeries] = useState(noSeries);
  const [problem, setProblem] = useState<string>();
  const present = useRef(version);
  present.current = version;
  useEffect(
    () =>
      followStructure(
        engine.lattice,
        () => present.current,
        (at) => setSeries((former) => withStructure(former, at)),
        (error) => setProblem(toPlainError(error).problem),
      ),
    [engine],
  );
  if (problem !== undefined) return <p className={styles.note}>{problem}</p>;
  if (!series.latest) return <p className={styles.about}>It is being taken …</p>;
  const [field] = Object.values(summary.model.fields);
  const isCut = summary.size.length > summary.plane.axes.length;
  return <Drawn series={series} latest={series.latest} field={field.label} isCut={isCut} />;
}

interface DrawnProps {
  readonly series: StructureSeries;
  readonly latest: StructureAt;
  readonly field: string;
  /** Whether what is shown is a part of the lattice. */
  readonly isCut: boolean;
}

/** Drawn anew with each structure factor alone, which come less often than sweeps. */
const Drawn = memo(function Drawn({ series, latest, field, isCut }: DrawnProps) {
  const where = isCut ? " of the sites that are shown" : "";
  const size = formatNumber(latest.structure.domainSize);
  return (
    <div className={styles.charts}>
      <p className={styles.about}>
        After sweep {latest.sweeps.toLocaleString("en")}, domains{where} are {size} sites wide.
      </p>
      <LazyBoundary part={chart} wish="shown">
        {({ default: Chart }) => (
          <>
            <Chart
              data={structureChart(latest, field)}
              summary={`S(k)${where} after sweep ${latest.sweeps}`}
            />
            <Chart
              data={domainChart(series)}
              summary={`domain size in sites${where} by sweep; the latest is ${size}`}
            />
          </>
        )}
      </LazyBoundary>
    </div>
  );
});
