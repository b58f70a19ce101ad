import type { ScalarSource } from "../../fields/compact-field.ts";
import { checkColor, requireNodeField, requireNumbers, type SurfaceBase } from "../surface/surface-source.ts";

/** What an isosurface or a threshold is extracted from: the field may lie on the GPU as it is stored. */
export interface IsosurfaceSource extends SurfaceBase {
  /** Node-centred. */
  readonly field: ScalarSource;
  readonly component?: number;
}

/**
 * Throws BadArgument where a field is not node-centred, lies on another grid, or lacks the component, and TooLarge where
 * the grid has more edges than 32 bits number.
 */
export function checkSource(source: IsosurfaceSource): void {
  requireNodeField(source.tables, source.field, source.component ?? 0, "an isosurface");
  checkColor(source);
  requireNumbers(source.tables, 3, "An isosurface");
}
