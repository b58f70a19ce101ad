import type { Scale } from "../../core/scale.ts";
import type { HistogramSummary } from "../../engine/api.ts";
import { useApp } from "../session-context.tsx";
import type { LayerFacts } from "../store/layers/state.ts";
import { logAxis } from "./log-axis.ts";

/** The axis of a field's slider, undefined where it is linear, and the histogram over it. */
export function useAxis(
  field: string,
  { histogram, logHistogram }: LayerFacts,
): { readonly axis: Scale | undefined; readonly histogram: HistogramSummary | undefined } {
  const axis = useApp(({ layers }) => layers.logFields.includes(field)) ? logAxis(logHistogram) : undefined;
  return axis ? { axis, histogram: logHistogram } : { axis, histogram };
}
