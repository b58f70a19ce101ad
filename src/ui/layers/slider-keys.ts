export interface Range {
  readonly min: number;
  readonly max: number;
}

/** An arrow key moves by this part of the range, or a tenth of it with Shift; a page key by a twentieth. */
const arrowPart = 1 / 1000;
const pagePart = 1 / 20;

/** Where a key moves a slider's value to, kept within the range; undefined for keys that are not a slider's. */
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
