import type { PointBuffer } from "../viewer.ts";

/** Points of four numbers each: a position and a scalar. */
export function uploadPoints(device: GPUDevice, points: readonly number[]): PointBuffer {
  const upload = (values: readonly number[]) => {
    const { STORAGE, COPY_DST } = GPUBufferUsage;
    const buffer = device.createBuffer({ size: 4 * values.length, usage: STORAGE | COPY_DST });
    device.queue.writeBuffer(buffer, 0, new Float32Array(values));
    return buffer;
  };
  return {
    positions: upload(points.filter((_, i) => i % 4 < 3)),
    scalars: upload(points.filter((_, i) => i % 4 === 3)),
    count: points.length / 4,
  };
}
