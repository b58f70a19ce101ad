import { Recorder } from "../../../gpu/compute/recorder.ts";
import type { GpuContext } from "../../../gpu/device/context.ts";
import { readU32 } from "../../../gpu/device/transfer.ts";
import { createKdTreeBuild } from "../../../gpu/kd-tree/build.ts";
import { chooseStrategy } from "../../../gpu/primitives/choose-strategy.ts";

/** The bits of the least f32 that no GPU takes for 0. */
const leastNormal = 0x00800000;

/**
 * `subtreeOrder` (cpu/kd-tree) by the fused build: ranks become coordinates of the same order, axes beginning with the root's. As
 * no two are equal, it does not matter how that build orders points of equal coordinates. Throws TooLarge, OutOfMemory.
 */
export async function subtreeOrderOnGpu(
  gpu: GpuContext,
  ranks: readonly Uint32Array[],
  rootAxis: number,
): Promise<Uint32Array> {
  const dimensions = ranks.length === 2 ? 2 : 3;
  const size = ranks[0].length;
  const words = new Uint32Array(dimensions * size);
  for (let axis = 0; axis < dimensions; axis++) {
    const along = ranks[(rootAxis + axis) % dimensions];
    for (let i = 0; i < size; i++) words[dimensions * i + axis] = leastNormal + along[i];
  }
  const build = await createKdTreeBuild(gpu, { dimensions }, await chooseStrategy(gpu));
  const scope = gpu.scope();
  const recorder = new Recorder(gpu);
  try {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const [points, nodes, ids] = await gpu.checked("A subtree of points", () =>
      [dimensions * size, dimensions * size, size].map((length) =>
        scope.allocate("subtree", 4 * length, STORAGE | COPY_SRC | COPY_DST),
      ),
    );
    gpu.device.queue.writeBuffer(points.buffer, 0, words);
    const viewOf = ({ buffer }: typeof points) => ({ buffer, offset: 0, length: size });
    build.record(recorder, { points: viewOf(points), nodes: viewOf(nodes), ids: viewOf(ids) });
    recorder.submit();
    return await readU32(gpu, ids);
  } finally {
    recorder.dispose();
    scope.release();
  }
}
