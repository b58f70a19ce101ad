import type { TriangleMesh } from "../../core/mesh.ts";
import type { RankTrace } from "../../core/rank-trace.ts";
import type { Statistics } from "../../core/statistics.ts";
import type { RankReport } from "./rank-report.ts";

/** How data came to the ranks. */
export type DataOrigin = "read by each rank" | "sent by the host";

export interface RankedSurface {
  readonly name: string;
  /** The whole: each rank's triangles in the order of the ranks; vertices that ranks have in common are one. */
  readonly mesh: TriangleMesh;
  /** Of the shape's scalar on the nodes, where it has one, and of what colours the surface. */
  readonly field: Statistics | undefined;
  readonly color: Statistics | undefined;
  readonly origin: DataOrigin;
  readonly ranks: readonly (RankReport & { readonly triangles: number })[];
  readonly trace: RankTrace;
  readonly notes: readonly string[];
}
