import type { OrderOptions } from "../../core/marching-cubes/soup.ts";
import type { SurfaceRecords } from "../../core/marching-cubes/surface-records.ts";
import type { EdgeMesh } from "../../core/marching-cubes/weld.ts";
import type { BufferScope, PooledBuffer } from "../device/pool.ts";
import type { Capacity } from "./capacity.ts";
import type { SurfaceBuffers } from "./surface-buffers.ts";
import type { SurfaceBase } from "./surface-source.ts";

/**
 * The kernels of one kind of surface: records them into a compute pass, submits nothing. `Request` is what changes
 * from frame to frame; `Workspace` holds buffers that depend on the grid's extents alone.
 */
export interface SurfacePass<Source extends SurfaceBase, Request, Workspace> {
  /** For messages: "isosurface". */
  readonly name: string;
  /** The draw arguments, then what was asked for; see `stateWords`. STORAGE | INDIRECT | COPY_SRC | COPY_DST. */
  readonly state: PooledBuffer;
  /** Throws BadArgument, TooLarge. */
  checkSource(source: Source): void;
  /** Throws BadArgument. */
  checkRequest(request: Request): void;
  /** The isovalue that counts are reported with; left out for surfaces of no value. */
  isovalueOf?(request: Request): number | undefined;
  /** `scope` gets the buffers. Throws OutOfMemory, TooLarge. */
  createWorkspace(source: Source, scope: BufferScope): Promise<Workspace>;
  /** Before anything has been counted; `firstCapacity` of the grid's extents where it is left out. */
  firstCapacity?(source: Source, largestBinding: number): Capacity;
  /** Of `SurfaceBuffers.work`; nothing where it is left out. */
  workBytes?(capacity: Capacity): number;
  /** Chooses what the next recordings read and write. */
  configure(source: Source, workspace: Workspace, surface: SurfaceBuffers): void;
  /** Sets the request of everything submitted from now on. */
  setRequest(request: Request): void;
  /** What comes before the first extraction from a source, and where its values have changed. */
  recordSource?(pass: GPUComputePassEncoder): void;
  /** One extraction: counts into `state` whatever the surface needs, and writes what fits. */
  record(pass: GPUComputePassEncoder): void;
  /**
   * Where the parts of a surface that asked for `demand` end, within which edges' ids are unique; one part where it is left out.
   */
  readParts?(demand: Capacity): Promise<readonly Capacity[]>;
  /** What becomes of a part that was read back: it is welded where this is left out. */
  readonly meshOf?: (records: SurfaceRecords, options: OrderOptions) => EdgeMesh;
}
