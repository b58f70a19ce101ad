import type { Parameter } from "./model.ts";

/** What a parameter is on so many axes where it is not given. */
export const usualOn = (
  { default: usual, defaultByAxes }: Pick<Parameter, "default" | "defaultByAxes">,
  axes: number,
): number => defaultByAxes?.[axes - 1] ?? usual;
