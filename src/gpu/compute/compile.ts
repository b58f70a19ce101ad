import type { GpuContext } from "../device/context.ts";
import type { ShaderRecord } from "../device/pipelines.ts";

/** Compiled kernels by their names. */
export type Pipelines<Name extends string> = Readonly<Record<Name, GPUComputePipeline>>;

/** Compiles kernels together; each is compiled once for a device. Throws ShaderError. */
export async function compileKernels<Name extends string>(
  { pipelines }: GpuContext,
  shaders: Readonly<Record<Name, ShaderRecord>>,
): Promise<Pipelines<Name>> {
  const compiled = await Promise.all(
    Object.entries<ShaderRecord>(shaders).map(
      async ([name, shader]) => [name, await pipelines.get(shader)] as const,
    ),
  );
  // `Object.fromEntries` forgets the names.
  return Object.fromEntries(compiled) as Record<Name, GPUComputePipeline>;
}
