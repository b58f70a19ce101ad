import type { Triple } from "../../core/grid.ts";

/** What a renderer draws from. Valid until `onBuffers` gives others; the extractor owns the buffers. */
export interface DrawableSurface {
  /** 32 bytes a vertex: position (3 f32, relative to `center`), normal (3 f32), scalar (f32), edge (u32). */
  readonly vertices: GPUBuffer;
  /** u32, three a triangle. */
  readonly indices: GPUBuffer;
  /** The five words of an indexed indirect draw, at offset 0. */
  readonly draw: GPUBuffer;
  readonly center: Triple;
  /** The colour field's value is the vertex's scalar plus this. */
  readonly scalarOffset: number;
}

export interface SurfaceCounts {
  /** Of an isosurface. */
  readonly isovalue: number | undefined;
  /** Those beyond the first 2³¹ / 3, which no buffer holds, are not counted. */
  readonly triangles: number;
  /** As drawn: vertices on block borders count once for each block; `readMesh` welds them. */
  readonly vertices: number;
  /** Whether the surface is larger than the GPU's buffers may be, and is drawn in part. */
  readonly isTruncated: boolean;
}

export interface SurfaceEvents {
  /** Other buffers are to be drawn from; the former are destroyed when the call returns. */
  onBuffers?(surface: DrawableSurface): void;
  /** The counts of the latest extraction, some time after it; in-between ones of a drag are left out. */
  onCounts?(counts: SurfaceCounts): void;
  /** A fault while counting or growing: OutOfMemory, DeviceLost; TooLarge where the surface is drawn in part. */
  onError?(error: unknown): void;
}
