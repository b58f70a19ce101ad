import type { Layer } from "../../../core/layers.ts";
import type { Statistics } from "../../../core/statistics.ts";
import type { HistogramSummary, LayerRanks } from "../../../engine/api.ts";

/** What is known about a layer besides its settings. */
export interface LayerFacts {
  /** Whether it is being made. */
  readonly isPending: boolean;
  /** Statistics of its shape's field: the range of what can be dragged. */
  readonly field: Statistics | undefined;
  /** Statistics of its colour field. */
  readonly color: Statistics | undefined;
  /** Histogram of its shape's field. */
  readonly histogram: HistogramSummary | undefined;
  /** That of the field's positive values over a logarithmic axis, where the field has one: `min` and `max` are values. */
  readonly logHistogram: HistogramSummary | undefined;
  readonly notes: readonly string[];
  /** Counts of what was drawn last. */
  readonly counts:
    | { readonly triangles: number; readonly isovalue: number | undefined; readonly note?: string }
    | undefined;
  /** What each rank did for it, where the ranks of a room have made it. */
  readonly made: LayerRanks | undefined;
}

export interface LayersState {
  /** The layers that are shown or about to be, from bottom to top. */
  readonly list: readonly Layer[];
  /** Id of the layer whose controls are shown. */
  readonly selected: string | undefined;
  readonly facts: Readonly<Record<string, LayerFacts>>;
  /** The fields whose histograms and sliders have a logarithmic axis. */
  readonly logFields: readonly string[];
}

export const noFacts: LayerFacts = {
  isPending: false,
  field: undefined,
  color: undefined,
  histogram: undefined,
  logHistogram: undefined,
  notes: [],
  counts: undefined,
  made: undefined,
};

export const noLayers: LayersState = { list: [], selected: undefined, facts: {}, logFields: [] };

export function findLayer({ list }: LayersState, id: string | undefined): Layer | undefined {
  return list.find((layer) => layer.id === id);
}

/** The layer whose controls are shown; undefined if there is none. */
export function selectedLayer(state: LayersState): Layer | undefined {
  return findLayer(state, state.selected);
}

export function factsOf({ facts }: LayersState, id: string): LayerFacts {
  return facts[id] ?? noFacts;
}

/** Triangles of all visible layers; undefined while none has been drawn. */
export function shownTriangles({ list, facts }: LayersState): number | undefined {
  const counts = list.filter(({ isVisible }) => isVisible).flatMap(({ id }) => facts[id]?.counts ?? []);
  return counts.length > 0 ? counts.reduce((sum, { triangles }) => sum + triangles, 0) : undefined;
}

/** The field whose histogram a layer shows. */
export function histogramField({ shape }: Layer): string | undefined {
  if (shape.kind === "isosurface" || shape.kind === "threshold") return shape.field;
  return shape.kind === "cut" && shape.by.kind === "expression" ? shape.by.text : undefined;
}
