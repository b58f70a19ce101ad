import { formatWithin } from "../../core/format.ts";
import type { FieldSummary } from "../../engine/api.ts";
import { withoutQuotes } from "../../lang/expression/syntax/quoting.ts";
import { isFlat } from "../store/defaults.ts";
import { factsOf, selectedLayer, shownTriangles } from "../store/layers/state.ts";
import { allFields } from "../store/select.ts";
import { whyNoIsosurface, whyNoneVaries } from "../store/sentences.ts";
import type { AppState } from "../store/state.ts";

/** Why the picture is empty, and what can be done about it. */
export interface StageText {
  readonly sentence: string;
  readonly detail?: string;
  readonly action?: "open" | "show" | "resetIsovalue" | "reload";
}

/** Returns undefined if there is something to see. */
export function stageText(state: AppState): StageText | undefined {
  const { device, data, layers, job } = state;
  if (device.phase === "starting") return { sentence: "Opening the GPU…" };
  if (device.phase === "lost") {
    return { sentence: "The picture is gone: the GPU or the engine was lost.", action: "reload" };
  }
  if (device.summary?.kind === "cpu") {
    return {
      sentence: `No picture here. ${device.summary.problem?.problem ?? "The GPU is not used."}`,
      detail: "Data, expressions and mesh export still work, on the CPU.",
    };
  }
  const { dataSet } = data;
  if (!dataSet) {
    return job
      ? { sentence: "Reading the data…" }
      : { sentence: "Nothing is open. Drop a file on the page, or choose one.", action: "open" };
  }
  if (layers.list.every(({ id }) => factsOf(layers, id).isPending)) {
    if (layers.list.length > 0 || job) return { sentence: "Making the first picture…" };
    if (dataSet.points)
      return { sentence: "No points are shown.", detail: "Add them with the plus beside Layers." };
    if (dataSet.grid && isFlat(dataSet.grid)) {
      return {
        sentence: "No image of this flat grid is shown.",
        detail: "Add one with the plus beside Layers.",
      };
    }
    if (dataSet.fields.length === 0) return { sentence: "This data set has a grid but no fields." };
    return withoutSurface(allFields(state));
  }
  return emptySurface(state);
}

/** The message if no surface has been requested: some field may have one, or none has. */
function withoutSurface(fields: readonly FieldSummary[]): StageText {
  const why = whyNoneVaries(fields);
  if (!why) return { sentence: "No surface yet.", action: "show" };
  return {
    sentence: why,
    detail: fields.some(({ components }) => components > 1)
      ? "A component may have one: choose it as the surface field."
      : "The statistics are in the panels; an expression, such as coords[0], may vary.",
  };
}

/** The message if an empty isosurface is all that is shown. */
function emptySurface({ layers }: AppState): StageText | undefined {
  const layer = selectedLayer(layers);
  if (layer?.shape.kind !== "isosurface" || shownTriangles(layers)) return undefined;
  const { field: statistics, counts } = factsOf(layers, layer.id);
  if (!statistics) return undefined;
  const why = whyNoIsosurface(layer.shape.field, statistics);
  if (why) return { sentence: why, detail: "Choose another field, or compute one." };
  if (counts?.triangles !== 0 || !layer.isVisible) return undefined;
  const { min, max } = statistics;
  const field = withoutQuotes(layer.shape.field);
  const [isovalue] = layer.shape.isovalues;
  return {
    sentence: `The surface is empty at isovalue ${formatWithin(counts.isovalue ?? isovalue, statistics)}.`,
    detail: `${field} lies between ${formatWithin(min, statistics)} and ${formatWithin(max, statistics)}.`,
    action: "resetIsovalue",
  };
}
