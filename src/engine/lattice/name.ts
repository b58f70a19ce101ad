import type { LatticeRequest } from "./api.ts";

/** The name that a data set of it has: “ising 64 × 64”. */
export const nameOfLattice = ({ model, size }: Pick<LatticeRequest, "model" | "size">): string =>
  `${model} ${size.join(" × ")}`;
