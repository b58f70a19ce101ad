import type { RowAccess } from "../core/primitives/access.ts";
import type { EachArguments, ForEachArguments } from "../core/primitives/backend.ts";
import type { RowShare, Signature } from "../core/primitives/kernel.ts";
import type { Vector } from "../core/primitives/vector.ts";
import { declaredReach, type Reach } from "../kernel/footprint.ts";
import type { Offsets } from "./api.ts";
import { limitsOf } from "./limits.ts";
import {
  areSameOffsets,
  evenOffsets,
  intersection,
  lengthOf,
  lengthsOf,
  type Range,
  rangesOf,
} from "./offsets.ts";
import type { Step } from "./step.ts";
import type { Limit, RankVector } from "./vector.ts";
import { isWholeAtHand, wholeOf } from "./whole.ts";
import { alignedPart, windowOf } from "./window.ts";

export interface RankArguments extends ForEachArguments {
  readonly inputs: Readonly<Record<string, RankVector>>;
  readonly at?: RankVector<"u32">;
}

/** What a rank makes of a function of elements: how many results, and what its local primitives are given. */
export interface RankPart {
  readonly offsets: Offsets;
  readonly count: number;
  readonly given: Omit<ForEachArguments, "share"> & { readonly share: RowShare };
}

/** How far functions read the inputs that they read around their element. Throws BadArgument where one declares no distance. */
export const reachesOf = (
  { inputs }: Signature,
  { constants }: Pick<EachArguments, "constants">,
): Readonly<Record<string, Reach>> =>
  Object.fromEntries(
    Object.entries(inputs).flatMap(([name, { access }]) =>
      access.kind === "footprint" ? [[name, declaredReach(name, access.footprint, constants)]] : [],
    ),
  );

/**
 * Results are where the first of the inputs' own elements are, or the places that are given, or what the first input is read
 * around, or in even parts. Other own elements are moved there; what is read around elements gets halos; tables are gathered.
 */
export async function rankPart(
  step: Step,
  count: number,
  signature: Signature,
  reaches: Readonly<Record<string, Reach>>,
  { inputs, constants, at, share }: RankArguments,
): Promise<RankPart> {
  const entries = Object.entries(signature.inputs);
  const first = share?.first ?? 0;
  const rowOf = (name: string, access: RowAccess): Row => ({
    first,
    origin: share?.origins?.[name] ?? 0,
    length: inputs[name].length,
    stride: access.kind === "footprint" ? (access.stride ?? 1) : 1,
  });
  const [own] = entries.flatMap(([name, { access }]) => (access.kind === "own" ? [inputs[name]] : []));
  const [around] = entries.filter(([, { access }]) => access.kind === "footprint");
  const beside = around && offsetsBeside(inputs[around[0]], rowOf(around[0], around[1].access), count);
  const offsets = own?.offsets ?? at?.offsets ?? beside ?? evenOffsets(count, step.size);
  const places = at && (await alignedPart(step, at, offsets));
  const elements =
    places && around
      ? await limitsOf(step, places, areSameOffsets(at.offsets, offsets) ? at.stored : undefined)
      : elementsIn(offsets, first);
  const origins: Record<string, number> = {};
  const parts: Record<string, Vector> = {};
  for (const [name, { access }] of entries) {
    const vector = inputs[name];
    const row = rowOf(name, access);
    origins[name] = row.origin;
    if (access.kind === "own") parts[name] = await alignedPart(step, vector, offsets);
    else if (access.kind === "all") parts[name] = await wholeOf(step, vector);
    else {
      const ranges = surroundings(elements, reaches[name], row);
      if (isWholeAtHand(vector) || (at && areWide(ranges, vector))) parts[name] = await wholeOf(step, vector);
      else {
        parts[name] = await windowOf(step, vector, ranges);
        origins[name] += ranges[step.rank].from;
      }
    }
  }
  return {
    offsets,
    count: lengthsOf(offsets)[step.rank],
    given: {
      inputs: parts,
      constants,
      at: places,
      share: { first: first + offsets[step.rank], origins },
    },
  };
}

/** Where a vector is in the row that it is read as. */
interface Row {
  /** The first result's place. */
  readonly first: number;
  /** The position of the vector's first element. */
  readonly origin: number;
  readonly length: number;
  readonly stride: number;
}

/** The first and the last element of the row that results of each rank are at; undefined where it has no results. */
const elementsIn = (offsets: Offsets, first: number): readonly Limit[] =>
  lengthsOf(offsets).map((count, rank) =>
    count === 0 ? undefined : [first + offsets[rank], first + offsets[rank] + count - 1],
  );

/** Results where the elements are that they are at, in as many parts; undefined where some are at none. */
function offsetsBeside(
  { offsets }: RankVector,
  { first, origin, length, stride }: Row,
  count: number,
): Offsets | undefined {
  if (first * stride < origin || (first + count - 1) * stride - origin >= length) return undefined;
  const starts = offsets.map((offset) =>
    Math.max(0, Math.min(count, Math.ceil((offset + origin) / stride) - first)),
  );
  return [0, ...starts.slice(1, -1), count];
}

/** Of each rank the elements around its results that the vector has. */
const surroundings = (
  elements: readonly Limit[],
  { before, after }: Reach,
  { origin, length, stride }: Row,
): readonly Range[] =>
  elements.map((ofRank) => {
    if (!ofRank) return { from: 0, to: 0 };
    const [first, last] = ofRank;
    const from = Math.max(0, first * stride - before[0] - origin);
    const to = Math.min(length, last * stride + after[0] + 1 - origin);
    return from < to ? { from, to } : { from: 0, to: 0 };
  });

/** Whether ranks lack so much of a vector that it is better gathered, once for all that read it. */
function areWide(ranges: readonly Range[], { offsets, length }: RankVector): boolean {
  const parts = rangesOf(offsets);
  const lacking = ranges.reduce(
    (sum, range, rank) => sum + lengthOf(range) - lengthOf(intersection(range, parts[rank])),
    0,
  );
  return 2 * lacking > (ranges.length - 1) * length;
}
