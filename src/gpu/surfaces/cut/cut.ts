import type { Triple } from "../../../core/grid.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import { blockDims } from "../blocks/block-layout.ts";
import { resetShader, selectionBytes } from "../blocks/block-selection.ts";
import { type Capacity, firstCapacity } from "../capacity.ts";
import { colorBuffer, colorParameters } from "../color-values.ts";
import { emitGroups, emitShader } from "../emit-groups.ts";
import { SurfaceExtractor } from "../extractor.ts";
import { Kernel } from "../kernel.ts";
import type { SurfaceEvents } from "../surface.ts";
import type { SurfaceBuffers } from "../surface-buffers.ts";
import type { SurfacePass } from "../surface-pass.ts";
import { checkColor, requireNumbers, type SurfaceBase } from "../surface-source.ts";
import { allocateState } from "../surface-state.ts";
import { packTriangles } from "../triangle-table.ts";
import { Uniform } from "../uniform.ts";
import { type CutParameters, cutParameters } from "./cut-parameters.ts";
import { emitCutShader } from "./emit-cut.ts";
import { type Cutter, checkCutter, cutterParameters } from "./implicit.ts";
import { selectCutBlocksShader, selectThreads } from "./select-cut-blocks.ts";

interface Workspace {
  readonly blocks: Triple;
  readonly selection: PooledBuffer;
}

interface Kernels {
  readonly reset: Kernel;
  readonly select: Kernel;
  readonly emit: Kernel;
}

function checkSource(source: SurfaceBase): void {
  checkColor(source);
  requireNumbers(source.tables, 3, "A cut");
}

class CutPass implements SurfacePass<SurfaceBase, Cutter, Workspace> {
  readonly name = "cut";
  readonly state: PooledBuffer;
  readonly checkSource = checkSource;
  readonly checkRequest = checkCutter;
  readonly #gpu: GpuContext;
  readonly #kernels: Kernels;
  readonly #parameters: Uniform<CutParameters>;
  readonly #cases: PooledBuffer;
  #center: Triple = [0, 0, 0];
  #blockCount = 0;

  constructor(gpu: GpuContext, scope: BufferScope, kernels: Kernels) {
    this.#gpu = gpu;
    this.#kernels = kernels;
    this.#parameters = new Uniform(gpu, scope, cutParameters, "parameters");
    const table = packTriangles();
    this.#cases = scope.allocate(
      "cut: cases",
      table.byteLength,
      GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST,
    );
    gpu.device.queue.writeBuffer(this.#cases.buffer, 0, table);
    this.state = allocateState(scope, this.name);
  }

  isovalueOf(): undefined {
    return undefined;
  }

  createWorkspace({ tables }: SurfaceBase, scope: BufferScope): Promise<Workspace> {
    const blocks = blockDims(tables.dims);
    const bytes = selectionBytes(blocks[0] * blocks[1] * blocks[2]);
    return this.#gpu.checked("The cut's list of blocks", () => ({
      blocks,
      selection: scope.allocate("cut: selected blocks", bytes, GPUBufferUsage.STORAGE),
    }));
  }

  firstCapacity({ tables }: SurfaceBase, largestBinding: number): Capacity {
    return firstCapacity(tables.dims, largestBinding);
  }

  configure(
    source: SurfaceBase,
    { blocks, selection }: Workspace,
    { vertices, indices, capacity }: SurfaceBuffers,
  ): void {
    const { tables } = source;
    this.#center = tables.center;
    this.#blockCount = blocks[0] * blocks[1] * blocks[2];
    this.#parameters.set({
      ...colorParameters(source),
      dims: tables.dims,
      axes: tables.offsets,
      blocks,
      block_count: this.#blockCount,
      vertex_capacity: capacity.vertices,
      index_capacity: capacity.indices,
    });
    const uniform = [0, this.#parameters.buffer] as const;
    const coordinates = tables.buffer.buffer;
    const listed = selection.buffer;
    this.#kernels.reset.bind([0, listed], [1, this.state.buffer]);
    this.#kernels.select.bind(uniform, [1, coordinates], [2, listed]);
    this.#kernels.emit.bind(
      uniform,
      [1, colorBuffer(source)],
      [2, coordinates],
      [3, this.#cases.buffer],
      [4, listed],
      [5, this.state.buffer],
      [6, vertices.buffer],
      [7, indices.buffer],
    );
  }

  setRequest(cutter: Cutter): void {
    this.#parameters.set(cutterParameters(cutter, this.#center));
    this.#parameters.write();
  }

  recordSource(): void {}

  record(pass: GPUComputePassEncoder): void {
    this.#kernels.reset.dispatch(pass, 1);
    this.#kernels.select.dispatch(pass, Math.ceil(this.#blockCount / selectThreads));
    this.#kernels.emit.dispatch(pass, emitGroups(this.#gpu, this.#blockCount));
  }
}

/**
 * The cells' cuts by a plane or a sphere, as marching cubes finds them in the implicit function's values at the nodes,
 * which are computed where they are needed: no field is read but the colour's, and only the cut blocks. Normals are
 * the implicit function's own. A node on the plane counts as below.
 */
export async function createCutExtractor(
  gpu: GpuContext,
  events: SurfaceEvents = {},
): Promise<SurfaceExtractor<SurfaceBase, Cutter>> {
  const [reset, select, emit] = await Promise.all([
    Kernel.create(gpu, resetShader),
    Kernel.create(gpu, selectCutBlocksShader),
    Kernel.create(gpu, emitShader(gpu, emitCutShader)),
  ]);
  const scope = gpu.scope();
  return new SurfaceExtractor<SurfaceBase, Cutter>(
    gpu,
    scope,
    new CutPass(gpu, scope, { reset, select, emit }),
    events,
  );
}
