import type { CompactionBackend } from "../core/primitives/backend.ts";
import type { NaryFunction, Predicate, UnaryFunction } from "../core/primitives/functions.ts";
import { add } from "../core/primitives/operators.ts";
import type { Segments, Selection } from "../core/primitives/primitives.ts";
import type { ScalarType } from "../core/primitives/vector.ts";
import { evenOffsets, rangesOf } from "./offsets.ts";
import { scannedByKey } from "./scan-by-key.ts";
import { placed } from "./scatter.ts";
import type { Ranks, Step } from "./step.ts";
import { collected, collectedAll, madeAlone, positionsIn, type RankVector } from "./vector.ts";
import { alignedPart, windowOf } from "./window.ts";

type RankSelection = { readonly where: Predicate } | { readonly stencil: RankVector<"u32"> };

/** What moves elements by selection and by segment. What is kept stays on its rank. */
export const distributedCompaction = (ranks: Ranks): CompactionBackend => ({
  compact: <T extends ScalarType>(
    vector: RankVector<T>,
    selection: RankSelection,
    keeps: "selected" | "rejected",
  ) =>
    ranks.run(async (step) => {
      const part = await vector.part(step);
      const selected = await selectionOf(step, selection, vector);
      return collected(step, () =>
        keeps === "selected" ? step.local.copyIf(part, selected) : step.local.removeIf(part, selected),
      );
    }),

  partition: <T extends ScalarType>(vector: RankVector<T>, selection: RankSelection) =>
    ranks.run(async (step) => {
      const part = await vector.part(step);
      const selected = await selectionOf(step, selection, vector);
      const [ones, others] = await collectedAll(
        step,
        async () =>
          [await step.local.copyIf(part, selected), await step.local.removeIf(part, selected)] as const,
      );
      step.hold(ones);
      step.hold(others);
      return { vector: await concatenated(step, ones, others), selected: ones.length };
    }),

  segmentedSplit: <T extends ScalarType>(
    vector: RankVector<T>,
    flags: RankVector<"u32">,
    segments: Segments,
  ) =>
    ranks.run(async (step) => {
      const { local } = step;
      const { offsets } = vector;
      const numbers = { type: "u32", components: 1 } as const;
      const flagged = await alignedPart(step, flags, offsets);
      const flag = async (f: UnaryFunction) =>
        step.hold(await madeAlone(step, numbers, offsets, () => local.transform(flagged, f, "u32")));
      const [ones, zeros] = [await flag(isSet), await flag(isClear)];
      const before = await scannedByKey(step, segments, ones, add, { isExclusive: true });
      const after = await scannedByKey(step, segments, zeros, add, { isExclusive: true, reverse: true });
      step.hold(before);
      step.hold(after);
      const parts = [
        positionsIn(step, offsets),
        await ones.part(step),
        await before.part(step),
        await after.part(step),
      ];
      const places = madeAlone(step, numbers, offsets, () => local.zip(parts, splitPlace, "u32"));
      const map = step.hold(await places);
      return placed(step, offsets, { source: vector, map });
    }),
});

const isSet: UnaryFunction = { name: "is set", text: "min(x, 1u)" };
const isClear: UnaryFunction = { name: "is clear", text: "1u - min(x, 1u)" };

/** Past the zeros that follow, or before the ones that precede. */
const splitPlace: NaryFunction = { name: "place in a split", text: "select(x0 - x2, x0 + x3, x1 == 1u)" };

/** The elements whose stencil is not 0, where they are. */
export async function chosen<T extends ScalarType>(
  step: Step,
  vector: RankVector<T>,
  stencil: RankVector<"u32">,
): Promise<RankVector<T>> {
  const part = await vector.part(step);
  const flags = await alignedPart(step, stencil, vector.offsets);
  return collected(step, () => step.local.copyIf(part, { stencil: flags }));
}

/** The elements of `a`, then those of `b`, in even parts. */
async function concatenated<T extends ScalarType>(
  step: Step,
  a: RankVector<T>,
  b: RankVector<T>,
): Promise<RankVector<T>> {
  const { local, rank, size } = step;
  const offsets = evenOffsets(a.length + b.length, size);
  const within = (length: number, shift: number) =>
    rangesOf(offsets.map((offset) => Math.max(0, Math.min(length, offset - shift))));
  const first = await windowOf(step, a, within(a.length, 0));
  const second = await windowOf(step, b, within(b.length, a.length));
  return madeAlone(step, a, offsets, async () => {
    const both = await local.gather(local.counting("u32", offsets[rank + 1] - offsets[rank]), first);
    await local.scatter(second, local.counting("u32", second.length, first.length), both);
    return both;
  });
}

async function selectionOf(step: Step, selection: RankSelection, vector: RankVector): Promise<Selection> {
  if ("where" in selection) return selection;
  return { stencil: await alignedPart(step, selection.stencil, vector.offsets) };
}
