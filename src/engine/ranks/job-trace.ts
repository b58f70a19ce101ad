import type { RankSpan, RankTrace } from "../../core/rank-trace.ts";
import type { OwnSpan } from "./stopwatch.ts";

/** What rank 0 knows of what a rank recorded. */
export interface RecordedRank {
  readonly spans: readonly OwnSpan[];
  /** The rank's clock at a moment that is the same for all ranks. */
  readonly clock: number;
}

/** When each rank began each collective; undefined where that was not kept. */
type Entries = readonly (readonly (number | undefined)[])[];

/**
 * Puts all ranks' spans on the clock of rank 0, and divides collectives: a rank waits until all whose data it needs have
 * begun the same call, and sends and receives from then on. Where a rank has not kept when it began, all of the call is waiting.
 */
export function jobTrace(ranks: readonly RecordedRank[]): RankTrace {
  const aligned = ranks.map(({ spans, clock }) => {
    const ahead = clock - ranks[0].clock;
    return spans.map((span) => ({ ...span, start: span.start - ahead, end: span.end - ahead }));
  });
  const entries = aligned.map(entriesOf);
  return aligned.map((spans, rank) => spans.flatMap((span) => divided(span, rank, entries)));
}

/** The time of sending within what a rank's clock has as collectives. */
export const sendingIn = (spans: readonly RankSpan[]): number =>
  spans.reduce((sum, { activity, start, end }) => (activity === "send" ? sum + end - start : sum), 0);

function entriesOf(spans: readonly OwnSpan[]): (number | undefined)[] {
  const entries: (number | undefined)[] = [];
  for (const { call, start } of spans) if (call) entries[call.number] ??= start;
  return entries;
}

function divided(
  { activity, name, start, end, call, traffic }: OwnSpan,
  rank: number,
  entries: Entries,
): RankSpan[] {
  if (activity !== "collective") return [{ activity, name, start, end, traffic }];
  const needed = call ? neededBy(name, call.root, rank, entries.length) : [];
  const begun = needed.map((other) => call && entries[other][call.number]);
  const isKnown = begun.every((each) => each !== undefined);
  const all = isKnown ? Math.max(start, ...begun) : end;
  const until = Math.min(end, all);
  const wait: RankSpan = { activity: "wait", name, start, end: until };
  if (until === end) return [{ ...wait, traffic }];
  const send: RankSpan = { activity: "send", name, start: until, end, traffic };
  return until > start ? [wait, send] : [send];
}

/** The ranks whose data a rank needs in a collective. */
function neededBy(name: string, root: number, rank: number, size: number): readonly number[] {
  const upTo = (end: number) => Array.from({ length: end }, (_, other) => other);
  if (name === "bcast" || name === "scatter") return [root];
  if (name === "gather" || name === "reduce") return rank === root ? upTo(size) : [rank];
  if (name === "scan" || name === "exscan") return upTo(rank + 1);
  return upTo(size);
}
