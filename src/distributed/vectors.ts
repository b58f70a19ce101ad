import type { CrinkleError } from "../core/errors.ts";
import type { VectorsBackend } from "../core/primitives/backend.ts";
import type { HostArray, ScalarType, Vector } from "../core/primitives/vector.ts";
import { gathered } from "./gather.ts";
import { evenOffsets, rangesOf } from "./offsets.ts";
import type { Ranks, Step } from "./step.ts";
import { isRankVector, type RankVector, storedVector, viewIn, viewOf } from "./vector.ts";
import { windowOf } from "./window.ts";
import { bitsOf, elementOf, joined, wordOf, wordsOf } from "./words.ts";

/** Words of a rank's longest part, and of all parts together. */
const [maxPart, maxWhole] = [2 ** 30, 2 ** 31];

/** Words of the host that a vector keeps for kernels that read it as a table: ranks then gather nothing. */
const maxTable = 2 ** 14;

/** Vectors over ranks, and views of them. */
export const distributedVectors = (ranks: Ranks): VectorsBackend => ({
  maxWords: Math.min(maxWhole, ranks.size * maxPart),
  checkAlive() {},

  stateOf(vector: Vector) {
    if (!isRankVector(vector) || vector.owner !== ranks) return "foreign";
    return vector.memories.some(({ isReleased }) => isReleased) ? "released" : "held";
  },

  fromHost(type, data, components) {
    const { rank, size, local } = ranks;
    const offsets = evenOffsets(data.length / components, size);
    let part: Vector<typeof type> | undefined;
    let failure: unknown;
    try {
      const [from, to] = [components * offsets[rank], components * offsets[rank + 1]];
      part = local.fromHost(type, wordsOf(type, bitsOf(data).subarray(from, to)), components);
    } catch (error) {
      failure = error;
    }
    const table = data.length <= maxTable ? (data.slice() as typeof data) : undefined;
    const vector = storedVector(ranks, { type, components }, offsets, part, table);
    const report = async ({ exchange }: Step) => {
      await exchange.alone(() => {
        if (failure) throw failure;
      });
      exchange.awaitConfirmation(vector.stored);
    };
    // With one rank alone, the failure is thrown at once.
    ranks.run(report).catch((error: CrinkleError) => vector.stored.fail(error));
    return vector;
  },

  toHost: <T extends ScalarType>(vector: RankVector<T>) => ranks.run((step) => hostWordsOf(step, vector)),

  element: (vector: RankVector, i) =>
    ranks.run(async (step) => {
      const part = await vector.part(step);
      const [from, to] = vector.offsets.slice(step.rank);
      const words = await step.exchange.allgather(async () =>
        i >= from && i < to
          ? bitsOf(await step.local.toHost(step.local.view(part, i - from, i - from + 1)))
          : new Uint32Array(0),
      );
      const [word] = words.find(({ length }) => length > 0) ?? [];
      return elementOf(vector.type, word);
    }),

  view: <T extends ScalarType>(vector: RankVector<T>, from: number, to: number) =>
    windowView(ranks, vector, from, to),

  counting(type, length, start, step) {
    const { rank, local } = ranks;
    const offsets = evenOffsets(length, ranks.size);
    const all = () => local.counting(type, length, start, step);
    const part = async () => {
      const [from, to] = offsets.slice(rank);
      if (type === "f32") return local.view(all(), from, to);
      const first = wordOf(type, start) + Math.imul(wordOf(type, step), from);
      return local.counting(type, to - from, elementOf(type, first), step);
    };
    return viewOf(ranks, { type, components: 1 }, offsets, [], { part, all });
  },

  constant(type, length, value) {
    const { rank, local } = ranks;
    const offsets = evenOffsets(length, ranks.size);
    const part = async () => local.constant(type, offsets[rank + 1] - offsets[rank], value);
    return viewOf(ranks, { type, components: 1 }, offsets, [], {
      part,
      all: () => local.constant(type, length, value),
    });
  },

  reversed: <T extends ScalarType>(vector: RankVector<T>) =>
    viewOf(ranks, vector, vector.offsets, [vector], {
      async part(step) {
        const { length, offsets } = vector;
        const mirrored = rangesOf(offsets).map(({ from, to }) => ({ from: length - to, to: length - from }));
        const window = await windowOf(step, vector, mirrored);
        return step.exchange.isFailing ? window : step.local.reversed(window);
      },
    }),

  permuted: <T extends ScalarType>(vector: RankVector<T>, map: RankVector<"u32">, isChecked: boolean) =>
    viewOf(ranks, vector, map.offsets, [vector, map], {
      part: async (step) => {
        const elements = await gathered(step, "permuted", map, vector, { isChecked });
        return step.hold(elements).part(step);
      },
    }),
});

/** Elements [from, to): of each part what lies within. */
function windowView<T extends ScalarType>(
  ranks: Ranks,
  vector: RankVector<T>,
  from: number,
  to: number,
): RankVector<T> {
  const offsets = vector.offsets.map((offset) => Math.max(0, Math.min(offset, to) - from));
  const { all, isWritable } = vector;
  return viewOf(ranks, vector, offsets, [vector], {
    isWritable,
    all: all && (() => ranks.local.view(all(), from, to)),
    firsts: () =>
      // Where the window has a rank's first element, that is its first one, too.
      vector.firsts?.().map((first, k) => (vector.offsets[k] >= from ? first : undefined)) ?? [],
    async part(step) {
      const first = offsets[step.rank] + from - vector.offsets[step.rank];
      const length = offsets[step.rank + 1] - offsets[step.rank];
      return viewIn(
        step,
        await vector.part(step),
        length === 0 ? 0 : first,
        length === 0 ? 0 : first + length,
      );
    },
  });
}

/** All words on all ranks. */
async function hostWordsOf<T extends ScalarType>(step: Step, vector: RankVector<T>): Promise<HostArray<T>> {
  const part = await vector.part(step);
  const parts = await step.exchange.allgather(async () => bitsOf(await step.local.toHost(part)));
  return step.exchange.together(() => wordsOf(vector.type, joined(parts)));
}
