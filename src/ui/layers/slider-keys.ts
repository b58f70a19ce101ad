import { type Scale, scalePosition, scaleValue } from "../../core/scale.ts";

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** An arrow key moves by this fraction of the range, or a tenth of it with Shift; a page key by a twentieth. */
const arrowPart = 1 / 1000;
const pagePart = 1 / 20;

/** The value to which a key moves a slider, kept within the range; undefined for other keys. */
export function keyedValue(
  { key, shiftKey }: { readonly key: string; readonly shiftKey: boolean },
  value: number,
  { min, max }: Range,
): number | undefined {
  const step = (max - min) * (shiftKey ? arrowPart / 10 : arrowPart);
  const page = (max - min) * pagePart;
  const target: Readonly<Record<string, number>> = {
    ArrowLeft: value - step,
    ArrowDown: value - step,
    ArrowRight: value + step,
    ArrowUp: value + step,
    PageDown: value - page,
    PageUp: value + page,
    Home: min,
    End: max,
  };
  return Object.hasOwn(target, key) ? Math.min(max, Math.max(min, target[key])) : undefined;
}

/** The same along a scale: a key moves by a fraction of its length. */
export function keyedOn(
  scale: Scale,
  key: { readonly key: string; readonly shiftKey: boolean },
  value: number,
): number | undefined {
  const { kind, low, high } = scale;
  if (kind === "linear") return keyedValue(key, value, { min: low, max: high });
  const place = Math.min(1, Math.max(0, scalePosition(scale, value)));
  const moved = keyedValue(key, place, { min: 0, max: 1 });
  return moved === undefined ? undefined : scaleValue(scale, moved);
}
