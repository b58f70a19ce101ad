import type { DataSet, Field } from "../../core/field.ts";
import type { UniformGrid } from "../../core/grid.ts";
import type { LatticeBrush } from "../../core/lattice/model.ts";
import type { LatticeBrushLimits, LatticePlane, LatticeState, LatticeSummary } from "./api.ts";
import type { LatticeDevice } from "./device.ts";
import { modelSummary } from "./models.ts";
import { nameOfLattice } from "./name.ts";
import type { LatticeSettings } from "./settings.ts";

const brushLimits = ({ min, max, isWhole, note }: LatticeBrush): LatticeBrushLimits => ({
  min,
  max,
  isWhole,
  ...(note === undefined ? {} : { note }),
});

/** What the page is told of a lattice. */
export function summaryOf(
  { model, size, seed, start, plan }: LatticeSettings,
  plane: LatticePlane,
  state: LatticeState,
): LatticeSummary {
  return {
    model: modelSummary(model, plan),
    size,
    seed,
    start,
    plane,
    brush: plan.brush && brushLimits(plan.brush),
    domains: plan.domains,
    state,
  };
}

/** A lattice as a data set of its shown sites: fields on a GPU have no values here. */
export function dataSetOf(
  { model, size, plan }: LatticeSettings,
  device: Pick<LatticeDevice, "value">,
  grid: UniformGrid,
): DataSet {
  const fields = Object.entries(plan.fields).map(([name, { components }]): Field => {
    const value = device.value(name);
    if (value?.kind === "host") return value.field;
    return { name, centering: "node", components, dtype: "f32", data: new Float32Array(0) };
  });
  return { name: nameOfLattice({ model: model.name, size }), grid, fields, notes: [] };
}
