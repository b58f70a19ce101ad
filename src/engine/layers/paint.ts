import { CrinkleError } from "../../core/errors.ts";
import type { Triple } from "../../core/grid.ts";
import type { LayerPaint, Plane } from "../../core/layers.ts";
import { scaleOver, scalePosition } from "../../core/scale.ts";
import type { Statistics } from "../../core/statistics.ts";
import type { ScalarBar } from "../../core/view.ts";
import { withoutQuotes } from "../../lang/expression/syntax/quoting.ts";
import { parseCssColor } from "../../viewer/css-color.ts";
import type { ClipPlane } from "../../viewer/viewer.ts";
import { colorMapStops, isDiverging, sampleColorMap } from "../colormaps.ts";

/** Number of colours of a map in the scalar bar's gradient. */
const barStops = 33;

/** The expression whose values are mapped to colours. */
export interface ColorSource {
  readonly text: string;
  readonly statistics: Statistics;
}

/** Throws BadArgument if a map or a colour is unknown, or the opacity is not in (0, 1]. */
export function checkPaint({ map, solid, nanColor, opacity }: LayerPaint): void {
  sampleColorMap(map, 2);
  parseCssColor(solid);
  parseCssColor(nanColor);
  if (opacity > 0 && opacity <= 1) return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `A layer's opacity is ${opacity}.`,
    remedy: "Choose an opacity above 0, up to 1; hide the layer to see nothing of it.",
  });
}

/**
 * The values that get the first and the last colour; `shown` is the range on the shown part, if known. If its width is
 * only rounding, as on an isosurface of the same field, it becomes a single value. A diverging map has its middle at 0 where
 * values of both signs are shown and nobody has set a range, unless its scale is logarithmic: then the range begins above 0
 * (`scaleOver`).
 */
export function colorRange(
  paint: LayerPaint,
  statistics: Statistics,
  shown: readonly [number, number] | undefined,
): readonly [number, number] {
  const { low, high } = scaleOver(paint.scale ?? "linear", chosenRange(paint, statistics, shown));
  return [low, high];
}

function chosenRange(
  { range, map, scale }: LayerPaint,
  { min, max }: Statistics,
  shown: readonly [number, number] | undefined,
): readonly [number, number] {
  if (range !== undefined && range !== "surface") return range;
  const own = range === "surface" ? shown && withoutRounding(shown) : undefined;
  const [low, high] = own ?? (Number.isFinite(min) ? [min, max] : [0, 1]);
  const largest = Math.max(-low, high);
  return scale !== "log" && low < 0 && high > 0 && isDiverging(map) ? [-largest, largest] : [low, high];
}

/** A single value if the two differ by no more than the rounding of interpolation in f32. */
function withoutRounding([low, high]: readonly [number, number]): readonly [number, number] {
  const middle = 0.5 * low + 0.5 * high;
  return high - low > 2 ** -20 * Math.abs(middle) ? [low, high] : [middle, middle];
}

export function scalarBar(
  { map, reversed, scale = "linear", nanColor }: LayerPaint,
  { text, statistics }: ColorSource,
  range: readonly [number, number],
): ScalarBar {
  const [min, max] = range;
  const { kind } = scaleOver(scale, range);
  return {
    title: withoutQuotes(text),
    min,
    max,
    ...(kind === "linear" ? {} : { scale: kind }),
    colors: colorMapStops(map, barStops, reversed),
    nanColor,
    hasNaN: statistics.nan > 0,
  };
}

/** sRGB bytes of `count` vertices in the layer's single colour. */
export function solidColors(count: number, { solid }: LayerPaint): Uint8Array {
  const color = parseCssColor(solid).map((c) => Math.round(255 * c));
  const bytes = new Uint8Array(3 * count);
  for (let at = 0; at < bytes.length; at += 3) bytes.set(color, at);
  return bytes;
}

/** Unlit sRGB bytes of values. */
export function valueColors(
  values: Float32Array,
  { map, reversed, scale: kind = "linear", nanColor }: LayerPaint,
  range: readonly [number, number],
): Uint8Array {
  const scale = scaleOver(kind, range);
  const table = sampleColorMap(map, 256, reversed);
  const nan = parseCssColor(nanColor).map((c) => Math.round(255 * c));
  const bytes = new Uint8Array(3 * values.length);
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) bytes.set(nan, 3 * i);
    else {
      const t = scalePosition(scale, values[i]);
      const at = 3 * Math.round(255 * Math.min(1, Math.max(0, t)));
      for (let channel = 0; channel < 3; channel++) bytes[3 * i + channel] = table[at + channel];
    }
  }
  return bytes;
}

/** A plane as the viewer takes it, for positions relative to `center`. */
export function clipPlane({ origin, normal }: Plane, center: Triple): ClipPlane {
  const length = Math.hypot(...normal);
  const unit: Triple = [normal[0] / length, normal[1] / length, normal[2] / length];
  const offset = unit.reduce((sum, n, axis) => sum + n * (center[axis] - origin[axis]), 0);
  return { normal: unit, offset };
}
