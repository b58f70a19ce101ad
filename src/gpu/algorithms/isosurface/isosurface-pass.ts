import { floorF32 } from "../../../core/floor-f32.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import { dispatchExtents } from "../../shader/dispatch.ts";
import type { SurfaceBuffers } from "../surface/surface-buffers.ts";
import { stateWords } from "../surface/surface-state.ts";
import type { BlockIndex } from "./block-index.ts";
import { blocksPerRow } from "./kernels/block-ranges.ts";
import { packCaseTable } from "./kernels/case-words.ts";
import { selectThreads } from "./kernels/select-blocks.ts";
import { ParameterBlock } from "./parameters.ts";
import { bind, isosurfacePipelines, type Pipelines, type Stage } from "./pipelines.ts";
import type { SurfaceSource } from "./source.ts";

/** The kernels of an extraction with what they share: records them into a compute pass, submits nothing. */
export class IsosurfacePass {
  /** The draw arguments, then what was asked for; see `stateWords`. */
  readonly state: PooledBuffer;
  readonly #gpu: GpuContext;
  readonly #pipelines: Pipelines;
  readonly #parameters = new ParameterBlock();
  readonly #uniform: PooledBuffer;
  readonly #cases: PooledBuffer;
  #groups: Readonly<Record<Stage, GPUBindGroup>> | undefined;
  #blockCount = 0;
  #rowCount = 0;
  #fieldOffset = 0;

  private constructor(gpu: GpuContext, pipelines: Pipelines, scope: BufferScope) {
    this.#gpu = gpu;
    this.#pipelines = pipelines;
    const { STORAGE, UNIFORM, INDIRECT, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const table = packCaseTable();
    this.#uniform = scope.allocate(
      "isosurface: parameters",
      this.#parameters.bytes.byteLength,
      UNIFORM | COPY_DST,
    );
    this.#cases = scope.allocate("isosurface: cases", table.byteLength, STORAGE | COPY_DST);
    this.state = scope.allocate(
      "isosurface: draw arguments",
      stateWords * 4,
      STORAGE | INDIRECT | COPY_SRC | COPY_DST,
    );
    gpu.device.queue.writeBuffer(this.#cases.buffer, 0, table);
  }

  /** Compiles the kernels; `scope` gets the buffers. */
  static async create(gpu: GpuContext, scope: BufferScope): Promise<IsosurfacePass> {
    return new IsosurfacePass(gpu, await isosurfacePipelines(gpu), scope);
  }

  /** Chooses what the next recordings read and write. */
  configure(source: SurfaceSource, index: BlockIndex, surface: SurfaceBuffers): void {
    const { tables, field, component = 0, color = field, colorComponent = 0 } = source;
    this.#fieldOffset = field.offsets[component];
    this.#blockCount = index.count;
    this.#rowCount = Math.ceil(index.dims[0] / blocksPerRow) * index.dims[1] * index.dims[2];
    this.#parameters.set({
      dims: tables.dims,
      plane: component * field.count,
      blocks: index.dims,
      color_plane: source.color ? colorComponent * color.count : component * field.count,
      axes: tables.offsets,
      to_inverse: tables.total,
      block_count: index.count,
      vertex_capacity: surface.capacity.vertices,
      index_capacity: surface.capacity.indices,
    });
    const uniform = [0, this.#uniform.buffer] as const;
    const selection = index.selection.buffer;
    const ranges = index.ranges.buffer;
    const state = this.state.buffer;
    const values = [1, field.buffer.buffer] as const;
    const group = (stage: Stage, ...buffers: (readonly [number, GPUBuffer])[]) =>
      bind(this.#gpu, this.#pipelines, stage, buffers);
    this.#groups = {
      reset: group("reset", [1, selection], [2, state]),
      ranges: group("ranges", uniform, values, [2, ranges]),
      select: group("select", uniform, [1, ranges], [2, selection]),
      emit: group(
        "emit",
        uniform,
        values,
        [2, color.buffer.buffer],
        [3, tables.buffer.buffer],
        [4, this.#cases.buffer],
        [5, selection],
        [6, state],
        [7, surface.vertices.buffer],
        [8, surface.indices.buffer],
      ),
    };
  }

  /** Sets the isovalue of everything submitted from now on. */
  setIsovalue(isovalue: number): void {
    const relative = isovalue - this.#fieldOffset;
    const rounded = floorF32(relative);
    this.#parameters.set({ isovalue: rounded, isovalue_rest: relative - rounded });
    this.#gpu.device.queue.writeBuffer(this.#uniform.buffer, 0, this.#parameters.bytes);
  }

  /** Finds each block's range of values: before the first extraction from a field. */
  recordRanges(pass: GPUComputePassEncoder): void {
    this.#dispatch(pass, "ranges", this.#rowCount);
  }

  /** One extraction: three dispatches. */
  recordSurface(pass: GPUComputePassEncoder): void {
    this.#dispatch(pass, "reset", 1);
    this.#dispatch(pass, "select", Math.ceil(this.#blockCount / selectThreads));
    this.#dispatch(pass, "emit", Math.min(this.#blockCount, this.#pipelines.emitGroups));
  }

  #dispatch(pass: GPUComputePassEncoder, stage: Stage, workgroups: number): void {
    if (!this.#groups || workgroups === 0) return;
    pass.setPipeline(this.#pipelines[stage]);
    pass.setBindGroup(0, this.#groups[stage]);
    pass.dispatchWorkgroups(...dispatchExtents(workgroups));
    this.#gpu.counters.kernels++;
  }
}
