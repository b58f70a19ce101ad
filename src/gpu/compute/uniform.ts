import type { GpuContext } from "../device/context.ts";
import type { BufferScope, PooledBuffer } from "../device/pool.ts";
import type { Fragment } from "../shader/fragment.ts";
import { makeStructuredView, type StructuredView } from "../shader/layout.ts";
import { structDefinition } from "../shader/struct-definition.ts";

type Definition = ReturnType<typeof structDefinition>;

/** Declarations are constants of modules. */
const parsed = new WeakMap<Fragment, Definition>();

function definitionOf(declaration: Fragment): Definition {
  let definition = parsed.get(declaration);
  if (!definition) {
    definition = structDefinition(declaration.code);
    parsed.set(declaration, definition);
  }
  return definition;
}

/**
 * A uniform buffer that stays, whose members are set by name: a binding of the whole buffer. `Values` are the members of
 * the WGSL struct, numbers and arrays of them. For parameters of a single dispatch, as words, see `Recorder.parameters`.
 */
export class Uniform<Values extends object> {
  /** To be bound. */
  readonly buffer: GPUBuffer;
  readonly #queue: GPUQueue;
  readonly #view: StructuredView;

  /** `declaration` declares the uniform and its struct, and nothing else; `scope` gets the buffer. */
  constructor({ device }: GpuContext, scope: BufferScope, declaration: Fragment) {
    this.#queue = device.queue;
    this.#view = makeStructuredView(definitionOf(declaration));
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    const allocated: PooledBuffer = scope.allocate(
      declaration.name,
      this.#view.arrayBuffer.byteLength,
      usage,
    );
    this.buffer = allocated.buffer;
  }

  set(values: Partial<Values>): void {
    this.#view.set(values);
  }

  /** Everything submitted from now on reads what was set. */
  write(): void {
    this.#queue.writeBuffer(this.buffer, 0, this.#view.arrayBuffer);
  }
}

/** A uniform buffer of a struct of f32 that never changes; `scope` gets it. For kernels whose members are not known beforehand. */
export function constantUniform(
  { device }: GpuContext,
  scope: BufferScope,
  label: string,
  members: readonly number[],
): PooledBuffer {
  const words = new Float32Array(Math.ceil(members.length / 4) * 4);
  words.set(members);
  const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
  const uniform = scope.allocate(label, words.byteLength, usage);
  device.queue.writeBuffer(uniform.buffer, 0, words);
  return uniform;
}
