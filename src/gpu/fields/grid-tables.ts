import { type Centering, type Grid, gridCenter, type Triple, valueCoordinates } from "../../core/grid.ts";
import { inverseSpans, inverseSteps } from "../../core/inverse-steps.ts";
import type { GpuContext } from "../device/context.ts";
import type { PooledBuffer } from "../device/pool.ts";

/**
 * A grid's coordinates for kernels, f32, in one storage buffer of 3(nx + ny + nz) words:
 * x, y and z of the values of one centring relative to `center`, then for each direction the inverse spans
 * 1 / (x[min(i+1, n−1)] − x[max(i−1, 0)]), zero along a flat direction, then the inverse steps
 * 1 / (x[i+1] − x[i]), zero at the last i. With them a derivative is (f[i+1] − f[i−1]) · inverseSpan[i], indices
 * clamped: central inside, one-sided at the border, and exact for linear fields on any rectilinear grid.
 * Differences are taken in f64.
 */
export interface GridTables {
  readonly buffer: PooledBuffer;
  readonly dims: Triple;
  /** First word of x, y, z; the inverse spans follow at +total, the inverse steps at +2·total. */
  readonly offsets: Triple;
  readonly total: number;
  /** The middle of the bounds of the whole grid (`gridCenter`); kept in f64 so that far-away origins cost no precision. */
  readonly center: Triple;
}

export function createGridTables(gpu: GpuContext, grid: Grid, centering: Centering): GridTables {
  const coordinates = [0, 1, 2].map((axis) => valueCoordinates(grid, centering, axis));
  const dims = coordinates.map((c) => c.length) as unknown as Triple;
  const total = dims[0] + dims[1] + dims[2];
  const center = gridCenter(grid);
  const words = new Float32Array(3 * total);
  const offsets: Triple = [0, dims[0], dims[0] + dims[1]];
  for (let axis = 0; axis < 3; axis++) {
    const c = coordinates[axis];
    for (let i = 0; i < c.length; i++) words[offsets[axis] + i] = c[i] - center[axis];
    words.set(inverseSpans(c), total + offsets[axis]);
    words.set(inverseSteps(c), 2 * total + offsets[axis]);
  }
  const buffer = gpu.pool.allocate(
    `${centering} coordinates`,
    words.byteLength,
    GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
  );
  gpu.device.queue.writeBuffer(buffer.buffer, 0, words);
  return { buffer, dims, offsets, total, center };
}
