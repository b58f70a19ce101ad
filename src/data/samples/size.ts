import { CrinkleError } from "../../core/errors.ts";

/** Points per direction that the samples can be asked for; 2048³ f32 values are 34 GB. */
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
