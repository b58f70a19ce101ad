import { indexOutOfRange } from "../core/primitives/checks.ts";
import type { NaryFunction } from "../core/primitives/functions.ts";
import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import type { Offsets } from "./api.ts";
import { limitsOf } from "./limits.ts";
import { ownerOf } from "./offsets.ts";
import type { Step } from "./step.ts";
import { type Limit, madeAlone, type RankVector, vectorOf } from "./vector.ts";
import { alignedPart } from "./window.ts";
import { bitsOf, joined, wordsOf } from "./words.ts";

/** Where there is nothing to be gathered. */
const nowhere = 2 ** 32 - 1;

/** What ranks ask each other for, and where each answer is among the answers, those of lower ranks first. */
interface Requests {
  readonly perRank: readonly (readonly [Uint32Array])[];
  readonly answers: Uint32Array;
}

interface GatherOptions<T extends ScalarType> {
  readonly isChecked: boolean;
  /** Only where the stencil is not 0; the fallback's elements elsewhere. */
  readonly unless?: { readonly stencil: RankVector<"u32">; readonly fallback: RankVector<T> };
}

/**
 * Element i is source[map[i]], distributed as the map is: ranks ask each other by one alltoall and answer by another. Throws
 * `indexOutOfRange` on all ranks where it is asked to.
 */
export async function gathered<T extends ScalarType>(
  step: Step,
  what: string,
  map: RankVector<"u32">,
  source: RankVector<T>,
  { isChecked, unless }: GatherOptions<T>,
): Promise<RankVector<T>> {
  const { local, exchange, rank, size } = step;
  const { type, components } = source;
  const mapPart = await map.part(step);
  const sourcePart = await source.part(step);
  const stencil = unless && (await alignedPart(step, unless.stencil, map.offsets));
  const fallback = unless && (await alignedPart(step, unless.fallback, map.offsets));
  if (size === 1) {
    const own = await exchange.together(() =>
      stencil && fallback
        ? local.gatherIf(mapPart, stencil, sourcePart, fallback, isChecked)
        : local.gather(mapPart, sourcePart, isChecked),
    );
    return vectorOf(step, own, map.offsets);
  }
  if (!unless && areOwn(await limitsOf(step, mapPart, map.stored), source.offsets)) {
    return madeAlone(step, source, map.offsets, async () =>
      local.gather(await placesOf(step, mapPart, source.offsets), sourcePart),
    );
  }
  let answers: Uint32Array = new Uint32Array(0);
  const asked = await exchange.alltoall(async () => {
    const indices = await local.toHost(mapPart);
    const chosen = stencil && (await local.toHost(stencil));
    if (isChecked) checkIndices(what, indices, source.length, map.offsets[rank], chosen);
    const requests = requestsOf(indices, source.offsets, chosen);
    answers = requests.answers;
    return requests.perRank;
  });
  const elements = await exchange.alltoall(async () => {
    const places = local.fromHost("u32", joined(asked));
    const found = await local.gather(places, sourcePart);
    const words = bitsOf(await local.toHost(found));
    places.release();
    found.release();
    let at = 0;
    return asked.map(({ length }) => {
      at += length;
      return [words.subarray(components * (at - length), components * at)];
    });
  });
  return madeAlone(step, source, map.offsets, async () => {
    const pool = step.hold(local.fromHost(type, wordsOf(type, joined(elements)), components));
    const places = step.hold(local.fromHost("u32", answers));
    return stencil && fallback ? local.gatherIf(places, stencil, pool, fallback) : local.gather(places, pool);
  });
}

const sum: NaryFunction = { name: "sum", text: "x0 + x1" };

/** Where elements of this rank's part are, by their indices in the whole; until the end of the step. */
export async function placesOf(step: Step, indices: Vector<"u32">, offsets: Offsets): Promise<Vector<"u32">> {
  const { local, rank } = step;
  const first = local.constant("u32", indices.length, -offsets[rank] >>> 0);
  return step.hold(await local.zip([indices, first], sum, "u32"));
}

/** Whether all indices of each rank are those of its own elements, as where something was enumerated: then nothing travels. */
export const areOwn = (limits: readonly Limit[], offsets: Offsets): boolean =>
  limits.every((limit, k) => !limit || (limit[0] >= offsets[k] && limit[1] < offsets[k + 1]));

/** Throws for the first index that is out of range, of those whose stencil is not 0. */
export function checkIndices(
  what: string,
  indices: Uint32Array,
  length: number,
  first: number,
  chosen?: Uint32Array,
): void {
  const position = indices.findIndex((index, i) => index >= length && chosen?.[i] !== 0);
  if (position >= 0) throw indexOutOfRange(what, first + position, indices[position], length);
}

/** The owner of each index, −1 where it is out of range or its stencil is 0; and how many each rank owns. */
export function ownersOf(indices: Uint32Array, offsets: readonly number[], chosen?: Uint32Array) {
  const length = offsets[offsets.length - 1];
  const counts = new Array<number>(offsets.length - 1).fill(0);
  const owners = new Int32Array(indices.length).fill(-1);
  // Of neighbours, that of one is mostly the other's.
  let owner = 0;
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i];
    if (index >= length || chosen?.[i] === 0) continue;
    if (!(index >= offsets[owner] && index < offsets[owner + 1])) owner = ownerOf(offsets, index);
    counts[owner]++;
    owners[i] = owner;
  }
  return { owners, counts };
}

function requestsOf(indices: Uint32Array, offsets: readonly number[], chosen?: Uint32Array): Requests {
  const { owners, counts } = ownersOf(indices, offsets, chosen);
  const perRank = counts.map((count) => [new Uint32Array(count)] as const);
  const [next, before] = [
    counts.map(() => 0),
    counts.map((_, k) => counts.slice(0, k).reduce((a, b) => a + b, 0)),
  ];
  const answers = new Uint32Array(indices.length);
  for (let i = 0; i < indices.length; i++) {
    const owner = owners[i];
    if (owner < 0) {
      answers[i] = nowhere;
      continue;
    }
    perRank[owner][0][next[owner]] = indices[i] - offsets[owner];
    answers[i] = before[owner] + next[owner]++;
  }
  return { perRank, answers };
}
