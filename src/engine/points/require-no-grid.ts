import { CrinkleError } from "../../core/errors.ts";
import type { Network } from "../../lang/expression/network/network.ts";

/** Throws TypeError if a text needs neighbours or positions in a grid, because points have none. */
export function requireNoGrid({ nodes }: Network): void {
  for (const node of nodes) {
    if (node.kind !== "stencil" && node.kind !== "mesh") continue;
    throw new CrinkleError({
      tag: "TypeError",
      problem: `${node.filter.name} needs a grid, but the data is a set of points.`,
      remedy: "Use functions of each point's own values; coords, x, y and z give its position.",
      span: node.span,
    });
  }
}
