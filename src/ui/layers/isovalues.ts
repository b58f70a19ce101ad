import { type Scale, scalePosition, scaleValue } from "../../core/scale.ts";

/** A further isovalue: the middle of the widest gap between the present ones and the range's ends. */
export function addedIsovalue(
  isovalues: readonly number[],
  { min, max }: { readonly min: number; readonly max: number },
): number {
  const inside = isovalues.filter((value) => value > min && value < max);
  const stops = [min, ...inside.toSorted((a, b) => a - b), max];
  const gaps = stops.slice(1).map((stop, i) => stop - stops[i]);
  const widest = gaps.indexOf(Math.max(...gaps));
  return Number((0.5 * (stops[widest] + stops[widest + 1])).toPrecision(6));
}

/** The same along an axis that is not linear. */
export function addedAlong(isovalues: readonly number[], axis: Scale): number {
  const places = isovalues.map((value) => scalePosition(axis, value));
  return Number(scaleValue(axis, addedIsovalue(places, { min: 0, max: 1 })).toPrecision(6));
}
