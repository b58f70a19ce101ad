import type { GpuContext } from "../../device/context.ts";
import { SurfaceExtractor } from "../surface/extractor.ts";
import type { SurfaceEvents } from "../surface/surface.ts";
import type { BlockIndex } from "./block-index.ts";
import { IsosurfacePass, type Isovalues } from "./isosurface-pass.ts";
import type { IsosurfaceSource } from "./source.ts";

/** Marching cubes on the GPU for one or several isovalues, which change often. */
export class IsosurfaceExtractor extends SurfaceExtractor<IsosurfaceSource, Isovalues, BlockIndex> {
  static async create(gpu: GpuContext, events: SurfaceEvents = {}): Promise<IsosurfaceExtractor> {
    const scope = gpu.scope();
    return new IsosurfaceExtractor(gpu, scope, await IsosurfacePass.create(gpu, scope), events);
  }
}
