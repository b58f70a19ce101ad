import type { Box } from "../../../core/box.ts";
import type { Triple } from "../../../core/grid.ts";
import type { Pipelines } from "../../compute/compile.ts";
import { BoundKernel } from "../../compute/dispatch.ts";
import { Uniform } from "../../compute/uniform.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import { type BlockKernels, recordBlocks } from "../blocks/block-kernels.ts";
import { blockDims } from "../blocks/block-layout.ts";
import { resetShader, selectionBytes } from "../blocks/block-selection.ts";
import { colorBuffer, colorParameters } from "../color-values.ts";
import { createExtractor } from "../create-extractor.ts";
import { emitShader } from "../emit-groups.ts";
import type { SurfaceExtractor } from "../extractor.ts";
import { cellRangeParameters } from "../part/cell-range.ts";
import type { SurfaceEvents } from "../surface.ts";
import type { SurfaceBuffers } from "../surface-buffers.ts";
import type { SurfacePass } from "../surface-pass.ts";
import { checkColor, requireNumbers, type SurfaceBase } from "../surface-source.ts";
import { allocateState } from "../surface-state.ts";
import { packTriangles } from "../triangle-table.ts";
import { type CutParameters, cutParameters } from "./cut-parameters.ts";
import { emitCutShader } from "./emit-cut.ts";
import { type Cutter, checkCutter, cutterParameters } from "./implicit.ts";
import { selectCutBlocksShader } from "./select-cut-blocks.ts";

interface Workspace {
  readonly blocks: Triple;
  readonly selection: PooledBuffer;
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
  readonly #pipelines: Pipelines<keyof BlockKernels>;
  readonly #parameters: Uniform<CutParameters>;
  readonly #cases: PooledBuffer;
  readonly #cells: Box | undefined;
  #kernels: BlockKernels | undefined;
  #center: Triple = [0, 0, 0];
  #blockCount = 0;

  constructor(
    gpu: GpuContext,
    scope: BufferScope,
    pipelines: Pipelines<keyof BlockKernels>,
    cells: Box | undefined,
  ) {
    this.#gpu = gpu;
    this.#pipelines = pipelines;
    this.#cells = cells;
    this.#parameters = new Uniform(gpu, scope, cutParameters);
    const table = packTriangles();
    this.#cases = scope.allocate(
      "cut: cases",
      table.byteLength,
      GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST,
    );
    gpu.device.queue.writeBuffer(this.#cases.buffer, 0, table);
    this.state = allocateState(scope, this.name);
  }

  createWorkspace({ tables }: SurfaceBase, scope: BufferScope): Promise<Workspace> {
    const blocks = blockDims(tables.dims);
    const bytes = selectionBytes(blocks[0] * blocks[1] * blocks[2]);
    return this.#gpu.checked("The cut's list of blocks", () => ({
      blocks,
      selection: scope.allocate("cut: selected blocks", bytes, GPUBufferUsage.STORAGE),
    }));
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
      ...cellRangeParameters(tables.dims, this.#cells),
      dims: tables.dims,
      axes: tables.offsets,
      blocks,
      block_count: this.#blockCount,
      vertex_capacity: capacity.vertices,
      index_capacity: capacity.indices,
    });
    const { reset, select, emit } = this.#pipelines;
    this.#kernels = {
      reset: new BoundKernel(this.#gpu, reset, [selection, this.state]),
      select: new BoundKernel(this.#gpu, select, [this.#parameters, tables.buffer, selection]),
      emit: new BoundKernel(this.#gpu, emit, [
        this.#parameters,
        colorBuffer(source),
        tables.buffer,
        this.#cases,
        selection,
        this.state,
        vertices,
        indices,
      ]),
    };
  }

  setRequest(cutter: Cutter): void {
    this.#parameters.set(cutterParameters(cutter, this.#center));
    this.#parameters.write();
  }

  record(pass: GPUComputePassEncoder): void {
    if (this.#kernels) recordBlocks(this.#gpu, pass, this.#kernels, this.#blockCount);
  }
}

/**
 * The cells' cuts by a plane or a sphere, as marching cubes finds them in the implicit function's values at the nodes,
 * which are computed where they are needed: no field is read but the colour's, and only the cut blocks. Normals are
 * the implicit function's own. A node on the plane counts as below. A box of the grid's cells is cut alone, where one is
 * given.
 */
export function createCutExtractor(
  gpu: GpuContext,
  events: SurfaceEvents = {},
  cells?: Box,
): Promise<SurfaceExtractor<SurfaceBase, Cutter>> {
  const shaders = {
    reset: resetShader,
    select: selectCutBlocksShader,
    emit: emitShader(gpu, emitCutShader),
  };
  return createExtractor(
    gpu,
    events,
    shaders,
    (scope, pipelines) => new CutPass(gpu, scope, pipelines, cells),
  );
}
