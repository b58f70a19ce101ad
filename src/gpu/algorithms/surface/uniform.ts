import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import type { Fragment } from "../../shader/fragment.ts";
import { type UniformValues, UniformView } from "../../shader/layout.ts";

/** A uniform buffer whose members are set by name. */
export class Uniform<Values extends UniformValues<Values>> {
  readonly #gpu: GpuContext;
  readonly #view: UniformView<Values>;
  readonly #buffer: PooledBuffer;

  /** `declaration` declares the uniform of that name and its struct. */
  constructor(gpu: GpuContext, scope: BufferScope, declaration: Fragment, name: string) {
    this.#gpu = gpu;
    this.#view = new UniformView(declaration.code, name);
    this.#buffer = scope.allocate(
      declaration.name,
      this.#view.arrayBuffer.byteLength,
      GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST,
    );
  }

  get buffer(): GPUBuffer {
    return this.#buffer.buffer;
  }

  set(values: Partial<Values>): void {
    this.#view.set(values);
  }

  /** Everything submitted from now on reads what was set. */
  write(): void {
    this.#gpu.device.queue.writeBuffer(this.buffer, 0, this.#view.arrayBuffer);
  }
}
