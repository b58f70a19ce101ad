import { type Grid, gridCenter, gridPart, type Triple, valueDims } from "../../../../core/grid.ts";
import { BoundKernel } from "../../../../gpu/compute/dispatch.ts";
import { constantUniform, Uniform } from "../../../../gpu/compute/uniform.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { BufferScope, PooledBuffer } from "../../../../gpu/device/pool.ts";
import { type ExpressionKernel, flatElements } from "../../plan/kernel.ts";
import { type Extents, extents } from "../../plan/wgsl/grid-wgsl.ts";
import { chooseTiling, type Tiling } from "./tiling.ts";

/** Records a kernel with its buffers bound into a pass. */
export type RecordKernel = (pass: GPUComputePassEncoder) => void;

/** Binds a compiled kernel to its buffers; the scope gets its uniforms. */
export type BindKernel = (buffers: readonly PooledBuffer[], uniforms: BufferScope) => RecordKernel;

/** Compiles a kernel for a grid's extents. Throws ShaderError. */
export async function compileKernel(
  gpu: GpuContext,
  { label, code, centering, shape, parameters }: ExpressionKernel,
  grid: Grid,
): Promise<BindKernel> {
  const dims = valueDims(grid, centering);
  const tiling = chooseTiling(dims);
  const isTiled = shape === "tiled";
  const pipeline = await gpu.pipelines.get({
    label,
    code,
    entryPoint: "main",
    ...(isTiled ? { constants: tiledConstants(dims, tiling) } : {}),
  });
  const workgroups = isTiled
    ? tiling.tiles[0] * tiling.tiles[1] * tiling.tiles[2]
    : Math.ceil((dims[0] * dims[1] * dims[2]) / flatElements);
  return (buffers, uniforms) => {
    const uniform = new Uniform<Extents>(gpu, uniforms, extents);
    uniform.set(extentsOf(grid, tiling));
    uniform.write();
    const bindings = [uniform, ...buffers];
    if (parameters.length > 0) bindings.push(constantUniform(gpu, uniforms, "parameters", parameters));
    const kernel = new BoundKernel(gpu, pipeline, bindings);
    return (pass) => kernel.dispatch(pass, workgroups);
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

function extentsOf(grid: Grid, tiling: Tiling): Extents {
  const nodes = valueDims(grid, "node");
  const cells = valueDims(grid, "cell");
  const { first, dims, bounds } = gridPart(grid);
  return {
    node_dims: nodes,
    node_count: nodes[0] * nodes[1] * nodes[2],
    cell_dims: cells,
    cell_count: cells[0] * cells[1] * cells[2],
    tiles: [tiling.tiles[0], tiling.tiles[1]],
    depth: tiling.depth,
    center: gridCenter(grid),
    first,
    whole: dims,
    low: [bounds[0], bounds[2], bounds[4]],
    high: [bounds[1], bounds[3], bounds[5]],
  };
}
