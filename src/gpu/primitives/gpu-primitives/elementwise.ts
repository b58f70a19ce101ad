import { checkKernel, checkZip } from "../../../core/primitives/checks.ts";
import type { NaryFunction, UnaryFunction } from "../../../core/primitives/functions.ts";
import type {
  Inputs,
  Kernel,
  KernelArguments,
  Slot,
  Slots,
  VectorsOf,
} from "../../../core/primitives/kernel.ts";
import type { ScalarType, Vector } from "../../../core/primitives/vector.ts";
import { elementsName, type ForEachKernel, storageBindings } from "../for-each/code.ts";
import type { Read } from "../for-each/for-each.ts";
import { chunkOf, isLong, piecesOf, windowOf } from "./chunks.ts";
import { GpuEach } from "./each.ts";
import { type Eventual, mapEventual, together } from "./eventual.ts";
import { asNary, forEachKey } from "./kernels.ts";
import { zipOf } from "./sources.ts";
import { type GpuVector, viewOf } from "./vector.ts";

const itself: UnaryFunction = { name: "copy", text: "x" };

/** What every call of a kernel asks of its signature. */
interface KernelSignature {
  readonly what: string;
  readonly names: readonly string[];
  /** Whether inputs are read at the result's own place. */
  readonly isOwn: readonly boolean[];
  readonly outputNames: readonly string[];
  readonly outputs: readonly Slot[];
  readonly maxComponents: number;
}

const signatures = new WeakMap<Kernel, KernelSignature>();

function signatureOf(kernel: Kernel): KernelSignature {
  let signature = signatures.get(kernel);
  if (!signature) {
    const outputs = Object.values(kernel.outputs);
    signature = {
      what: `forEach (“${kernel.name}”)`,
      names: Object.keys(kernel.inputs),
      isOwn: Object.values(kernel.inputs).map(({ access }) => access.kind === "own"),
      outputNames: Object.keys(kernel.outputs),
      outputs,
      maxComponents: Math.max(...outputs.map(({ components = 1 }) => components)),
    };
    signatures.set(kernel, signature);
  }
  return signature;
}

/** What is made an element at a time. */
export class GpuElementwise extends GpuEach {
  async fill<T extends ScalarType>(type: T, length: number, value: number): Promise<Vector<T>> {
    this.checkMemory("fill", length);
    return this.copy(this.constant(type, length, value));
  }

  async sequence<T extends ScalarType>(type: T, length: number, start = 0, step = 1): Promise<Vector<T>> {
    this.checkMemory("sequence", length);
    return this.copy(this.counting(type, length, start, step));
  }

  async generate<T extends ScalarType>(type: T, length: number, f: UnaryFunction): Promise<Vector<T>> {
    this.checkMemory("generate", length);
    return this.transform(this.counting("u32", length), f, type);
  }

  async copy<T extends ScalarType>(vector: Vector<T>): Promise<Vector<T>> {
    const of = this.read("copy", "vector", vector);
    this.checkMemory("copy", of.length, of.components);
    const { content, type, components } = of;
    if (content.kind !== "memory" && components === 1) return this.#zip([of], asNary(itself), type);
    return this.using([of], async (ticket) => {
      if (content.kind === "memory") {
        await ticket.ready(Promise.resolve());
        return this.produce(of, (output) => this.copyWords(viewOf(of, content), output, components));
      }
      const chunks = this.chunks([of]);
      const inputs = await ticket.ready(this.readers(...chunks.map((chunk) => chunkOf(of, chunk))));
      return this.produce(of, (output) =>
        this.encodeChunks(chunks, (chunk, k) =>
          this.copyWords(inputs[k](), windowOf(output, chunk, components), components),
        ),
      );
    });
  }

  async reverse<T extends ScalarType>(vector: Vector<T>): Promise<Vector<T>> {
    const of = this.read("reverse", "vector", vector);
    this.checkMemory("reverse", of.length, of.components);
    return this.copy(this.reversed(vector));
  }

  async transform<T extends ScalarType>(vector: Vector, f: UnaryFunction, type: T): Promise<Vector<T>> {
    const of = this.readScalar("transform", "vector", vector);
    this.checkMemory("transform", of.length);
    return this.#zip([of], asNary(f), type);
  }

  async zip<T extends ScalarType>(vectors: readonly Vector[], f: NaryFunction, type: T): Promise<Vector<T>> {
    const read = vectors.map((vector, k) => this.read("zip", `vector ${k}`, vector));
    checkZip("zip", read);
    this.checkMemory("zip", read[0].length);
    return this.#zip(read, f, type);
  }

  forEach<I extends Inputs, O extends Slots, C extends Slots>(
    count: number,
    kernel: Kernel<I, O, C>,
    given: KernelArguments<I, C>,
  ): Promise<VectorsOf<O>>;
  async forEach(
    count: number,
    kernel: Kernel,
    { inputs, constants, at }: KernelArguments<Inputs, Slots>,
  ): Promise<VectorsOf<Slots>> {
    const { session } = this;
    const { what, names, isOwn, outputNames, outputs: slots, maxComponents } = signatureOf(kernel);
    const vectors = names.map((name) => this.read(what, name, inputs[name]));
    const places = at && this.read(what, "at", at);
    checkKernel(what, count, kernel, { inputs, constants, at });
    this.checkMemory(what, count, maxComponents);
    const shapes = slots.map(({ type, components = 1 }) => ({ type, length: count, components }));
    const own = vectors.filter((_, k) => isOwn[k]);
    if (places) own.push(places);
    return this.using(places ? [...vectors, places] : vectors, async (ticket) => {
      const chunks = piecesOf(session.maxBinding, own, count, maxComponents);
      const made = this.#mapped({ kernel, hasAt: places !== undefined, mapped: [] }, vectors, places);
      const readerFor = (name: string, vector: GpuVector) =>
        made.mapped.includes(name) ? this.#mappedReader(vector) : this.#plainReader(vector);
      const [forEach, readers, atReaders] = await ticket.ready(
        together([
          session.compiled(forEachKey(made), async () => {
            const { createForEach } = await import("../for-each/for-each.ts");
            return createForEach(session.gpu, made);
          }),
          together(
            chunks.map((chunk) =>
              together(
                vectors.map((vector, k) => readerFor(names[k], isOwn[k] ? chunkOf(vector, chunk) : vector)),
              ),
            ),
          ),
          places && together(chunks.map((chunk) => readerFor(elementsName, chunkOf(places, chunk)))),
        ]),
      );
      const results = this.produceAll(shapes, (outputs) =>
        this.encodeChunks(chunks, (chunk, k) =>
          forEach.record(session.recorder, {
            first: chunk.from,
            count: chunk.to - chunk.from,
            inputs: readers[k].map((reader) => reader()),
            outputs: outputs.map((output, o) => windowOf(output, chunk, shapes[o].components)),
            constants,
            at: atReaders?.[k](),
          }),
        ),
      );
      return Object.fromEntries(outputNames.map((name, k) => [name, results[k]]));
    });
  }

  /** The kernel made for maps to be read in place, as far as the device binds them. */
  #mapped(made: ForEachKernel, vectors: readonly GpuVector[], at: GpuVector | undefined): ForEachKernel {
    const { gpu, maxBinding } = this.session;
    const { names, isOwn } = signatureOf(made.kernel);
    const isMapped = ({ content }: GpuVector) =>
      content.kind === "permuted" && !isLong(maxBinding, content.of);
    const mapped = names.filter((_, k) => isOwn[k] && isMapped(vectors[k]));
    if (at && isMapped(at)) mapped.unshift(elementsName);
    if (mapped.length === 0) return made;
    const room = gpu.maxStorageBuffers - storageBindings(made);
    return { ...made, mapped: mapped.slice(0, Math.max(room, 0)) };
  }

  #plainReader(vector: GpuVector): Eventual<() => Read> {
    return mapEventual(this.reader(vector), (reader) => () => ({ view: reader() }));
  }

  #mappedReader({ content }: GpuVector): Eventual<() => Read> {
    if (content.kind !== "permuted") throw new Error("Only permuted vectors are read through maps.");
    return mapEventual(this.readers(content.of, content.map), ([view, map]) => () => ({
      view: view(),
      map: map(),
    }));
  }

  #zip<T extends ScalarType>(vectors: readonly GpuVector[], f: NaryFunction, type: T): Promise<GpuVector<T>> {
    return this.using(vectors, async (ticket) => {
      const chunks = this.chunks(vectors);
      const writes = await ticket.ready(
        Promise.all(
          chunks.map((chunk) => {
            const parts = vectors.map((vector) => chunkOf(vector, chunk));
            return zipOf(this.session, parts, f, type);
          }),
        ),
      );
      return this.produce({ type, length: vectors[0].length, components: 1 }, (output) =>
        this.encodeChunks(chunks, (chunk, k) => writes[k](windowOf(output, chunk))),
      );
    });
  }
}
