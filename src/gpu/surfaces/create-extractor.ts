import { compileKernels, type Pipelines } from "../compute/compile.ts";
import type { GpuContext } from "../device/context.ts";
import type { ShaderRecord } from "../device/pipelines.ts";
import type { BufferScope } from "../device/pool.ts";
import { SurfaceExtractor } from "./extractor.ts";
import type { SurfaceEvents } from "./surface.ts";
import type { SurfacePass } from "./surface-pass.ts";
import type { SurfaceBase } from "./surface-source.ts";

/** An extractor over a pass that is made of compiled kernels and a scope for its own buffers. Throws ShaderError. */
export async function createExtractor<Source extends SurfaceBase, Request, Name extends string>(
  gpu: GpuContext,
  events: SurfaceEvents,
  shaders: Readonly<Record<Name, ShaderRecord>>,
  makePass: (scope: BufferScope, pipelines: Pipelines<Name>) => SurfacePass<Source, Request, unknown>,
): Promise<SurfaceExtractor<Source, Request>> {
  const pipelines = await compileKernels(gpu, shaders);
  const scope = gpu.scope();
  return new SurfaceExtractor<Source, Request>(gpu, scope, makePass(scope, pipelines), events);
}
