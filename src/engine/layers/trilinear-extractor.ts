import { isosurfaceRecords } from "../../algorithms/isosurface/isosurface.ts";
import { isCancelled } from "../../core/errors.ts";
import type { Field } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import type { Plane } from "../../core/layers.ts";
import { vertexBytes } from "../../core/marching-cubes/surface-records.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import type { SurfaceExtractor } from "../../gpu/algorithms/surface/extractor.ts";
import { createSentExtractor, type SentSurface } from "../../gpu/algorithms/surface/sent/sent.ts";
import type { DrawableSurface, SurfaceCounts, SurfaceEvents } from "../../gpu/algorithms/surface/surface.ts";
import { type SurfaceBase, scalarOffset } from "../../gpu/algorithms/surface/surface-source.ts";
import type { GpuContext } from "../../gpu/device/context.ts";

export interface TrilinearSource extends SurfaceBase {
  readonly grid: Grid;
  /** What the surface is of, and coloured by, in host memory. */
  readonly hostField: Field;
  readonly hostColor: Field | undefined;
}

/**
 * Isosurfaces with the trilinear interpolant's topology, made on the CPU and sent to the GPU when they are done; until
 * then the former is drawn. A newer request ends the one that is being made.
 */
export class TrilinearExtractor {
  readonly #sent: SurfaceExtractor<SurfaceBase, SentSurface>;
  readonly #events: SurfaceEvents;
  #source: TrilinearSource | undefined;
  #abort = new AbortController();
  #making: Promise<void> | undefined;
  #fault: unknown;

  constructor(gpu: GpuContext, events: SurfaceEvents) {
    this.#sent = createSentExtractor(gpu, events);
    this.#events = events;
  }

  get drawable(): DrawableSurface | undefined {
    return this.#sent.drawable;
  }

  /** Throws as `SurfaceExtractor.setSource`. */
  async setSource(source: TrilinearSource): Promise<void> {
    await this.#sent.setSource(source);
    this.#abort.abort();
    this.#source = source;
  }

  extract(isovalues: readonly number[]): void {
    if (!this.#source) return;
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#fault = undefined;
    const making = this.#make(this.#source, isovalues, this.#abort.signal).finally(() => {
      if (this.#making === making) this.#making = undefined;
    });
    this.#making = making;
  }

  setClip(plane: Plane | undefined): void {
    this.#sent.setClip(plane);
  }

  suspend(): void {
    this.#sent.suspend();
  }

  resume(): void {
    this.#sent.resume();
  }

  async counts(): Promise<SurfaceCounts> {
    await this.#made();
    return this.#sent.counts();
  }

  async readMesh(): Promise<TriangleMesh> {
    await this.#made();
    return this.#sent.readMesh();
  }

  async readScalarRange(tail: number): Promise<readonly [number, number] | undefined> {
    await this.#made();
    return this.#sent.readScalarRange(tail);
  }

  dispose(): void {
    this.#abort.abort();
    this.#sent.dispose();
  }

  async #make(source: TrilinearSource, isovalues: readonly number[], signal: AbortSignal): Promise<void> {
    try {
      const surface = await surfaceOf(source, isovalues, { signal, progress: () => {} });
      if (!signal.aborted) this.#sent.extract(surface);
    } catch (error) {
      if (signal.aborted || isCancelled(error)) return;
      this.#fault = error;
      this.#events.onError?.(error);
    }
  }

  async #made(): Promise<void> {
    while (this.#making) await this.#making;
    if (this.#fault) throw this.#fault;
  }
}

/** The surfaces of all isovalues as one. */
async function surfaceOf(
  source: TrilinearSource,
  isovalues: readonly number[],
  job: JobContext,
): Promise<SentSurface> {
  const { grid, hostField, hostColor } = source;
  const options = { color: hostColor, scalarOffset: scalarOffset(source), topology: "trilinear" } as const;
  const parts = [];
  for (const isovalue of isovalues)
    parts.push(await isosurfaceRecords(grid, hostField, isovalue, options, job));
  let end = { vertices: 0, indices: 0 };
  const ends = parts.map(({ vertices, indices }) => {
    end = {
      vertices: end.vertices + vertices.byteLength / vertexBytes,
      indices: end.indices + indices.length,
    };
    return end;
  });
  const vertices = new Uint8Array(end.vertices * vertexBytes);
  const indices = new Uint32Array(end.indices);
  for (const [i, part] of parts.entries()) {
    const first = ends[i - 1] ?? { vertices: 0, indices: 0 };
    vertices.set(new Uint8Array(part.vertices), first.vertices * vertexBytes);
    indices.set(
      part.indices.map((vertex) => vertex + first.vertices),
      first.indices,
    );
  }
  return { vertices: vertices.buffer, indices, ends, isovalue: isovalues[0] };
}
