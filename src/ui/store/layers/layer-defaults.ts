import type { Layer, LayerPaint, LayerShape } from "../../../core/layers.ts";
import type { Statistics } from "../../../core/statistics.ts";
import type { LayerKind } from "../../../engine/layers/titles.ts";
import { wholeField } from "../../../lang/expression/syntax/field-scalars.ts";
import type { Context } from "../context.ts";
import { defaultColorBy, defaultColorRange, defaultIsovalue, finiteRange, firstChoice } from "../defaults.ts";
import { findChoice } from "../field-choice.ts";
import { loadCode } from "../load-code.ts";
import { allFields } from "../select.ts";
import { freshId, isosurface, solidColor } from "./new-layer.ts";
import { histogramField, selectedLayer } from "./state.ts";

/** The initial settings of new layers, and of layers that follow another field. */
export interface LayerDefaults {
  /** A layer that shows something of the selected layer's field. */
  layer(kind: LayerKind): Promise<Layer>;
  /** An isosurface in the next layer's colours, with the id of the one that it replaces. */
  isosurface(field: string, isovalue: number, id: string | undefined): Layer;
  isovalue(field: string): Promise<number>;
  /** The shape with another field or cut expression, at values likely to show something. */
  follow(shape: LayerShape, field: string): Promise<LayerShape>;
  /** An isosurface at an isovalue in its field's range: its own if that is. */
  within(shape: LayerShape): Promise<LayerShape>;
  definition(field: string): string | undefined;
}

type Range = Pick<Statistics, "min" | "max"> & Partial<Statistics>;

export function createLayerDefaults({ engine, store }: Context): LayerDefaults {
  const fields = () => allFields(store.getState());

  /** Only the engine knows the range of a vector's component. */
  async function rangeOf(field: string): Promise<Range> {
    return findChoice(fields(), field)?.statistics ?? (await engine.histogram(field));
  }

  function definition(field: string): string | undefined {
    const { derived } = store.getState().data;
    return derived.find((result) => wholeField(result) === field)?.expression;
  }

  const isovalueIn = (field: string, range: Range) => defaultIsovalue(range, definition(field));

  function nextPaint(): LayerPaint {
    const { paint, layers } = store.getState();
    return { ...paint, solid: solidColor(layers.list) };
  }

  return {
    definition,
    async layer(kind) {
      const { data, layers } = store.getState();
      const selected = selectedLayer(layers);
      const own = selected && histogramField(selected);
      const isOfField = kind === "isosurface" || kind === "threshold";
      const expression = (isOfField ? own : (selected?.colorBy ?? own)) ?? firstChoice(fields())?.expression;
      const field = expression
        ? { expression, range: await rangeOf(expression), definition: definition(expression) }
        : undefined;
      const { grid, points } = data.dataSet ?? {};
      const bounds = grid?.bounds ?? points?.bounds ?? [0, 1, 0, 1, 0, 1];
      // Loaded when a layer is first added.
      const { newLayer } = await loadCode(() => import("./kinds.ts"));
      const beginning = { bounds, field, paint: nextPaint(), points: points?.count };
      return newLayer(kind, freshId(layers.list), beginning);
    },
    isosurface(field, isovalue, id) {
      const { list } = store.getState().layers;
      const source = findChoice(fields(), field)?.source ?? "";
      const colorBy = defaultColorBy(fields(), source);
      const paint = { ...nextPaint(), range: defaultColorRange(fields(), colorBy) };
      return isosurface(id ?? freshId(list), { field, isovalue, colorBy }, paint);
    },
    isovalue: async (field) => isovalueIn(field, await rangeOf(field)),
    async within(shape) {
      if (shape.kind !== "isosurface") return shape;
      const range = await rangeOf(shape.field);
      const isReached = shape.isovalues.some((value) => value >= range.min && value <= range.max);
      return isReached ? shape : { ...shape, isovalues: [isovalueIn(shape.field, range)] };
    },
    async follow(shape, field) {
      const range = await rangeOf(field);
      const isovalue = isovalueIn(field, range);
      if (shape.kind === "isosurface") return { ...shape, field, isovalues: [isovalue] };
      if (shape.kind === "cut" && shape.by.kind === "expression") {
        const { value } = shape.by;
        const isReached = !(value < range.min || value > range.max);
        return { ...shape, by: { ...shape.by, text: field, value: isReached ? value : isovalue } };
      }
      return shape.kind === "threshold"
        ? { ...shape, field, range: finiteRange(isovalue, range.max) }
        : shape;
    },
  };
}
