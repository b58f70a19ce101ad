import type { ConstantValues } from "../../../core/primitives/access.ts";
import type { EachArguments, EachBackend } from "../../../core/primitives/backend.ts";
import type { RowShare, Signature } from "../../../core/primitives/kernel.ts";
import type { Reduction, Tally } from "../../../core/primitives/reduction.ts";
import type { EachOperands } from "../each/signature.ts";
import { type Chunk, chunkOf, piecesOf } from "./chunks.ts";
import { type Eventual, together } from "./eventual.ts";
import { keyOf } from "./kernels.ts";
import type { Session } from "./session.ts";
import type { Reader } from "./sources.ts";
import type { GpuVector } from "./vector.ts";
import type { VectorIo } from "./vector-io.ts";

interface Given extends EachArguments {
  readonly inputs: Readonly<Record<string, GpuVector>>;
}

/** What is read for a function of elements, a chunk at a time. */
interface Prepared {
  readonly chunks: readonly Chunk[];
  readonly vectors: readonly GpuVector[];
  readonly constants: ConstantValues;
  readonly share?: RowShare;
}

/** Counters that a workgroup has of its own: 16 KiB at most, which every device has. */
const capacities = [256, 1024, 4096];

/** How workgroups count bins: in counters of their own, of which there are so many; none where bins are more. */
const capacityFor = (bins: number): number => capacities.find((counters) => bins <= counters) ?? 0;

/** What reduces and counts what functions make of elements, without storing that. */
export const gpuEach = (io: VectorIo): EachBackend => ({
  reduceEach(count, reduction, given: Given) {
    const { session } = io;
    const prepared = preparedFor(session, count, reduction, given);
    return io.using(prepared.vectors, async (ticket) => {
      const [reduce, readers] = await ticket.ready(
        together([
          session.compiled(keyFor(reduction, "reduce each", termsKey), async () => {
            const { createReduceEach } = await import("../each/reduce-each.ts");
            return createReduceEach(session.gpu, reduction);
          }),
          readersOf(io, reduction, prepared),
        ]),
      );
      const { recorder } = session;
      const words = Object.keys(reduction.terms).length;
      const lengths = prepared.chunks.map(({ from, to }) => words * reduce.groups(to - from));
      const length = lengths.reduce((sum, each) => sum + each, 0);
      const shares = await ticket.recorded(
        session.read(() => {
          const buffer = recorder.workspace("shares of a reduction", length * 4);
          let offset = 0;
          io.encodeChunks(prepared.chunks, (chunk, k) => {
            const result = { buffer, offset, length: lengths[k] };
            offset += lengths[k];
            reduce.record(recorder, operandsOf(chunk, readers[k], prepared), result);
          });
          return { buffer, offset: 0, length };
        }),
      );
      return reduce.join(shares);
    });
  },

  countEach(count, tally, bins, given: Given) {
    const { session } = io;
    io.checkBinding("countEach", bins);
    const prepared = preparedFor(session, count, tally, given);
    const capacity = capacityFor(bins);
    return io.using(prepared.vectors, async (ticket) => {
      const [counting, readers] = await ticket.ready(
        together([
          session.compiled(
            keyFor(tally, `count each, ${capacity}`, () => undefined),
            async () => {
              const { createCountEach } = await import("../each/count-each.ts");
              return createCountEach(session.gpu, tally, capacity);
            },
          ),
          readersOf(io, tally, prepared),
        ]),
      );
      return io.produce({ type: "u32", length: bins, components: 1 }, (counts) => {
        const { recorder } = session;
        recorder.encoder.clearBuffer(counts.buffer, counts.offset * 4, counts.length * 4);
        io.encodeChunks(prepared.chunks, (chunk, k) =>
          counting.record(recorder, operandsOf(chunk, readers[k], prepared), counts),
        );
      });
    });
  },
});

function preparedFor(
  session: Session,
  count: number,
  signature: Signature,
  { inputs, constants, share }: Given,
): Prepared {
  const slots = Object.entries(signature.inputs);
  const vectors = slots.map(([name]) => inputs[name]);
  const own = vectors.filter((_, k) => slots[k][1].access.kind === "own");
  const chunks = count === 0 ? [] : piecesOf(session.maxBinding, own, count, 1);
  return { chunks, vectors, constants, share };
}

/** For each chunk the readers of the inputs. */
function readersOf(
  io: VectorIo,
  { inputs }: Signature,
  { chunks, vectors }: Prepared,
): Eventual<readonly (readonly Reader[])[]> {
  const slots = Object.values(inputs);
  return together(
    chunks.map((chunk) =>
      io.readers(
        ...vectors.map((vector, k) => (slots[k].access.kind === "own" ? chunkOf(vector, chunk) : vector)),
      ),
    ),
  );
}

const operandsOf = (
  { from, to }: Chunk,
  readers: readonly Reader[],
  { constants, share }: Prepared,
): EachOperands => ({
  first: (share?.first ?? 0) + from,
  count: to - from,
  inputs: readers.map((reader) => reader()),
  constants,
  origins: share?.origins,
});

const keys = new WeakMap<object, Map<string, string>>();

/** What identifies the code of a function of elements: made once a function and a use of it. */
function keyFor<S extends Reduction | Tally>(made: S, use: string, more: (made: S) => unknown): string {
  const known = keys.get(made) ?? new Map<string, string>();
  keys.set(made, known);
  let key = known.get(use);
  if (key === undefined) {
    const { inputs, constants, text, functions } = made;
    key = keyOf(use, inputs, constants, text, functions, more(made));
    known.set(use, key);
  }
  return key;
}

const termsKey = ({ terms }: Reduction) =>
  Object.entries(terms).map(([name, { type, operator }]) => [
    name,
    type,
    operator.text(type),
    String(operator.identity(type)),
  ]);
