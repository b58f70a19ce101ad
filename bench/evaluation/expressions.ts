import type { ReferenceName } from "../../src/bench/reference/kernels.ts";
import { qCriterion, velocityMagnitude, vorticityMagnitude } from "../../src/lang/expression/listings.ts";

export interface Expression {
  readonly name: string;
  readonly text: string;
  readonly reference: ReferenceName;
}

/** Seed 001's three expressions (Figure 3), of cell-centred u, v and w. */
export const expressions: readonly Expression[] = [
  { name: "velocity magnitude", text: velocityMagnitude, reference: "velocity_magnitude" },
  { name: "vorticity magnitude", text: vorticityMagnitude, reference: "vorticity_magnitude" },
  { name: "Q-criterion", text: qCriterion, reference: "q_criterion" },
];

/** Planes of the seed's twelve sub-grids of 192 × 192 × n cells. */
export const subGrids: readonly number[] = Array.from({ length: 12 }, (_, k) => 256 * (k + 1));
