import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import type { Offsets } from "./api.ts";
import {
  areSameOffsets,
  hull,
  intersection,
  isWithin,
  lengthOf,
  outside,
  type Range,
  rangesOf,
} from "./offsets.ts";
import type { Step } from "./step.ts";
import { absent, type Memory, type RankVector, viewIn } from "./vector.ts";
import { bitsOf, joined, wordsOf } from "./words.ts";

/** Elements around their parts that ranks keep, at most, as a share of the vector. */
const maxKept = 1 / 2;

/**
 * For each rank a range of a vector's elements, zeros beyond its ends: this rank's, until the end of the step. Ranks send each
 * other what they lack, which all of them know; nothing is sent where they all have their ranges. Of vectors with memory they keep what is
 * sent of the elements around their parts, for whatever reads those next.
 */
export async function windowOf<T extends ScalarType>(
  step: Step,
  vector: RankVector<T>,
  ranges: readonly Range[],
): Promise<Vector<T>> {
  const { rank } = step;
  const parts = rangesOf(vector.offsets);
  const part = await vector.part(step);
  const { stored } = vector;
  const kept = stored?.window?.version === stored?.version ? stored?.window : undefined;
  const have = { ranges: kept?.ranges ?? parts, vector: kept ? (kept.vector ?? absent(vector, 0)) : part };
  const within = (of: Vector<T>, { from }: Range) =>
    lengthOf(ranges[rank]) === 0
      ? viewIn(step, of, 0, 0)
      : viewIn(step, of, ranges[rank].from - from, ranges[rank].to - from);
  if (ranges.every((range, k) => isWithin(range, have.ranges[k])))
    return within(have.vector, have.ranges[rank]);

  const wider = stored && widened(vector, have.ranges, ranges);
  const wanted = wider ?? ranges;
  const arrived = await exchanged(step, part, parts, have.ranges, wanted);
  if (!wider) {
    const made = arrived && (await step.exchange.alone(() => filled(step, have, wanted, arrived)));
    return made ? step.hold(made) : absent(vector, lengthOf(ranges[rank]));
  }
  const own = await keepWindow(
    step,
    stored,
    parts[rank],
    wider,
    arrived && ((into) => filled(step, have, wanted, arrived, into)),
  );
  return own ? within(own, wider[rank]) : absent(vector, lengthOf(ranges[rank]));
}

/** Elements of each rank: its own, and those of the others that it has. */
interface Having<T extends ScalarType> {
  readonly ranges: readonly Range[];
  readonly vector: Vector<T>;
}

/** Words that other ranks sent of elements from a position on. */
interface Piece {
  readonly from: number;
  readonly words: Uint32Array;
}

/** Sends the ranks that want it what they do not have of this rank's part; undefined where a rank has failed. */
async function exchanged(
  step: Step,
  part: Vector,
  parts: readonly Range[],
  have: readonly Range[],
  wanted: readonly Range[],
): Promise<readonly Piece[] | undefined> {
  const { local, rank, exchange } = step;
  /** What rank `k` lacks of rank `of`'s part, before what it has and behind it. */
  const lacking = (k: number, of: number) =>
    k === of
      ? []
      : outside(wanted[k], have[k])
          .map((range) => intersection(range, parts[of]))
          .filter((range) => lengthOf(range) > 0);
  const others = (isOne: (k: number) => boolean) => wanted.flatMap((_, k) => (isOne(k) ? [k] : []));
  const to = others((k) => lacking(k, rank).length > 0);
  const from = others((k) => lacking(rank, k).length > 0);
  const read = async ({ from, to }: Range) =>
    bitsOf(await local.toHost(local.view(part, from - parts[rank].from, to - parts[rank].from)));
  const words = await exchange.toSome(to, from, () =>
    Promise.all(to.map(async (k) => joined(await Promise.all(lacking(k, rank).map(read))))),
  );
  return words?.flatMap((ofRank, k) => {
    let at = 0;
    return lacking(rank, from[k]).map((range): Piece => {
      const begin = at;
      at += part.components * lengthOf(range);
      return { from: range.from, words: ofRank.subarray(begin, at) };
    });
  });
}

/** This rank's range of what is wanted, of what it has and what has arrived: a new vector, or one that has the former already. */
async function filled<T extends ScalarType>(
  step: Step,
  have: Having<T>,
  wanted: readonly Range[],
  arrived: readonly Piece[],
  into?: Vector<T>,
): Promise<Vector<T>> {
  const { local, rank } = step;
  const { type, components } = have.vector;
  const { from, to } = wanted[rank];
  const places = () => local.counting("u32", to - from, (from - have.ranges[rank].from) >>> 0);
  const elements = into ?? (await local.gather(places(), have.vector));
  for (const piece of arrived) {
    const theirs = step.hold(local.fromHost(type, wordsOf(type, piece.words), components));
    await local.scatter(theirs, local.counting("u32", theirs.length, piece.from - from), elements);
  }
  return elements;
}

/**
 * What each rank keeps of a vector: the hull of its part, what it has and what it wants; undefined where ranks want
 * elements far from their parts, or many.
 */
function widened(
  { offsets, length }: RankVector,
  have: readonly Range[],
  ranges: readonly Range[],
): readonly Range[] | undefined {
  let around = 0;
  const wider: Range[] = [];
  for (const [k, part] of rangesOf(offsets).entries()) {
    const [wanted] = outside(ranges[k], have[k]);
    const whole = wanted ? hull(have[k], ranges[k]) : have[k];
    if (wanted && lengthOf(whole) > lengthOf(have[k]) + lengthOf(ranges[k])) return undefined;
    if (whole.from < 0 || whole.to > length) return undefined;
    around += lengthOf(whole) - lengthOf(part);
    wider.push(whole);
  }
  return around <= maxKept * length ? wider : undefined;
}

/** Keeps a window, in which the part then lies unless somebody else reads it where it was; this rank's, undefined where it failed. */
async function keepWindow<T extends ScalarType>(
  step: Step,
  stored: Memory<T>,
  part: Range,
  ranges: readonly Range[],
  make: ((into?: Vector<T>) => Promise<Vector<T>>) | undefined,
): Promise<Vector<T> | undefined> {
  const { local, rank, exchange } = step;
  const before = stored.window;
  const range = ranges[rank];
  const isInPlace = before?.vector && !stored.isHandedOut && isSame(before.own, range);
  const vector = make && (await exchange.alone(() => make(isInPlace ? before.vector : undefined)));
  const window = {
    version: stored.version,
    // The others do not know where this rank has failed, and send by these.
    ranges,
    vector: vector ?? before?.vector,
    own: vector ? range : (before?.own ?? range),
    /** Elements around parts are sent again; parts are where they are. */
    fail() {
      window.version = -1;
    },
  };
  stored.window = window;
  exchange.awaitConfirmation(window);
  if (!vector || vector === before?.vector) return vector;
  before?.vector?.release();
  if (!stored.isHandedOut) {
    stored.part?.release();
    stored.part = local.view(vector, part.from - range.from, part.to - range.from);
  }
  return vector;
}

const isSame = (a: Range, b: Range) => a.from === b.from && a.to === b.to;

/** This rank's part of a vector that is distributed as the offsets say, until the end of the step. */
export const alignedPart = <T extends ScalarType>(
  step: Step,
  vector: RankVector<T>,
  offsets: Offsets,
): Promise<Vector<T>> =>
  areSameOffsets(vector.offsets, offsets) ? vector.part(step) : windowOf(step, vector, rangesOf(offsets));
