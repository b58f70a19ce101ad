/** The ways in which a bench moves the elements of a square or a cube: each is encoded into a pass again and again. */
import type { IndexMap } from "../../core/hypercube/index-map.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { createRearrangement, type Encode } from "../../gpu/hypercube/rearrange.ts";
import { createTextureRearrangement } from "../../gpu/hypercube/rearrange-texture.ts";
import { handKernel, handTile } from "./hypercube-kernels.ts";

/** What moves elements: the generated kernel, the one written by hand, or the generated one of a texture, through tiles or not. */
export type Form = "generated" | "by hand" | "from a texture" | "from a texture without tiles";

export interface Work {
  readonly gpu: GpuContext;
  /** Of the transform. */
  readonly name: string;
  readonly map: IndexMap;
  readonly source: GPUBuffer;
  readonly target: GPUBuffer;
}

/** What encodes the work; a texture is filled from the source, and destroyed by `free`. */
export async function encodeOf(form: Form, work: Work): Promise<{ readonly encode: Encode; free?(): void }> {
  const { gpu, map, source, target } = work;
  switch (form) {
    case "generated":
      return { encode: (await createRearrangement(gpu, map, 4)).bound(source, target) };
    case "by hand":
      return { encode: await byHand(work) };
    case "from a texture":
    case "from a texture without tiles": {
      const texture = textureOf(work);
      const options = form === "from a texture" ? {} : { isTiled: false };
      const rearranged = await createTextureRearrangement(gpu, map, texture, options);
      return { encode: rearranged(texture, target), free: () => texture.destroy() };
    }
  }
}

async function byHand({ gpu, name, map, source, target }: Work): Promise<Encode> {
  const { code, rows } = handKernel(name)!;
  const [nx, ny, nz = 1] = map.from;
  const constants = { nx, ny, nz };
  const pipeline = await gpu.pipelines.get({ label: `${name} by hand`, code, entryPoint: "main", constants });
  const group = gpu.device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: [source, target].map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
  return (pass) => {
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(Math.ceil(nx / handTile[0]), Math.ceil(ny / rows), nz);
  };
}

/** The source as a texture of as many dimensions, whose rows are multiples of 256 bytes. */
function textureOf({ gpu: { device }, map, source }: Work): GPUTexture {
  const texture = device.createTexture({
    label: "bench: source",
    size: [...map.from],
    dimension: map.from.length === 3 ? "3d" : "2d",
    format: "r32uint",
    usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST,
  });
  const encoder = device.createCommandEncoder();
  const layout = { bytesPerRow: 4 * map.from[0], rowsPerImage: map.from[1] };
  encoder.copyBufferToTexture({ buffer: source, ...layout }, { texture }, [...map.from]);
  device.queue.submit([encoder.finish()]);
  return texture;
}
