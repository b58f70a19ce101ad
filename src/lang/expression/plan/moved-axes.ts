import { type Grid, valueDims } from "../../../core/grid.ts";
import { exchangedAxes } from "../filters/moves.ts";
import type { Network } from "../network/network.ts";
import { located } from "../syntax/located.ts";
import { centeringOf } from "./stages.ts";

/** Throws TypeError where axes of a grid that change places have different lengths. */
export function checkMovedAxes({ nodes }: Network, grid: Grid): void {
  for (const node of nodes) {
    const exchanged = node.kind === "stencil" && node.filter.move ? exchangedAxes(node.filter.move) : [];
    const centering = centeringOf(node);
    const lengths = exchanged.map((axis) => valueDims(grid, centering)[axis]);
    if (new Set(lengths).size < 2) continue;
    const what = centering === "node" ? "nodes" : "cells";
    throw located(
      "TypeError",
      node.span,
      `Axes of ${lengths.join(" and ")} ${what} cannot change places, since the values are to stay on their grid`,
      "Use crinkle transform, which makes a grid of the new shape.",
    );
  }
}
