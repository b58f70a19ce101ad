import { type Grid, type Triple, valueDims } from "../../../../core/grid.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { BufferScope, PooledBuffer } from "../../../../gpu/device/pool.ts";
import { gridCenter } from "../../../../gpu/fields/grid-tables.ts";
import { dispatchExtents } from "../../../../gpu/shader/dispatch.ts";
import { extentsView } from "./grid-wgsl.ts";
import { flatGroupSize, type Kernel } from "./kernel.ts";

/** How a tiled kernel covers a grid. */
export interface Tiling {
  /** Threads of a workgroup along x and y: powers of two, 128 together unless the grid is smaller. */
  readonly tile: readonly [number, number];
  /** Tiles along x and y, and runs of planes along z. */
  readonly tiles: Triple;
  /** Planes in a run. */
  readonly depth: number;
}

const threads = 128;
const widestTile = 32;
/** Workgroups that keep a large GPU busy; only beyond them do threads walk along z to reuse what they read. */
const enoughGroups = 4096;
const deepest = 32;

export function chooseTiling([nx, ny, nz]: Triple): Tiling {
  const narrow = Math.min(widestTile, powerOfTwoFrom(nx));
  const tall = Math.min(threads / narrow, powerOfTwoFrom(ny));
  const wide = Math.min(threads / tall, powerOfTwoFrom(nx));
  const tilesX = Math.ceil(nx / wide);
  const tilesY = Math.ceil(ny / tall);
  const depth = Math.max(1, Math.min(deepest, Math.floor((tilesX * tilesY * nz) / enoughGroups)));
  return { tile: [wide, tall], tiles: [tilesX, tilesY, Math.ceil(nz / depth)], depth };
}

function powerOfTwoFrom(n: number): number {
  return 2 ** Math.ceil(Math.log2(n));
}

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
    ...(isTiled ? { constants: { tile_x: tiling.tile[0], tile_y: tiling.tile[1] } } : {}),
  });
  const groups = isTiled
    ? tiling.tiles[0] * tiling.tiles[1] * tiling.tiles[2]
    : Math.ceil((dims[0] * dims[1] * dims[2]) / flatGroupSize);
  const [groupsX, groupsY] = dispatchExtents(groups);

  return (buffers, scope) => {
    const uniform = uniformExtents(gpu, grid, tiling, scope);
    const bindGroup = gpu.device.createBindGroup({
      label: kernel.label,
      layout: pipeline.getBindGroupLayout(0),
      entries: [uniform, ...buffers].map(({ buffer }, binding) => ({ binding, resource: { buffer } })),
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

function uniformExtents(gpu: GpuContext, grid: Grid, tiling: Tiling, scope: BufferScope): PooledBuffer {
  const nodes = valueDims(grid, "node");
  const cells = valueDims(grid, "cell");
  const view = extentsView();
  view.set({
    node_dims: nodes,
    node_count: nodes[0] * nodes[1] * nodes[2],
    cell_dims: cells,
    cell_count: cells[0] * cells[1] * cells[2],
    tiles: tiling.tiles.slice(0, 2),
    depth: tiling.depth,
    center: gridCenter(grid),
  });
  const buffer = scope.allocate(
    "extents",
    view.arrayBuffer.byteLength,
    GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
  );
  gpu.device.queue.writeBuffer(buffer.buffer, 0, view.arrayBuffer);
  return buffer;
}
