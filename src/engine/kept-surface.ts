import { type JobContext, noJob } from "../core/job.ts";
import { emptyMesh, type TriangleMesh } from "../core/mesh.ts";
import { checkPlane } from "../gpu/surfaces/plane.ts";
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

/**
 * Makes surfaces of a session's fields one after the other. On a GPU the scalars, what is known of them and the buffers
 * stay between surfaces of one kind, field and colour, such as the isovalues of a drag.
 */
export class KeptSurface {
  readonly #session: Session;
  #made: Made | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  /** In physical units, with shared vertices. Throws what `surfaceMesh` throws. */
  async mesh(request: Omit<SurfaceRequest, "soup">, job: JobContext = noJob): Promise<TriangleMesh> {
    const { shape, colorBy, clip } = request;
    if (clip) checkPlane(clip);
    const key = JSON.stringify([surfaceKind(shape), shapeField(shape) ?? null, colorBy ?? null]);
    if (this.#made?.key !== key) {
      this.dispose();
      this.#made = await this.#make(key, request, job);
    }
    const { surface } = this.#made;
    if (!surface) return (await surfaceMesh(this.#session, request, job)).mesh;
    // An extractor that is given no valid isovalue keeps its former surface.
    if (topologyOf(shape) && !isovaluesOf(shape).some(Number.isFinite)) return emptyMesh;
    surface.extractor.setClip(clip);
    surface.extract(shape, undefined);
    return surface.extractor.readMesh();
  }

  /** Frees what stays; the next surface makes it anew. */
  dispose(): void {
    const { surface, field, color } = this.#made ?? {};
    this.#made = undefined;
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
      surface = await createShapeSurface(gpu, surfaceKind(shape), {});
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
