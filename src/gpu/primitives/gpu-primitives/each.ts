import type { ConstantValues } from "../../../core/primitives/access.ts";
import { checkBins, checkKernel, checkReduction } from "../../../core/primitives/checks.ts";
import type { Inputs, KernelArguments, Signature, Slots } from "../../../core/primitives/kernel.ts";
import type { Reduction, Tally, Terms, Totals } from "../../../core/primitives/reduction.ts";
import type { Vector } from "../../../core/primitives/vector.ts";
import type { EachOperands } from "../each/signature.ts";
import { type Chunk, chunkOf, piecesOf } from "./chunks.ts";
import { type Eventual, together } from "./eventual.ts";
import { keyOf } from "./kernels.ts";
import type { Reader } from "./sources.ts";
import type { GpuVector } from "./vector.ts";
import { GpuVectors } from "./vectors.ts";

type Given = KernelArguments<Inputs, Slots>;

/** What is read for a function of elements, a chunk at a time. */
interface Prepared {
  readonly chunks: readonly Chunk[];
  readonly vectors: readonly GpuVector[];
  readonly constants: ConstantValues;
}

/** Counters that a workgroup has of its own: 16 KiB at most, which every device has. */
const capacities = [256, 1024, 4096];

/** How workgroups count bins: in counters of their own, of which there are so many; none where bins are more. */
const capacityFor = (bins: number): number => capacities.find((counters) => bins <= counters) ?? 0;

/** What reduces and counts what functions make of elements, without storing that. */
export class GpuEach extends GpuVectors {
  reduceEach<I extends Inputs, T extends Terms, C extends Slots>(
    count: number,
    reduction: Reduction<I, T, C>,
    given: Omit<KernelArguments<I, C>, "at">,
  ): Promise<Totals<T>>;
  async reduceEach(count: number, reduction: Reduction, given: Given): Promise<Totals<Terms>> {
    const what = `reduceEach (“${reduction.name}”)`;
    checkReduction(what, reduction);
    const prepared = this.#prepared(what, count, reduction, given);
    const { session } = this;
    return this.using(prepared.vectors, async (ticket) => {
      const [reduce, readers] = await ticket.ready(
        together([
          session.compiled(keyFor(reduction, "reduce each", termsKey), async () => {
            const { createReduceEach } = await import("../each/reduce-each.ts");
            return createReduceEach(session.gpu, reduction);
          }),
          this.#readers(reduction, prepared),
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
          this.encodeChunks(prepared.chunks, (chunk, k) => {
            const result = { buffer, offset, length: lengths[k] };
            offset += lengths[k];
            reduce.record(recorder, operandsOf(chunk, readers[k], prepared), result);
          });
          return { buffer, offset: 0, length };
        }),
      );
      return reduce.join(shares);
    });
  }

  countEach<I extends Inputs, C extends Slots>(
    count: number,
    tally: Tally<I, C>,
    bins: number,
    given: Omit<KernelArguments<I, C>, "at">,
  ): Promise<Vector<"u32">>;
  async countEach(count: number, tally: Tally, bins: number, given: Given): Promise<Vector<"u32">> {
    const what = `countEach (“${tally.name}”)`;
    checkBins(what, bins);
    this.checkRoom(what, bins);
    const prepared = this.#prepared(what, count, tally, given);
    const { session } = this;
    const capacity = capacityFor(bins);
    return this.using(prepared.vectors, async (ticket) => {
      const [counting, readers] = await ticket.ready(
        together([
          session.compiled(
            keyFor(tally, `count each, ${capacity}`, () => undefined),
            async () => {
              const { createCountEach } = await import("../each/count-each.ts");
              return createCountEach(session.gpu, tally, capacity);
            },
          ),
          this.#readers(tally, prepared),
        ]),
      );
      return this.produce({ type: "u32", length: bins, components: 1 }, (counts) => {
        const { recorder } = session;
        recorder.encoder.clearBuffer(counts.buffer, counts.offset * 4, counts.length * 4);
        this.encodeChunks(prepared.chunks, (chunk, k) =>
          counting.record(recorder, operandsOf(chunk, readers[k], prepared), counts),
        );
      });
    });
  }

  #prepared(what: string, count: number, signature: Signature, { inputs, constants }: Given): Prepared {
    const slots = Object.entries(signature.inputs);
    const vectors = slots.map(([name]) => this.read(what, name, inputs[name]));
    checkKernel(what, count, signature, { inputs, constants });
    const own = vectors.filter((_, k) => slots[k][1].access.kind === "own");
    const chunks = count === 0 ? [] : piecesOf(this.session.maxBinding, own, count, 1);
    return { chunks, vectors, constants };
  }

  /** For each chunk the readers of the inputs. */
  #readers({ inputs }: Signature, { chunks, vectors }: Prepared): Eventual<readonly (readonly Reader[])[]> {
    const slots = Object.values(inputs);
    return together(
      chunks.map((chunk) =>
        this.readers(
          ...vectors.map((vector, k) => (slots[k].access.kind === "own" ? chunkOf(vector, chunk) : vector)),
        ),
      ),
    );
  }
}

const operandsOf = (
  { from, to }: Chunk,
  readers: readonly Reader[],
  { constants }: Prepared,
): EachOperands => ({
  first: from,
  count: to - from,
  inputs: readers.map((reader) => reader()),
  constants,
});

const keys = new WeakMap<object, Map<string, string>>();

/** What tells the code of a function of elements from others: made once a function and a use of it. */
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
