import type { EachArguments, ForEachBackend } from "../../../core/primitives/backend.ts";
import type { Kernel, Slot } from "../../../core/primitives/kernel.ts";
import { elementsName, type ForEachKernel, storageBindings } from "../for-each/code.ts";
import type { Read } from "../for-each/for-each.ts";
import { chunkOf, isLong, piecesOf, windowOf } from "./chunks.ts";
import { type Eventual, mapEventual, together } from "./eventual.ts";
import { forEachKey } from "./kernels.ts";
import type { GpuVector } from "./vector.ts";
import type { VectorIo } from "./vector-io.ts";

interface Given extends EachArguments {
  readonly inputs: Readonly<Record<string, GpuVector>>;
  readonly at?: GpuVector<"u32">;
}

/** What every call of a kernel asks of its signature. */
interface KernelSignature {
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

/** What runs kernels. */
export const gpuForEach = (io: VectorIo): ForEachBackend => ({
  forEach(count, kernel, { inputs, constants, at: places, share }: Given) {
    const { session } = io;
    const { names, isOwn, outputNames, outputs: slots, maxComponents } = signatureOf(kernel);
    const vectors = names.map((name) => inputs[name]);
    const shapes = slots.map(({ type, components = 1 }) => ({ type, length: count, components }));
    const own = vectors.filter((_, k) => isOwn[k]);
    if (places) own.push(places);
    return io.using(places ? [...vectors, places] : vectors, async (ticket) => {
      const chunks = piecesOf(session.maxBinding, own, count, maxComponents);
      const made = mappedIn(io, { kernel, hasAt: places !== undefined, mapped: [] }, vectors, places);
      const readerFor = (name: string, vector: GpuVector) =>
        made.mapped.includes(name) ? mappedReader(io, vector) : plainReader(io, vector);
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
      const results = io.produceAll(shapes, (outputs) =>
        io.encodeChunks(chunks, (chunk, k) =>
          forEach.record(session.recorder, {
            first: (share?.first ?? 0) + chunk.from,
            count: chunk.to - chunk.from,
            inputs: readers[k].map((reader, i) => ({ ...reader(), origin: share?.origins?.[names[i]] })),
            outputs: outputs.map((output, o) => windowOf(output, chunk, shapes[o].components)),
            constants,
            at: atReaders?.[k](),
          }),
        ),
      );
      return Object.fromEntries(outputNames.map((name, k) => [name, results[k]]));
    });
  },
});

/** The kernel made for maps to be read in place, as far as the device binds them. */
function mappedIn(
  io: VectorIo,
  made: ForEachKernel,
  vectors: readonly GpuVector[],
  at: GpuVector | undefined,
): ForEachKernel {
  const { gpu, maxBinding } = io.session;
  const { names, isOwn } = signatureOf(made.kernel);
  const isMapped = ({ content }: GpuVector) => content.kind === "permuted" && !isLong(maxBinding, content.of);
  const mapped = names.filter((_, k) => isOwn[k] && isMapped(vectors[k]));
  if (at && isMapped(at)) mapped.unshift(elementsName);
  if (mapped.length === 0) return made;
  const room = gpu.maxStorageBuffers - storageBindings(made);
  return { ...made, mapped: mapped.slice(0, Math.max(room, 0)) };
}

function plainReader(io: VectorIo, vector: GpuVector): Eventual<() => Read> {
  return mapEventual(io.reader(vector), (reader) => () => ({ view: reader() }));
}

function mappedReader(io: VectorIo, { content }: GpuVector): Eventual<() => Read> {
  if (content.kind !== "permuted") throw new Error("Only permuted vectors are read through maps.");
  return mapEventual(io.readers(content.of, content.map), ([view, map]) => () => ({
    view: view(),
    map: map(),
  }));
}
