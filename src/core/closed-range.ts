import { CrinkleError } from "./errors.ts";
import { ceilF32, floorF32 } from "./floor-f32.ts";

/** Closed: both ends belong to it. Empty where low > high. */
export type Range = readonly [low: number, high: number];

/** The greatest finite f32. */
const greatest = (2 - 2 ** -23) * 2 ** 127;

/** Throws BadArgument where an end is NaN. */
export function checkRange([low, high]: Range): void {
  if (!Number.isNaN(low) && !Number.isNaN(high)) return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `The range ${low} … ${high} has an end that is not a number.`,
    remedy: "Choose two numbers.",
  });
}

/** The least and the greatest f32 whose sum with `offset` lies in the range; [1, 0] where there is none. */
export function rangeInF32([low, high]: Range, offset: number): Range {
  if (!(low <= high) || low - offset > greatest || high - offset < -greatest) return [1, 0];
  return [
    low - offset < -greatest ? -greatest : ceilF32(low - offset),
    high - offset > greatest ? greatest : floorF32(high - offset),
  ];
}
