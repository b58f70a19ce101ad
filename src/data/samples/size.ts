import { CrinkleError } from "../../core/errors.ts";

/** Points per direction where nobody says how many. */
export const defaultPoints = 64;

/** Maximum points per direction of the samples; 2048³ f32 values are 34 GB. */
const maxPoints = 2048;

/** Throws BadArgument unless a generated sample can have that many points per direction. */
export function checkSampleSize(points: number): void {
  if (Number.isInteger(points) && points >= 2 && points <= maxPoints) return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `A sample cannot have ${points} points per direction.`,
    remedy: `Choose a whole number from 2 to ${maxPoints}.`,
  });
}
