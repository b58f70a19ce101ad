import type { Layer } from "../../../core/layers.ts";
import type { Statistics } from "../../../core/statistics.ts";
import type { HistogramSummary } from "../../../engine/api.ts";

/** What is known of a layer beside what it is. */
export interface LayerFacts {
  /** It is being made. */
  readonly isPending: boolean;
  /** Of its shape's field: the range of what can be dragged. */
  readonly field: Statistics | undefined;
  /** Of its colour field. */
  readonly color: Statistics | undefined;
  /** Of its shape's field. */
  readonly histogram: HistogramSummary | undefined;
  readonly notes: readonly string[];
  /** Of what was drawn last. */
  readonly counts:
    | { readonly triangles: number; readonly isovalue: number | undefined; readonly note?: string }
    | undefined;
}

export interface LayersState {
  /** What the picture shows or is about to, from below to above. */
  readonly list: readonly Layer[];
  /** Id of the layer whose controls are shown. */
  readonly selected: string | undefined;
  readonly facts: Readonly<Record<string, LayerFacts>>;
}

export const noFacts: LayerFacts = {
  isPending: false,
  field: undefined,
  color: undefined,
  histogram: undefined,
  notes: [],
  counts: undefined,
};

export const noLayers: LayersState = { list: [], selected: undefined, facts: {} };

export function findLayer({ list }: LayersState, id: string | undefined): Layer | undefined {
  return list.find((layer) => layer.id === id);
}

/** The layer whose controls are shown; undefined where there is none. */
export function selectedLayer(state: LayersState): Layer | undefined {
  return findLayer(state, state.selected);
}

export function factsOf({ facts }: LayersState, id: string): LayerFacts {
  return facts[id] ?? noFacts;
}

/** Of all visible layers; undefined while none has been drawn. */
export function shownTriangles({ list, facts }: LayersState): number | undefined {
  const counts = list.filter(({ isVisible }) => isVisible).flatMap(({ id }) => facts[id]?.counts ?? []);
  return counts.length > 0 ? counts.reduce((sum, { triangles }) => sum + triangles, 0) : undefined;
}

/** The field that a layer's histogram is of. */
export function histogramField({ shape }: Layer): string | undefined {
  if (shape.kind === "isosurface" || shape.kind === "threshold") return shape.field;
  return shape.kind === "cut" && shape.by.kind === "expression" ? shape.by.text : undefined;
}
