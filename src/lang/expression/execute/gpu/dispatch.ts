import { type Grid, gridPart, type Triple, valueDims } from "../../../../core/grid.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { BufferScope, PooledBuffer } from "../../../../gpu/device/pool.ts";
import { gridCenter } from "../../../../gpu/fields/grid-tables.ts";
import { dispatchExtents } from "../../../../gpu/shader/dispatch.ts";
import { flatElements, type Kernel } from "../../plan/kernel.ts";
import { extentsView } from "../../plan/wgsl/grid-wgsl.ts";
import { chooseTiling, type Tiling } from "./tiling.ts";

/** A kernel with its buffers bound: everything that a pass needs. */
export interface Dispatch {
  readonly kernel: Kernel;
  record(pass: GPUComputePassEncoder): void;
}

/** Compiles a kernel for a grid's extents. Throws ShaderError. */
export async function compileKernel(
  gpu: GpuContext,
  kernel: Kernel,
  grid: Grid,
): Promise<(buffers: readonly PooledBuffer[], scope: BufferScope) => Dispatch> {
  const dims = valueDims(grid, kernel.centering);
  const tiling = chooseTiling(dims);
  const isTiled = kernel.shape === "tiled";
  const pipeline = await gpu.pipelines.get({
    label: kernel.label,
    code: kernel.code,
    entryPoint: "main",
    ...(isTiled ? { constants: tiledConstants(dims, tiling) } : {}),
  });
  const groups = isTiled
    ? tiling.tiles[0] * tiling.tiles[1] * tiling.tiles[2]
    : Math.ceil((dims[0] * dims[1] * dims[2]) / flatElements);
  const [groupsX, groupsY] = dispatchExtents(groups);

  return (buffers, scope) => {
    const [uniform, ...parameters] = uniforms(gpu, kernel, extentsOf(grid, tiling), scope);
    const bindGroup = gpu.device.createBindGroup({
      label: kernel.label,
      layout: pipeline.getBindGroupLayout(0),
      entries: [uniform, ...buffers, ...parameters].map(({ buffer, offset = 0, size }, binding) => ({
        binding,
        resource: { buffer, offset, size },
      })),
    });
    return {
      kernel,
      record(pass) {
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bindGroup);
        pass.dispatchWorkgroups(groupsX, groupsY);
        gpu.counters.kernels++;
      },
    };
  };
}

/** What a tiled kernel is compiled for, beside its code. */
function tiledConstants([nx, ny, nz]: Triple, { tile }: Tiling): Readonly<Record<string, number>> {
  const isFlat = (n: number) => (n === 1 ? 1 : 0);
  return {
    tile_x: tile[0],
    tile_y: tile[1],
    flat_x: isFlat(nx),
    flat_y: isFlat(ny),
    flat_z: isFlat(nz),
  };
}

function extentsOf(grid: Grid, tiling: Tiling): ArrayBuffer {
  const nodes = valueDims(grid, "node");
  const cells = valueDims(grid, "cell");
  const { first, dims, bounds } = gridPart(grid);
  const view = extentsView();
  view.set({
    node_dims: nodes,
    node_count: nodes[0] * nodes[1] * nodes[2],
    cell_dims: cells,
    cell_count: cells[0] * cells[1] * cells[2],
    tiles: tiling.tiles.slice(0, 2),
    depth: tiling.depth,
    center: gridCenter(grid),
    first,
    whole: dims,
    low: [bounds[0], bounds[2], bounds[4]],
    high: [bounds[1], bounds[3], bounds[5]],
  });
  return view.arrayBuffer;
}

/** Where a second uniform may begin in a buffer, on any device. */
const uniformAlignment = 256;

/** The extents, and the parameters where the kernel has any, in one buffer. */
function uniforms(
  gpu: GpuContext,
  { parameters }: Kernel,
  extents: ArrayBuffer,
  scope: BufferScope,
): GPUBufferBinding[] {
  const start = Math.ceil(extents.byteLength / uniformAlignment) * uniformAlignment;
  const length = Math.ceil(parameters.length / 4) * 16;
  const bytes = length === 0 ? extents : new ArrayBuffer(start + length);
  if (length > 0) {
    new Uint8Array(bytes).set(new Uint8Array(extents));
    new Float32Array(bytes, start).set(parameters);
  }
  const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
  const { buffer } = scope.allocate("extents", bytes.byteLength, usage);
  gpu.device.queue.writeBuffer(buffer, 0, bytes);
  const whole = { buffer, offset: 0, size: extents.byteLength };
  return length === 0 ? [whole] : [whole, { buffer, offset: start, size: length }];
}
