import type { ScalarType } from "../core/primitives/vector.ts";
import type { Offsets } from "./api.ts";
import { areOwn, checkIndices, ownersOf, placesOf } from "./gather.ts";
import { limitsOf } from "./limits.ts";
import { areSameOffsets } from "./offsets.ts";
import type { Step } from "./step.ts";
import { madeAlone, type RankVector } from "./vector.ts";
import { alignedPart } from "./window.ts";
import { bitsOf, wordsOf } from "./words.ts";

interface ScatterOptions {
  readonly isChecked: boolean;
  readonly stencil?: RankVector<"u32">;
}

/**
 * target[map[i]] = source[i], by one alltoall; where all ranks' elements go to their own parts, without one. Throws `indexOutOfRange` on all ranks where it is asked to, before the target
 * is changed.
 */
export async function scatterInto<T extends ScalarType>(
  step: Step,
  source: RankVector<T>,
  map: RankVector<"u32">,
  target: RankVector<T>,
  { isChecked, stencil }: ScatterOptions,
): Promise<void> {
  const { local, exchange, rank, size } = step;
  const { type, components } = source;
  const sourcePart = await source.part(step);
  const mapPart = await alignedPart(step, map, source.offsets);
  const chosenPart = stencil && (await alignedPart(step, stencil, source.offsets));
  const targetPart = await target.part(step);
  if (size === 1) {
    for (const memory of target.memories) memory.version++;
    await exchange.together(() =>
      chosenPart
        ? local.scatterIf(sourcePart, mapPart, chosenPart, targetPart, isChecked)
        : local.scatter(sourcePart, mapPart, targetPart, isChecked),
    );
    return;
  }
  const changed = () => {
    for (const memory of target.memories) {
      memory.version++;
      exchange.awaitConfirmation(memory);
    }
  };
  const limits = await limitsOf(
    step,
    mapPart,
    areSameOffsets(map.offsets, source.offsets) ? map.stored : undefined,
  );
  if (areOwn(limits, target.offsets)) {
    changed();
    await exchange.alone(async () => {
      const places = await placesOf(step, mapPart, target.offsets);
      if (chosenPart) await local.scatterIf(sourcePart, places, chosenPart, targetPart);
      else await local.scatter(sourcePart, places, targetPart);
    });
    return;
  }
  const arrived = await exchange.alltoall(async () => {
    const indices = await local.toHost(mapPart);
    const chosen = chosenPart && (await local.toHost(chosenPart));
    if (isChecked) {
      checkIndices(stencil ? "scatterIf" : "scatter", indices, target.length, source.offsets[rank], chosen);
    }
    const words = bitsOf(await local.toHost(sourcePart));
    return sendings(words, indices, components, target.offsets, chosen);
  });
  changed();
  await exchange.alone(async () => {
    for (const words of arrived) {
      if (words.length === 0) continue;
      const count = words.length / (components + 1);
      const places = step.hold(local.fromHost("u32", words.subarray(0, count)));
      const elements = step.hold(local.fromHost(type, wordsOf(type, words.subarray(count)), components));
      await local.scatter(elements, places, targetPart);
    }
  });
}

/** A vector whose element map[i] is source[i], zeros where there is none, distributed as the offsets say. */
export async function placed<T extends ScalarType>(
  step: Step,
  offsets: Offsets,
  ...moved: readonly { readonly source: RankVector<T>; readonly map: RankVector<"u32"> }[]
): Promise<RankVector<T>> {
  const { local, rank } = step;
  const example = await moved[0].source.part(step);
  const target = await madeAlone(step, example, offsets, () =>
    local.gather(local.constant("u32", offsets[rank + 1] - offsets[rank], 2 ** 32 - 1), example),
  );
  for (const { source, map } of moved) await scatterInto(step, source, map, target, { isChecked: false });
  return target;
}

/** For each rank the places in its part, and the elements that go there. */
function sendings(
  words: Uint32Array,
  indices: Uint32Array,
  components: number,
  offsets: Offsets,
  chosen?: Uint32Array,
) {
  const { owners, counts } = ownersOf(indices, offsets, chosen);
  const pieces = counts.map(
    (count) => [new Uint32Array(count), new Uint32Array(components * count)] as const,
  );
  const next = counts.map(() => 0);
  for (let i = 0; i < indices.length; i++) {
    const owner = owners[i];
    if (owner < 0) continue;
    const [places, elements] = pieces[owner];
    const k = next[owner]++;
    places[k] = indices[i] - offsets[owner];
    for (let c = 0; c < components; c++) elements[components * k + c] = words[components * i + c];
  }
  return pieces;
}
