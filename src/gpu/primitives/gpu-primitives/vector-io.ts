import { checkLength } from "../../../core/primitives/checks.ts";
import type { HostArray, ScalarType } from "../../../core/primitives/vector.ts";
import type { View } from "../../compute/view.ts";
import type { Block } from "./blocks.ts";
import type { Ticket } from "./call-sequencer.ts";
import { type Chunk, chunkOf, piecesOf } from "./chunks.ts";
import { type Eventual, together } from "./eventual.ts";
import { type CheckedMap, checkedMaps, checkMap } from "./index-check.ts";
import type { Session } from "./session.ts";
import { type Reader, readerOf } from "./sources.ts";
import { blocksOf, type GpuVector, memoryVector, viewOf, viewVector } from "./vector.ts";

export interface Shape<T extends ScalarType = ScalarType> {
  readonly type: T;
  readonly length: number;
  readonly components: number;
}

/** How methods read vectors and make new ones, in the order of the calls. It owns the vectors that it makes. */
export class VectorIo {
  readonly session: Session;

  constructor(session: Session) {
    this.session = session;
  }

  /** A new vector of these words. */
  upload<T extends ScalarType>(type: T, words: HostArray<T>, components = 1): GpuVector<T> {
    const length = words.length / components;
    return memoryVector(this, { type, length, components }, this.session.upload(words));
  }

  /** The view 0, 1, …, length − 1. */
  counting(length: number): GpuVector<"u32"> {
    const content = { kind: "counting", first: 0, start: 0, step: 1 } as const;
    return viewVector(this, { type: "u32", length, components: 1 }, content);
  }

  /** Throws TooLarge where a vector of such a length cannot be bound as one. `what` is the method. */
  checkBinding(what: string, length: number): void {
    checkLength(what, length, Math.floor(this.session.maxBinding / 4));
  }

  /** Chunks of vectors that are as long as each other, and of what comes of them; one where all fit a binding. */
  chunks(
    vectors: readonly GpuVector[],
    components = vectors[0].components,
    { length } = vectors[0],
  ): readonly Chunk[] {
    return piecesOf(this.session.maxBinding, vectors, length, components);
  }

  /** Encodes what is done with each chunk; the workspace of one is free for the next. */
  encodeChunks(chunks: readonly Chunk[], encode: (chunk: Chunk, k: number) => void): void {
    for (const [k, chunk] of chunks.entries()) this.session.recorder.scratch(() => encode(chunk, k));
  }

  /**
   * Keeps what vectors read until `body` is done, whoever releases them meanwhile. It records in its ticket, and calls no
   * other method that does. The maps that are checked are so before it, and those of the vectors.
   */
  async using<R>(
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

  reader(vector: GpuVector): Eventual<Reader> {
    return readerOf(this.session, vector);
  }

  readers(...vectors: readonly GpuVector[]): Eventual<readonly Reader[]> {
    return together(vectors.map((vector) => this.reader(vector)));
  }

  /** For each chunk the readers of the vectors' parts. */
  chunkReaders(
    chunks: readonly Chunk[],
    vectors: readonly GpuVector[],
  ): Eventual<readonly (readonly Reader[])[]> {
    return together(chunks.map((chunk) => this.readers(...vectors.map((vector) => chunkOf(vector, chunk)))));
  }

  /** A new vector that `encode` writes. */
  produce<T extends ScalarType>(shape: Shape<T>, encode: (output: View) => void): GpuVector<T> {
    const [vector] = this.produceAll([shape], ([output]) => encode(output));
    return vector;
  }

  /** New vectors that `encode` writes. */
  produceAll<T extends ScalarType>(
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
  async produceCounted<S extends ScalarType>(
    shapes: readonly Shape<S>[],
    encode: (outputs: readonly View[], total: View) => void,
  ): Promise<{ readonly vectors: readonly GpuVector<S>[]; readonly total: number }> {
    const { vectors, totals } = await this.produceChunks(shapes, 1, encode);
    return { vectors, total: totals[0] };
  }

  /** New vectors that `encode` writes, and as many numbers of elements, which it leaves on the GPU. */
  async produceChunks<S extends ScalarType>(
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
  shortened<T extends ScalarType>(vector: GpuVector<T>, length: number): GpuVector<T> {
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

  copyWords(from: View, to: View, components: number): void {
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
}

const hasMemory = ({ content }: GpuVector): boolean => content.kind === "memory";

/** The words of a vector with memory. */
export function memoryOf(vector: GpuVector): View {
  const { content } = vector;
  if (content.kind !== "memory") throw new Error("Only vectors with memory have words.");
  return viewOf(vector, content);
}

/** Throws why a block does not hold what was to be written to it. */
export function checkKept(blocks: readonly Block[]): void {
  for (const { fault } of blocks) if (fault) throw fault;
}
