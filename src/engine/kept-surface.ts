import type { Box } from "../core/box.ts";
import { type JobContext, noJob } from "../core/job.ts";
import { joinEdgeMeshes } from "../core/join-edge-meshes.ts";
import type { MaybeEdgeMesh } from "../core/marching-cubes/weld.ts";
import { emptyMesh } from "../core/mesh.ts";
import { checkPlane } from "../gpu/surfaces/plane.ts";
import type { DrawableSurface } from "../gpu/surfaces/surface.ts";
import {
  createShapeSurface,
  evaluateShape,
  isovaluesOf,
  type ShapeField,
  type ShapeSurface,
  shapeField,
  surfaceKind,
  topologyOf,
} from "./layers/shape-surface.ts";
import { type NodeScalar, nodeScalar } from "./node-scalar.ts";
import type { Session } from "./session.ts";
import { type SurfaceRequest, surfaceMesh } from "./surface-mesh.ts";

/** Nothing but the key where there is no GPU, or the scalars are on the host. */
interface Made {
  readonly key: string;
  readonly field?: ShapeField;
  readonly color?: NodeScalar;
  readonly surface?: ShapeSurface;
}

export interface PartCounts {
  readonly triangles: number;
  /** As drawn: one on the border of what a kernel makes at a time may count several times. */
  readonly vertices: number;
}

/** A surface as it is made, until the next one is. */
export interface MadeSurface {
  /** What to draw from, where it is on the GPU: other buffers once `counts` has found the former ones too small. */
  readonly drawable: DrawableSurface | undefined;
  /** Waits for the GPU. Throws TooLarge where the GPU cannot hold the surface whole, OutOfMemory, DeviceLost, Cancelled. */
  counts(): Promise<PartCounts>;
  /** In physical units, with shared vertices; of contours that are not clipped with their edges. Throws as `counts`. */
  readMesh(): Promise<MaybeEdgeMesh>;
}

/** A surface in host memory. */
const meshAsMade = (mesh: MaybeEdgeMesh): MadeSurface => ({
  drawable: undefined,
  counts: async () => ({ triangles: mesh.indices.length / 3, vertices: mesh.positions.length / 3 }),
  readMesh: async () => mesh,
});

/**
 * Makes surfaces of a session's fields one after the other. On a GPU the scalars, what is known of them and the buffers
 * stay between surfaces of one kind, field and colour, such as the isovalues of a drag.
 */
export class KeptSurface {
  readonly #session: Session;
  readonly #cells: Box | undefined;
  #made: Made | undefined;
  #isClipped = false;
  /** Called where something else is to be drawn from; the former buffers are destroyed when it returns. */
  onBuffers: ((drawable: DrawableSurface) => void) | undefined;

  /** The surfaces are made of `cells`, a box of the grid's cells, alone, where they are given. */
  constructor(session: Session, cells?: Box) {
    this.#session = session;
    this.#cells = cells;
  }

  /** On the GPU the surface is submitted, and nothing is waited for but the first plane of a clip. Throws what `surfaceMesh` throws. */
  async make(request: Omit<SurfaceRequest, "soup" | "cells">, job: JobContext = noJob): Promise<MadeSurface> {
    const { shape, colorBy, clip } = request;
    if (clip) checkPlane(clip);
    const key = JSON.stringify([surfaceKind(shape), shapeField(shape) ?? null, colorBy ?? null]);
    if (this.#made?.key !== key) {
      this.dispose();
      this.#made = await this.#make(key, request, job);
    }
    const { surface } = this.#made;
    if (!surface) {
      const { mesh } = await surfaceMesh(this.#session, { ...request, cells: this.#cells }, job);
      return meshAsMade(mesh);
    }
    // An extractor that is given no valid isovalue keeps its former surface.
    if (topologyOf(shape) && !isovaluesOf(shape).some(Number.isFinite)) return meshAsMade(emptyMesh);
    const { extractor } = surface;
    const isFirstClip = clip !== undefined && !this.#isClipped;
    extractor.setClip(clip);
    this.#isClipped = clip !== undefined;
    surface.extract(shape, undefined);
    // The whole surface is drawn until what the first plane needs is there.
    if (isFirstClip) await extractor.counts();
    return {
      get drawable() {
        return extractor.drawable;
      },
      async counts() {
        const { triangles, vertices, isTruncated } = await extractor.counts();
        if (isTruncated) await extractor.readMesh();
        return { triangles, vertices };
      },
      async readMesh() {
        if (!topologyOf(shape)) return extractor.readMesh();
        const read = await extractor.readUnjoined();
        return "positions" in read ? read : joinEdgeMeshes(read);
      },
    };
  }

  /** Frees what stays; the next surface makes it anew. */
  dispose(): void {
    const { surface, field, color } = this.#made ?? {};
    this.#made = undefined;
    this.#isClipped = false;
    surface?.extractor.dispose();
    field?.release();
    color?.release();
  }

  async #make(key: string, { shape, colorBy }: SurfaceRequest, job: JobContext): Promise<Made> {
    const session = this.#session;
    const { gpu } = session.device;
    if (!gpu) return { key };
    let field: ShapeField | undefined;
    let color: NodeScalar | undefined;
    let surface: ShapeSurface | undefined;
    try {
      field = await evaluateShape(session, shape, job);
      color = colorBy === undefined ? undefined : await nodeScalar(session, colorBy, job);
      if ([field, color].some((scalar) => scalar?.value.kind === "host")) {
        field?.release();
        color?.release();
        return { key };
      }
      const events = { onBuffers: (drawable: DrawableSurface) => this.onBuffers?.(drawable) };
      surface = await createShapeSurface(gpu, surfaceKind(shape), events, { cells: this.#cells });
      await surface.setSource(session, gpu, field, color);
      return { key, field, color, surface };
    } catch (error) {
      surface?.extractor.dispose();
      field?.release();
      color?.release();
      throw error;
    }
  }
}
