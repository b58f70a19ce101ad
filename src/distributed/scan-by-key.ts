import type { ScanByKeyRequest } from "../core/primitives/backend.ts";
import type { Operator, ResultOf } from "../core/primitives/functions.ts";
import { isLocating, resultType } from "../core/primitives/operators.ts";
import type { Primitives, Segments } from "../core/primitives/primitives.ts";
import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import { boundariesOf, endsOf, goesOn, type SegmentMarks, segmentMarksOf, segmentsOf } from "./boundaries.ts";
import { carried, positionsAfter } from "./carry.ts";
import type { Step } from "./step.ts";
import { folded, type Total, totalingOf } from "./totals.ts";
import { madeAlone, type RankVector } from "./vector.ts";

/** What other ranks have to know of a part that is not empty. */
interface PartEnds {
  readonly first: number;
  readonly last: number;
  /** Whether a segment begins within the part. */
  readonly isParted: boolean;
  /** Of the segment at the end in the scan's direction. */
  readonly total: Total;
}

/**
 * The scan of each segment. Ranks scan the segments of their parts; then the one at which a part begins (in the scan's direction) is
 * scanned once more, after what the parts before have of it.
 */
export async function scannedByKey<T extends ScalarType, O extends Operator>(
  step: Step,
  segments: Segments,
  values: RankVector<T>,
  operator: O,
  { isExclusive, reverse = false, init }: ScanByKeyRequest,
): Promise<RankVector<ResultOf<O, T>>> {
  const { local, exchange, rank } = step;
  const { offsets, type } = values;
  const part = await values.part(step);
  const marks = await segmentMarksOf(step, segments, offsets);
  const totaling = totalingOf(step, type, operator);
  const { length } = part;
  let boundaries = { first: length, last: 0 };
  const words = await exchange.allgather(async () => {
    if (length === 0) return new Uint32Array(0);
    boundaries = await boundariesOf(local, marks);
    const { first, last } = boundaries;
    const [from, to] = reverse ? [0, first] : [last, length];
    const total = await totaling.of(local.view(part, from, to), offsets[rank] + from, reverse);
    return Uint32Array.of(...(await endsOf(local, marks)), Number(last > 0), ...total);
  });
  const before = totalsBefore(marks, words, rank, reverse);
  const made = { type: resultType(operator, type), components: 1 };
  // Its type follows from the operator.
  const result = madeAlone(step, made, offsets, async () => {
    const options = { reverse, init };
    const own = segmentsOf(marks);
    const scanned: Vector = isExclusive
      ? await local.exclusiveScanByKey(own, part, operator, options)
      : await local.inclusiveScanByKey(own, part, operator, options);
    const kept = await inWhole(local, part, operator, scanned, offsets[rank]);
    if (before.length === 0) return kept;
    const [from, to] = reverse ? [boundaries.last, length] : [0, boundaries.first];
    const begin = init === undefined ? undefined : await totaling.ofInit(init);
    const fixed = await carried(local, local.view(part, from, to), operator, resultType(operator, type), {
      first: offsets[rank] + from,
      carry: folded(totaling, before, begin),
      isExclusive,
      reverse,
    });
    await local.scatter(fixed, local.counting("u32", to - from, from), kept);
    fixed.release();
    return kept;
  });
  return result as Promise<RankVector<ResultOf<O, T>>>;
}

/** Positions in a part as those in the whole; elements as they are. */
async function inWhole<R extends ScalarType>(
  local: Primitives,
  part: Vector,
  operator: Operator,
  scanned: Vector<R>,
  first: number,
): Promise<Vector<R>>;
async function inWhole(local: Primitives, part: Vector, operator: Operator, scanned: Vector, first: number) {
  if (!isLocating(operator)) return scanned;
  const positions = await positionsAfter(local, part, operator, scanned as Vector<"u32">, {
    first,
    carry: undefined,
  });
  scanned.release();
  return positions;
}

/** The totals of what parts before this one, in the scan's direction, have of the segment at which it begins, in that order. */
function totalsBefore(
  marks: SegmentMarks,
  words: readonly Uint32Array[],
  rank: number,
  reverse: boolean,
): readonly Total[] {
  const parts = words.map((ofRank): PartEnds | undefined => {
    if (ofRank.length === 0) return undefined;
    const [first, last, isParted, ...total] = ofRank;
    return { first, last, isParted: isParted === 1, total };
  });
  let here = parts[rank];
  if (!here) return [];
  const totals: Total[] = [];
  const others = reverse ? parts.slice(rank + 1) : parts.slice(0, rank).reverse();
  for (const other of others) {
    if (!other) continue;
    const isSame = reverse ? goesOn(marks, here.last, other.first) : goesOn(marks, other.last, here.first);
    if (!isSame) break;
    totals.unshift(other.total);
    if (other.isParted) break;
    here = other;
  }
  return totals;
}
