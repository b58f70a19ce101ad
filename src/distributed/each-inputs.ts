import type { EachArguments, ForEachArguments } from "../core/primitives/backend.ts";
import type { RowShare, Signature } from "../core/primitives/kernel.ts";
import type { Vector } from "../core/primitives/vector.ts";
import { declaredReach, type Reach } from "../kernel/footprint.ts";
import { evenOffsets, lengthsOf, type Offsets, type Range } from "./offsets.ts";
import type { Step } from "./step.ts";
import type { RankVector } from "./vector.ts";
import { alignedPart, wholeOf, windowOf } from "./window.ts";

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
 * Results are where the first of the inputs' own elements are, or the places that are given, or in even parts. Other own elements
 * are moved there; what is read around elements gets halos, or is gathered where places are given; tables are gathered.
 */
export async function rankPart(
  step: Step,
  count: number,
  signature: Signature,
  reaches: Readonly<Record<string, Reach>>,
  { inputs, constants, at, share }: RankArguments,
): Promise<RankPart> {
  const entries = Object.entries(signature.inputs);
  const [own] = entries.flatMap(([name, { access }]) => (access.kind === "own" ? [inputs[name]] : []));
  const { offsets } = own ?? at ?? { offsets: evenOffsets(count, step.size) };
  const first = share?.first ?? 0;
  const origins: Record<string, number> = {};
  const parts: Record<string, Vector> = {};
  for (const [name, { access }] of entries) {
    const vector = inputs[name];
    const origin = share?.origins?.[name] ?? 0;
    origins[name] = origin;
    if (access.kind === "own") parts[name] = await alignedPart(step, vector, offsets);
    else if (access.kind === "all" || at) parts[name] = await wholeOf(step, vector);
    else {
      const row = { first, origin, length: vector.length, stride: access.stride ?? 1 };
      const ranges = surroundings(offsets, reaches[name], row);
      parts[name] = await windowOf(step, vector, ranges);
      origins[name] = origin + ranges[step.rank].from;
    }
  }
  return {
    offsets,
    count: lengthsOf(offsets)[step.rank],
    given: {
      inputs: parts,
      constants,
      at: at && (await alignedPart(step, at, offsets)),
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

/** Of each rank the elements around its results that the vector has. */
const surroundings = (
  offsets: Offsets,
  { before, after }: Reach,
  { first, origin, length, stride }: Row,
): readonly Range[] =>
  lengthsOf(offsets).map((count, rank) => {
    if (count === 0) return { from: 0, to: 0 };
    const place = first + offsets[rank];
    const from = Math.max(0, place * stride - before[0] - origin);
    const to = Math.min(length, (place + count - 1) * stride + after[0] + 1 - origin);
    return from < to ? { from, to } : { from: 0, to: 0 };
  });
