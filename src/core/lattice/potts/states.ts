import type { Parameter } from "../model.ts";

/** q, on which the kernels' text depends. */
export const statesParameter: Parameter = {
  label: "Number of states q",
  meaning: "the number of states, q",
  default: 3,
  min: 2,
  max: 12,
  isFixed: true,
};
