import type { Box } from "../../../core/box.ts";
import { cellsOfTriangles } from "../../../core/marching-cubes/cells-of-triangles.ts";
import type { Topology } from "../../../core/marching-cubes/topology.ts";
import type { EdgeMesh } from "../../../core/marching-cubes/weld.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BlockIndex } from "../blocks/block-index.ts";
import { SurfaceExtractor } from "../extractor.ts";
import type { SurfaceEvents } from "../surface.ts";
import type { ScalarSurfaceSource } from "../surface-source.ts";
import type { FieldComponent } from "./interpolate.ts";
import { IsosurfacePass, type Isovalues, listOf } from "./isosurface-pass.ts";

/** The surface of one isovalue with what was asked for beside it. */
export interface IsosurfacePart extends EdgeMesh {
  readonly isovalue: number;
  /** A value per vertex of each field that was asked for. */
  readonly fields: readonly Float32Array[];
  /** Each triangle's cell, x fastest among the grid's cells: the reverse map from output to input. */
  readonly cells: Uint32Array;
}

/** Marching cubes on the GPU for one or several isovalues, which change often. */
export class IsosurfaceExtractor extends SurfaceExtractor<ScalarSurfaceSource, Isovalues, BlockIndex> {
  readonly #gpu: GpuContext;

  /** As that of `SurfaceExtractor`. */
  constructor(gpu: GpuContext, ...rest: SurfaceParts) {
    super(gpu, ...rest);
    this.#gpu = gpu;
  }

  /** The surface is made of a box of the grid's cells alone, where one is given. */
  static async create(
    gpu: GpuContext,
    events: SurfaceEvents = {},
    topology: Topology = "table",
    cells?: Box,
  ): Promise<IsosurfaceExtractor> {
    const scope = gpu.scope();
    const pass = await IsosurfacePass.create(gpu, scope, topology, cells);
    return new IsosurfaceExtractor(gpu, scope, pass, events);
  }

  /**
   * Copies the surfaces of the latest extraction back, as `readMesh` does, with any number of node-centred fields of the
   * same grid interpolated on them and their triangles' cells. The fields have to stay as they are until then. Throws as
   * `readMesh`, and BadArgument where the surface is clipped or a field is not of its grid's nodes.
   */
  async readParts(fields: readonly FieldComponent[]): Promise<readonly IsosurfacePart[]> {
    const { source, request, parts } = await this.readEdgeMeshes();
    const { interpolateOnSurface } = await import("./interpolate.ts");
    const isovalues = listOf(request);
    const read = [];
    for (const [i, part] of parts.entries()) {
      const values = await interpolateOnSurface(this.#gpu, source, isovalues[i], part, fields);
      const cells = cellsOfTriangles(part.indices, part.edges, source.tables.dims);
      read.push({ ...part, isovalue: isovalues[i], fields: values, cells });
    }
    return read;
  }
}

type SurfaceParts = Tail<
  ConstructorParameters<typeof SurfaceExtractor<ScalarSurfaceSource, Isovalues, BlockIndex>>
>;
type Tail<T extends unknown[]> = T extends [unknown, ...infer R] ? R : never;
