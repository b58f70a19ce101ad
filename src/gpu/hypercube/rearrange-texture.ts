/** Index maps applied to the words of a texture, by the same kernels as to those of a buffer. */
import type { IndexMap } from "../../core/hypercube/index-map.ts";
import { countOf } from "../../core/hypercube/shape.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import { dispatchWorkgroups } from "../compute/dispatch.ts";
import type { GpuContext } from "../device/context.ts";
import { bufferAccess } from "./access.ts";
import { type Encode, kernelOf, type RearrangementOptions } from "./rearrange.ts";

/** What `createTextureRearrangement` does for a texture and the result's words. */
export type TextureRearrangement = (source: GPUTexture, target: GPUBuffer) => Encode;

/**
 * A map of words that are the texels of such textures of format r32uint or r32float (usage TEXTURE_BINDING): row after row, layer
 * after layer. Throws BadArgument where there are more or fewer of them than the map takes, TooLarge, ShaderError.
 */
export async function createTextureRearrangement(
  gpu: GpuContext,
  map: IndexMap,
  { format, dimension, width, height, depthOrArrayLayers }: GPUTexture,
  { isTiled = !gpu.adapter.isSoftware }: RearrangementOptions = {},
): Promise<TextureRearrangement> {
  const count = countOf(map.from);
  const isWords = format === "r32uint" || format === "r32float";
  if (!isWords || width * height * depthOrArrayLayers !== count) {
    throw badArgument(
      `A texture of ${width} × ${height} × ${depthOrArrayLayers} texels of the format ${format} is to be rearranged.`,
      `Give it ${count} texels of the format r32uint or r32float.`,
    );
  }
  const result = bufferAccess(gpu, "The result of a rearrangement", 4 * countOf(map.to));
  const size =
    dimension === "3d" ? ([width, height, depthOrArrayLayers] as const) : ([width, height] as const);
  const { code, groups } = kernelOf(map, 4, { source: { kind: "texture", format, size }, result }, isTiled);
  const pipeline = await gpu.pipelines.get({ label: "rearrangement of a texture", code, entryPoint: "main" });
  return (source, target) => {
    const parts = Array.from({ length: result.parts }, (_, part) => ({
      binding: 1 + part,
      resource: {
        buffer: target,
        offset: part * result.partBytes,
        size: Math.min(result.partBytes, 4 * countOf(map.to) - part * result.partBytes),
      },
    }));
    const group = gpu.device.createBindGroup({
      label: pipeline.label,
      layout: pipeline.getBindGroupLayout(0),
      entries: [{ binding: 0, resource: source.createView() }, ...parts],
    });
    return (pass) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      dispatchWorkgroups(gpu, pass, groups);
    };
  };
}
