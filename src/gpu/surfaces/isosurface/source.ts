import { checkColor, requireNodeField, requireNumbers, type ScalarSurfaceSource } from "../surface-source.ts";

/**
 * Throws BadArgument where a field is not node-centred, lies on another grid, or lacks the component, and TooLarge where
 * the grid has more places of a vertex, so many for each node, than 32 bits number: an edge in each direction, or more.
 */
export function checkSource(source: ScalarSurfaceSource, perNode = 3): void {
  requireNodeField(source.tables, source.field, source.component ?? 0, "an isosurface");
  checkColor(source);
  requireNumbers(source.tables, perNode, "An isosurface");
}
