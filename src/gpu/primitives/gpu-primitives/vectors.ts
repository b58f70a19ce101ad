import {
  badArgument,
  checkComponents,
  checkIndices,
  checkLength,
  checkNotEmpty,
  checkRange,
  checkScalar,
  foreignVector,
  releasedVector,
} from "../../../core/primitives/checks.ts";
import type { HostArray, ScalarType, Vector } from "../../../core/primitives/vector.ts";
import type { View } from "../../compute/view.ts";
import type { PooledBuffer } from "../../device/pool.ts";
import { fromWord } from "../base/operator-wgsl.ts";
import { adoptedBlock, type Block } from "./blocks.ts";
import type { Ticket } from "./call-sequencer.ts";
import { type Chunk, chunkOf, piecesOf } from "./chunks.ts";
import { type Eventual, together } from "./eventual.ts";
import { type CheckedMap, checkedMaps, checkMap } from "./index-check.ts";
import type { Session } from "./session.ts";
import { type Reader, readerOf } from "./sources.ts";
import { blocksOf, type GpuVector, isGpuVector, memoryVector, partOf, viewOf, viewVector } from "./vector.ts";

const arrayTypes = { u32: Uint32Array, i32: Int32Array, f32: Float32Array };

export interface Shape<T extends ScalarType = ScalarType> {
  readonly type: T;
  readonly length: number;
  readonly components: number;
}

/** Vectors in GPU memory, views of them, and how methods read and make them. */
export class GpuVectors {
  protected readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** Submits what has been recorded, without waiting for it. */
  flush(): void {
    this.session.flush();
  }

  /** Bytes of released vectors and of workspace, which `trim` gives back. */
  get idleSize(): number {
    return this.session.idleSize;
  }

  /** Gives the memory of released vectors and of workspace back to the device. */
  trim(): void {
    this.session.trim();
  }

  /** Frees everything, vectors too; what was not submitted is dropped. Methods throw from now on. */
  dispose(): void {
    this.session.dispose();
  }

  fromHost<T extends ScalarType>(type: T, data: HostArray<T>, components = 1): Vector<T> {
    const what = "fromHost";
    this.session.checkAlive(what);
    if (!(data instanceof arrayTypes[type])) {
      throw badArgument(
        `${what} was given no ${arrayTypes[type].name} for ${type}.`,
        "Convert the data first.",
      );
    }
    checkComponents(what, data.length, components);
    const length = data.length / components;
    this.checkMemory(what, length, components);
    return memoryVector(this, { type, length, components }, this.session.upload(data));
  }

  /**
   * A vector over words of somebody else's buffer (usage STORAGE | COPY_SRC), which is neither copied nor freed: while it is
   * read, its owner neither changes nor releases it.
   */
  adopt<T extends ScalarType>(type: T, memory: PooledBuffer, length: number, components = 1): Vector<T> {
    const what = "adopt";
    this.session.checkAlive(what);
    checkLength(what, length, Math.floor(memory.size / (4 * components)));
    const block = adoptedBlock(memory, () => this.session.gpu.pool.holds(memory.buffer));
    const content = { kind: "memory", block, offset: (memory.offset ?? 0) / 4 } as const;
    return viewVector(this, { type, length, components }, content);
  }

  async toHost<T extends ScalarType>(vector: Vector<T>): Promise<HostArray<T>> {
    const of = this.read("toHost", "vector", vector);
    const { content } = of;
    const { components } = of;
    const chunks = content.kind === "memory" ? [{ from: 0, to: of.length }] : this.chunks([of]);
    return this.using([of], async (ticket) => {
      const parts =
        content.kind === "memory"
          ? [() => viewOf(of, content)]
          : this.readers(...chunks.map((chunk) => chunkOf(of, chunk)));
      const readers = await ticket.ready(parts);
      // All are submitted before the first is waited for: no other method comes between them.
      const reading = readers.map((reader) => this.session.read(reader, components));
      const words = await ticket.recorded(Promise.all(reading));
      if (words.length === 1) return asElements(of.type, words[0]);
      const all = new Uint32Array(of.length * components);
      for (const [k, part] of words.entries()) all.set(part, chunks[k].from * components);
      return asElements(of.type, all);
    });
  }

  async front(vector: Vector): Promise<number> {
    const of = this.readScalar("front", "vector", vector);
    checkNotEmpty("front", vector);
    return this.#element(of, 0);
  }

  async back(vector: Vector): Promise<number> {
    const of = this.readScalar("back", "vector", vector);
    checkNotEmpty("back", vector);
    return this.#element(of, of.length - 1);
  }

  view<T extends ScalarType>(vector: Vector<T>, from: number, to: number): Vector<T> {
    const of = this.read("view", "vector", vector);
    checkRange("view", from, to, vector.length);
    return partOf(of, from, to);
  }

  counting<T extends ScalarType>(type: T, length: number, start = 0, step = 1): Vector<T> {
    checkLength("counting", length);
    return viewVector(this, { type, length, components: 1 }, { kind: "counting", first: 0, start, step });
  }

  constant<T extends ScalarType>(type: T, length: number, value: number): Vector<T> {
    checkLength("constant", length);
    return viewVector(this, { type, length, components: 1 }, { kind: "constant", value });
  }

  reversed<T extends ScalarType>(vector: Vector<T>): Vector<T> {
    const of = this.read("reversed", "vector", vector);
    return viewVector(this, of, { kind: "reversed", of });
  }

  permuted<T extends ScalarType>(vector: Vector<T>, map: Vector<"u32">, checked = false): Vector<T> {
    const of = this.read("permuted", "vector", vector);
    const through = this.read("permuted", "map", map);
    checkIndices("permuted", "map", map);
    const { type, components } = of;
    const shape = { type, length: map.length, components };
    return viewVector(this, shape, { kind: "permuted", of, map: through, checked });
  }

  /** The vector as one of ours that has not been released. */
  protected read<T extends ScalarType>(what: string, name: string, vector: Vector<T>): GpuVector<T> {
    this.session.checkAlive(what);
    if (!isGpuVector(vector) || vector.owner !== this) throw foreignVector(what, name);
    const blocks = blocksOf(vector);
    for (const block of blocks) if (block.isReleased) throw releasedVector(what, name);
    checkKept(blocks);
    return vector;
  }

  protected readScalar<T extends ScalarType>(what: string, name: string, vector: Vector<T>): GpuVector<T> {
    const read = this.read(what, name, vector);
    checkScalar(what, name, vector);
    return read;
  }

  /** Throws where a vector with memory cannot have such a length. */
  protected checkMemory(what: string, length: number, components = 1): void {
    this.session.checkAlive(what);
    checkLength(what, length, Math.floor(this.session.gpu.pool.largestBuffer / (4 * components)));
  }

  /** Throws where a vector of such a length cannot be bound as one. */
  protected checkRoom(what: string, length: number, components = 1): void {
    this.checkMemory(what, length, components);
    checkLength(what, length, Math.floor(this.session.maxBinding / (4 * components)));
  }

  /** Chunks of vectors that are as long as each other, and of what comes of them; one where all fit a binding. */
  protected chunks(
    vectors: readonly GpuVector[],
    components = vectors[0].components,
    { length } = vectors[0],
  ): readonly Chunk[] {
    return piecesOf(this.session.maxBinding, vectors, length, components);
  }

  /** Encodes what is done with each chunk; the workspace of one is free for the next. */
  protected encodeChunks(chunks: readonly Chunk[], encode: (chunk: Chunk, k: number) => void): void {
    for (const [k, chunk] of chunks.entries()) this.session.recorder.scratch(() => encode(chunk, k));
  }

  /**
   * Keeps what vectors read until `body` is done, whoever releases them meanwhile. It records in its ticket, and calls no
   * other method that does. The maps that are checked are so before it, and those of the vectors.
   */
  protected async using<R>(
    vectors: readonly GpuVector[],
    body: (ticket: Ticket) => Promise<R>,
    checked: readonly CheckedMap[] = [],
  ): Promise<R> {
    const { session } = this;
    const blocks: Block[] = [];
    const maps: CheckedMap[] = [];
    for (const vector of vectors) {
      for (const block of blocksOf(vector)) blocks.push(block);
      if (!hasMemory(vector)) maps.push(...checkedMaps(vector));
    }
    maps.push(...checked);
    for (const block of blocks) block.retain();
    const ticket = session.sequencer.take(() => {
      session.checkAlive("A method that was called before");
      checkKept(blocks);
      return maps.length === 0 ? undefined : this.#checkMaps(maps);
    });
    try {
      return await body(ticket);
    } finally {
      ticket.end();
      for (const block of blocks) block.done();
    }
  }

  protected reader(vector: GpuVector): Eventual<Reader> {
    return readerOf(this.session, vector);
  }

  protected readers(...vectors: readonly GpuVector[]): Eventual<readonly Reader[]> {
    return together(vectors.map((vector) => this.reader(vector)));
  }

  /** For each chunk the readers of the vectors' parts. */
  protected chunkReaders(
    chunks: readonly Chunk[],
    vectors: readonly GpuVector[],
  ): Eventual<readonly (readonly Reader[])[]> {
    return together(chunks.map((chunk) => this.readers(...vectors.map((vector) => chunkOf(vector, chunk)))));
  }

  /** A new vector that `encode` writes. */
  protected produce<T extends ScalarType>(shape: Shape<T>, encode: (output: View) => void): GpuVector<T> {
    const [vector] = this.produceAll([shape], ([output]) => encode(output));
    return vector;
  }

  /** New vectors that `encode` writes. */
  protected produceAll<T extends ScalarType>(
    shapes: readonly Shape<T>[],
    encode: (outputs: readonly View[]) => void,
  ): readonly GpuVector<T>[] {
    const vectors = this.#room(shapes);
    try {
      this.session.record(() => encode(vectors.map(memoryOf)), vectors.flatMap(blocksOf));
      return vectors;
    } catch (error) {
      for (const vector of vectors) vector.release();
      throw error;
    }
  }

  /** New vectors that `encode` writes, and a number of elements that it leaves on the GPU. */
  protected async produceCounted<S extends ScalarType>(
    shapes: readonly Shape<S>[],
    encode: (outputs: readonly View[], total: View) => void,
  ): Promise<{ readonly vectors: readonly GpuVector<S>[]; readonly total: number }> {
    const { vectors, totals } = await this.produceChunks(shapes, 1, encode);
    return { vectors, total: totals[0] };
  }

  /** New vectors that `encode` writes, and as many numbers of elements, which it leaves on the GPU. */
  protected async produceChunks<S extends ScalarType>(
    shapes: readonly Shape<S>[],
    chunks: number,
    encode: (outputs: readonly View[], totals: View) => void,
  ): Promise<{ readonly vectors: readonly GpuVector<S>[]; readonly totals: Uint32Array }> {
    const vectors = this.#room(shapes);
    try {
      const outputs = vectors.map(memoryOf);
      const counted = () => {
        const buffer = this.session.recorder.workspace("numbers of elements", chunks * 4);
        const view = { buffer, offset: 0, length: chunks };
        encode(outputs, view);
        return view;
      };
      const totals = await this.session.read(counted, 1, vectors.flatMap(blocksOf));
      return { vectors, totals };
    } catch (error) {
      for (const vector of vectors) vector.release();
      throw error;
    }
  }

  /** A vector's first elements, in less memory where that saves half or more; takes the vector. */
  protected shortened<T extends ScalarType>(vector: GpuVector<T>, length: number): GpuVector<T> {
    const { type, components, content } = vector;
    const shape = { type, length, components };
    if (content.kind !== "memory") return vector;
    if (!this.session.blocks.isWasteful(content.block, length * components)) {
      return memoryVector(this, shape, content.block);
    }
    try {
      return this.produce(shape, (output) =>
        this.copyWords({ ...memoryOf(vector), length }, output, components),
      );
    } finally {
      vector.release();
    }
  }

  protected copyWords(from: View, to: View, components: number): void {
    const bytes = from.length * components * 4;
    if (bytes === 0) return;
    const { encoder } = this.session.recorder;
    encoder.copyBufferToBuffer(from.buffer, from.offset * 4, to.buffer, to.offset * 4, bytes);
  }

  #room<T extends ScalarType>(shapes: readonly Shape<T>[]): readonly GpuVector<T>[] {
    this.session.checkAlive("A new vector");
    return shapes.map((shape) =>
      memoryVector(this, shape, this.session.blocks.take(shape.length * shape.components)),
    );
  }

  async #checkMaps(maps: readonly CheckedMap[]): Promise<void> {
    for (const map of maps) await checkMap(this.session, map);
  }

  #element(of: GpuVector, i: number): Promise<number> {
    return this.using([of], async (ticket) => {
      const reader = await ticket.ready(this.reader(partOf(of, i, i + 1)));
      const [word] = await ticket.recorded(this.session.read(reader));
      return fromWord(of.type, word);
    });
  }
}

const hasMemory = ({ content }: GpuVector): boolean => content.kind === "memory";

/** The words of a vector with memory. */
export function memoryOf(vector: GpuVector): View {
  const { content } = vector;
  if (content.kind !== "memory") throw new Error("Only vectors with memory have words.");
  return viewOf(vector, content);
}

/** Throws why a block does not hold what was to be written to it. */
function checkKept(blocks: readonly Block[]): void {
  for (const { fault } of blocks) if (fault) throw fault;
}

function asElements<T extends ScalarType>(type: T, words: Uint32Array<ArrayBuffer>): HostArray<T>;
function asElements(type: ScalarType, { buffer }: Uint32Array<ArrayBuffer>): HostArray {
  return new arrayTypes[type](buffer);
}
