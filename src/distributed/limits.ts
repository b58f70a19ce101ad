import type { Vector } from "../core/primitives/vector.ts";
import type { Step } from "./step.ts";
import type { Limit, Memory, RankVector } from "./vector.ts";

/**
 * Between which numbers the elements of each rank lie, of which this rank has the part. Of a vector with memory, ranks exchange that
 * once, unless they know it already.
 */
export async function limitsOf(
  { local, exchange }: Step,
  part: Vector<"u32">,
  stored?: Memory,
): Promise<readonly Limit[]> {
  if (stored?.limits && stored.limits.version === stored.version) return stored.limits.perRank;
  const extremes = await exchange.allgather(async () =>
    Uint32Array.from(part.length === 0 ? [] : await local.minmax(part)),
  );
  const perRank = extremes.map(
    ([lowest, highest]): Limit => (lowest === undefined ? undefined : [lowest, highest]),
  );
  if (stored) stored.limits = { version: stored.version, perRank };
  return perRank;
}

/** The first element of each rank that comes after another one with elements: ranks exchange these unless they know them already. */
export async function firstsOf(
  step: Step,
  vector: RankVector<"u32">,
): Promise<readonly (number | undefined)[]> {
  const { local, exchange, rank } = step;
  const { offsets } = vector;
  const known = vector.firsts?.() ?? [];
  const isEmpty = (k: number) => offsets[k] === offsets[k + 1];
  const lowest = offsets.slice(1).findIndex((_, k) => !isEmpty(k));
  const isKnown = (k: number) => known[k] !== undefined || isEmpty(k) || k === lowest;
  if (offsets.slice(1).every((_, k) => isKnown(k))) return offsets.slice(1).map((_, k) => known[k]);
  const part = await vector.part(step);
  const words = await exchange.allgather(async () =>
    Uint32Array.from(isEmpty(rank) ? [] : [await local.front(part)]),
  );
  return words.map(([word]) => word);
}
