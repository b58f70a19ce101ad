import type { GpuContext } from "../device/context.ts";
import type { BufferScope, PooledBuffer } from "../device/pool.ts";
import type { Fragment } from "../shader/fragment.ts";
import { makeShaderDataDefinitions, makeStructuredView, type StructuredView } from "../shader/layout.ts";

/** A uniform buffer whose members are set by name. */
export class Uniform<Values extends object> {
  readonly #gpu: GpuContext;
  readonly #view: StructuredView;
  readonly #buffer: PooledBuffer;

  /** `declaration` declares the uniform of that name and its struct. */
  constructor(gpu: GpuContext, scope: BufferScope, declaration: Fragment, name: string) {
    this.#gpu = gpu;
    this.#view = makeStructuredView(makeShaderDataDefinitions(declaration.code).uniforms[name]);
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
