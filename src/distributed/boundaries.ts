import { around, own } from "../core/primitives/access.ts";
import { defineKernel, type Kernel } from "../core/primitives/kernel.ts";
import { max, min } from "../core/primitives/operators.ts";
import type { Primitives, Segments } from "../core/primitives/primitives.ts";
import { defineReduction, type Reduction } from "../core/primitives/reduction.ts";
import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import type { Offsets } from "./api.ts";
import type { Step } from "./step.ts";
import { madeAlone, type RankVector } from "./vector.ts";
import { alignedPart } from "./window.ts";
import { elementOf, wordOf } from "./words.ts";

/** The keys or heads of the segments in a rank's part. */
export interface SegmentMarks {
  readonly isKeys: boolean;
  readonly part: Vector;
}

/** Those of each rank's part. */
export async function segmentMarksOf(
  step: Step,
  segments: Segments,
  offsets: Offsets,
): Promise<SegmentMarks> {
  const vector = ("keys" in segments ? segments.keys : segments.heads) as RankVector;
  return { isKeys: "keys" in segments, part: await alignedPart(step, vector, offsets) };
}

/** The segments of a part alone: its first element begins one. */
export const segmentsOf = ({ isKeys, part }: SegmentMarks): Segments =>
  isKeys ? { keys: part } : { heads: part as Vector<"u32"> };

/** What other ranks have to know of the ends of a part: its first and last key, or its first head twice. */
export async function endsOf(
  local: Primitives,
  { isKeys, part }: SegmentMarks,
): Promise<readonly [number, number]> {
  const first = wordOf(part.type, await local.front(part));
  return [first, isKeys ? wordOf(part.type, await local.back(part)) : first];
}

/** Whether a part's first segment goes on from the part before. */
export const goesOn = ({ isKeys, part: { type } }: SegmentMarks, before: number, first: number): boolean =>
  isKeys ? elementOf(type, before) === elementOf(type, first) : first === 0;

/**
 * Flags that begin segments, 1 and 0, of vectors that are distributed as the offsets say. Ranks exchange the keys at the ends
 * of their parts.
 */
export async function headsOf(step: Step, segments: Segments, offsets: Offsets): Promise<RankVector<"u32">> {
  const { local, exchange, rank } = step;
  const marks = await segmentMarksOf(step, segments, offsets);
  const { part, isKeys } = marks;
  const ends = await exchange.allgather(async () =>
    Uint32Array.from(part.length > 0 ? await endsOf(local, marks) : []),
  );
  const before = ends.slice(0, rank).findLast(({ length }) => length > 0);
  const isHead = !(before && part.length > 0 && goesOn(marks, before[1], ends[rank][0]));
  return madeAlone(step, { type: "u32", components: 1 }, offsets, async () => {
    const inputs = { marks: part };
    const constants = { first: Number(isHead) };
    const kernel = (isKeys ? headsByKeys : headsByFlags)[part.type];
    const { head } = await local.forEach(part.length, kernel, { inputs, constants });
    return head as Vector<"u32">;
  });
}

/** The expression of whether two keys differ, as numbers: −0 equals +0, NaN nothing. */
const differ = (type: ScalarType) =>
  type === "f32"
    ? `(isNan(before) || isNan(here) || (bitcast<u32>(before) != bitcast<u32>(here)
        && ((bitcast<u32>(before) | bitcast<u32>(here)) & 0x7fffffffu) != 0u))`
    : "(before != here)";

const perType = <V>(make: (type: ScalarType) => V): Readonly<Record<ScalarType, V>> => ({
  u32: make("u32"),
  i32: make("i32"),
  f32: make("f32"),
});

const headKernel = (name: string, type: ScalarType, isHead: string): Kernel =>
  defineKernel({
    name,
    inputs: { marks: { type, access: around(1, 0) } },
    constants: { first: { type: "u32" } },
    outputs: { head: { type: "u32" } },
    text: `
      if (element == 0u) {
        out.head = constants.first;
        return;
      }
      ${isHead}`,
  });

const headsByKeys = perType((type) =>
  headKernel(
    `heads by keys of ${type}`,
    type,
    `let before = marks(element - 1u);
      let here = marks(element);
      out.head = select(0u, 1u, ${differ(type)});`,
  ),
);

const headsByFlags = perType((type) =>
  headKernel("heads by flags", type, `out.head = select(1u, 0u, marks(element) == ${type}(0));`),
);

/** The first and the last element, after the first of all, that begins a segment. */
export interface Boundaries {
  /** As many as there are elements where none does. */
  readonly first: number;
  /** 0 where none does. */
  readonly last: number;
}

/** Boundaries of the segments within a part. Work of this rank alone. */
export async function boundariesOf(local: Primitives, { isKeys, part }: SegmentMarks): Promise<Boundaries> {
  const { length } = part;
  const reduction = isKeys ? boundariesByKeys[part.type] : boundariesByFlags;
  const { first, last } = await local.reduceEach(length, reduction, {
    inputs: { marks: part },
    constants: {},
  });
  return { first: Math.min(length, first), last };
}

const terms = { first: { type: "u32", operator: min }, last: { type: "u32", operator: max } } as const;

const boundariesByKeys = perType(
  (type): Reduction =>
    defineReduction({
      name: `boundaries by keys of ${type}`,
      inputs: { marks: { type, access: around(1, 0) } },
      constants: {},
      terms,
      text: `
        if (element == 0u) { return; }
        let before = marks(element - 1u);
        let here = marks(element);
        if (!${differ(type)}) { return; }
        out.first = element;
        out.last = element;`,
    }),
);

const boundariesByFlags: Reduction = defineReduction({
  name: "boundaries by flags",
  inputs: { marks: { type: "u32", access: own } },
  constants: {},
  terms,
  text: `
    if (element == 0u || marks() == 0u) { return; }
    out.first = element;
    out.last = element;`,
});
