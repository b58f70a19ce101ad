import type { ScalarSource } from "../../fields/compact-field.ts";
import { checkColor, requireNodeField, requireNumbers, type SurfaceBase } from "../surface-source.ts";

/** What an isosurface or a threshold is extracted from: the field may lie on the GPU as it is stored. */
export interface IsosurfaceSource extends SurfaceBase {
  /** Node-centred. */
  readonly field: ScalarSource;
  readonly component?: number;
}

/**
 * Throws BadArgument where a field is not node-centred, lies on another grid, or lacks the component, and TooLarge where
 * the grid has more places of a vertex, so many for each node, than 32 bits number: an edge in each direction, or more.
 */
export function checkSource(source: IsosurfaceSource, perNode = 3): void {
  requireNodeField(source.tables, source.field, source.component ?? 0, "an isosurface");
  checkColor(source);
  requireNumbers(source.tables, perNode, "An isosurface");
}
