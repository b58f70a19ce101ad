/** The structure factor of a lattice that runs, and the size of its domains over the sweeps, for charts of bounded size. */
import type { StructureFactor } from "../../core/lattice/structure-factor.ts";
import type { ChartData } from "../charts/chart-data.ts";

/** Points of the domains' chart at most; then every second one is dropped. */
const maxPoints = 1024;

export interface StructureAt {
  readonly sweeps: number;
  readonly structure: StructureFactor;
}

/** What has been taken so far. Sweeps grow; where they do not, the lattice is another one. */
export interface StructureSeries {
  readonly latest: StructureAt | undefined;
  readonly sweeps: readonly number[];
  readonly domainSizes: readonly number[];
}

export const noSeries: StructureSeries = { latest: undefined, sweeps: [], domainSizes: [] };

export function withStructure(series: StructureSeries, latest: StructureAt): StructureSeries {
  const { sweeps, structure } = latest;
  const last = series.latest?.sweeps ?? -1;
  const isSame = sweeps === last;
  const isAnother = sweeps < last;
  const thinned = <T>(values: readonly T[]) =>
    values.length < maxPoints ? values : values.filter((_, k) => k % 2 === 0);
  const before = <T>(values: readonly T[]) =>
    isAnother ? [] : isSame ? values.slice(0, -1) : thinned(values);
  return {
    latest,
    sweeps: [...before(series.sweeps), sweeps],
    domainSizes: [...before(series.domainSizes), structure.domainSize],
  };
}

/** The structure factor by wave number, of the shells that have wave vectors. */
export function structureChart({ structure }: StructureAt, field: string): ChartData {
  const shells = [...structure.values.keys()].filter((k) => Number.isFinite(structure.values[k]));
  return {
    title: `Structure factor of ${field}`,
    xName: "Wave number k (radians per site)",
    yName: "S(k)",
    lines: [
      {
        name: "S(k)",
        x: shells.map((k) => structure.wavenumbers[k]),
        y: shells.map((k) => structure.values[k]),
      },
    ],
  };
}

export const domainChart = ({ sweeps, domainSizes }: StructureSeries): ChartData => ({
  title: "Domain size",
  xName: "Sweep",
  yName: "Domain size (sites)",
  lines: [{ name: "Domain size", x: sweeps, y: domainSizes }],
});
