import type { VectorsBackend } from "../../../core/primitives/backend.ts";
import { badArgument, checkLength } from "../../../core/primitives/checks.ts";
import type { HostArray, ScalarType, Vector } from "../../../core/primitives/vector.ts";
import type { PooledBuffer } from "../../device/pool.ts";
import { fromWord } from "../base/operator-wgsl.ts";
import { adoptedBlock } from "./blocks.ts";
import { chunkOf } from "./chunks.ts";
import { blocksOf, type GpuVector, isGpuVector, partOf, viewOf, viewVector } from "./vector.ts";
import { checkKept, type VectorIo } from "./vector-io.ts";

/** What primitives on a GPU have besides the methods of all. */
export interface GpuMemory {
  /**
   * A vector over words of somebody else's buffer (usage STORAGE | COPY_SRC), which is neither copied nor freed: while it is
   * read, its owner neither changes nor releases it. `isHeld` tells whether it is still there: whether the pool holds it where
   * it is left out.
   */
  adopt<T extends ScalarType>(
    type: T,
    memory: PooledBuffer,
    length: number,
    components?: number,
    isHeld?: () => boolean,
  ): Vector<T>;
  /** Where a vector's words are, in bytes, until it is released. Throws BadArgument for views that are made up as they are read. */
  memory(vector: Vector): { readonly buffer: GPUBuffer; readonly offset: number; readonly size: number };
  /** Submits what has been recorded, without waiting for it. */
  flush(): void;
  /** Bytes of released vectors and of workspace, which `trim` gives back. */
  idleSize(): number;
  /** Gives back the buffers for read-backs that only calls side by side need. */
  trimReadBacks(): void;
  /** Gives the memory of released vectors and of workspace back to the device. */
  trim(): void;
  /** Frees everything, vectors too; what was not submitted is dropped. Methods throw from now on. */
  dispose(): void;
}

export const gpuMemory = (io: VectorIo): GpuMemory => ({
  adopt(type, memory, length, components = 1, isHeld = () => io.session.gpu.pool.holds(memory.buffer)) {
    const what = "adopt";
    const { session } = io;
    session.checkAlive(what);
    checkLength(what, length, Math.floor(memory.size / (4 * components)));
    const block = adoptedBlock(memory, isHeld);
    const content = { kind: "memory", block, offset: (memory.offset ?? 0) / 4 } as const;
    return viewVector(io, { type, length, components }, content);
  },
  memory(vector) {
    if (
      !isGpuVector(vector) ||
      vector.owner !== io ||
      vector.content.kind !== "memory" ||
      vector.content.block.isReleased
    ) {
      throw badArgument(
        "memory was given a vector that has none: a view, or one that was released or is not of these primitives.",
        "Give it what copy makes of a view.",
      );
    }
    const { block, offset } = vector.content;
    return { buffer: block.memory.buffer, offset: 4 * offset, size: 4 * vector.length * vector.components };
  },
  flush: () => io.session.flush(),
  idleSize: () => io.session.idleSize,
  trimReadBacks: () => io.session.trimReadBacks(),
  trim: () => io.session.trim(),
  dispose: () => io.session.dispose(),
});

/** Vectors in GPU memory, and views of them. */
export const gpuVectors = (io: VectorIo): VectorsBackend => ({
  maxWords: Math.floor(io.session.gpu.pool.largestBuffer / 4),
  checkAlive: (what) => io.session.checkAlive(what),

  stateOf(vector: Vector) {
    if (!isGpuVector(vector) || vector.owner !== io) return "foreign";
    const blocks = blocksOf(vector);
    for (const block of blocks) if (block.isReleased) return "released";
    checkKept(blocks);
    return "held";
  },

  fromHost: (type, data, components) => io.upload(type, data, components),

  toHost<T extends ScalarType>(vector: GpuVector<T>) {
    const { content, components } = vector;
    const chunks = content.kind === "memory" ? [{ from: 0, to: vector.length }] : io.chunks([vector]);
    return io.using([vector], async (ticket) => {
      const parts =
        content.kind === "memory"
          ? [() => viewOf(vector, content)]
          : io.readers(...chunks.map((chunk) => chunkOf(vector, chunk)));
      const readers = await ticket.ready(parts);
      // All are submitted before the first is waited for: no other method comes between them.
      const reading = readers.map((reader) => io.session.read(reader, components));
      const words = await ticket.recorded(Promise.all(reading));
      if (words.length === 1) return asElements(vector.type, words[0]);
      const all = new Uint32Array(vector.length * components);
      for (const [k, part] of words.entries()) all.set(part, chunks[k].from * components);
      return asElements(vector.type, all);
    });
  },

  element: (vector: GpuVector, i) =>
    io.using([vector], async (ticket) => {
      const reader = await ticket.ready(io.reader(partOf(vector, i, i + 1)));
      const [word] = await ticket.recorded(io.session.read(reader));
      return fromWord(vector.type, word);
    }),

  view: <T extends ScalarType>(vector: GpuVector<T>, from: number, to: number) => partOf(vector, from, to),

  counting: (type, length, start, step) =>
    viewVector(io, { type, length, components: 1 }, { kind: "counting", first: 0, start, step }),

  constant: (type, length, value) =>
    viewVector(io, { type, length, components: 1 }, { kind: "constant", value }),

  reversed: <T extends ScalarType>(vector: GpuVector<T>) =>
    viewVector(io, vector, { kind: "reversed", of: vector }),

  permuted<T extends ScalarType>(vector: GpuVector<T>, map: GpuVector<"u32">, isChecked: boolean) {
    const { type, components } = vector;
    const shape = { type, length: map.length, components };
    return viewVector(io, shape, { kind: "permuted", of: vector, map, checked: isChecked });
  },
});

const arrayTypes = { u32: Uint32Array, i32: Int32Array, f32: Float32Array };

function asElements<T extends ScalarType>(type: T, words: Uint32Array<ArrayBuffer>): HostArray<T>;
function asElements(type: ScalarType, { buffer }: Uint32Array<ArrayBuffer>): HostArray {
  return new arrayTypes[type](buffer);
}
