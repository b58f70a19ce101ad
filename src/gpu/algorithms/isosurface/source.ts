import type { GpuField } from "../../fields/gpu-field.ts";
import { checkColor, requireNodeField, type SurfaceBase } from "../surface/surface-source.ts";

/** What an isosurface is extracted from. */
export interface SurfaceSource extends SurfaceBase {
  /** Node-centred. */
  readonly field: GpuField;
  readonly component?: number;
}

/** Throws BadArgument where a field is not node-centred, lies on another grid, or lacks the component. */
export function checkSource(source: SurfaceSource): void {
  requireNodeField(source.tables, source.field, source.component ?? 0, "an isosurface");
  checkColor(source);
}
