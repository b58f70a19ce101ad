/** What ranks did during a job, as rank 0 knows it. */

/** What a call passed to other ranks and got from them, as its caller sees it. */
export interface Traffic {
  /** Bytes of data; values count as JSON. */
  readonly sent: number;
  readonly received: number;
  /** Messages sent. */
  readonly messages: number;
}

/**
 * Milliseconds of what a rank did. `pack`: it put messages together and took them apart; `wait`: others had not yet begun a call
 * that needs them.
 */
export interface RankTimes {
  readonly read: number;
  readonly compute: number;
  readonly pack: number;
  readonly send: number;
  readonly wait: number;
}

/** A time during which a rank did one thing, in milliseconds of rank 0's clock (performance.now). */
export interface RankSpan {
  readonly activity: keyof RankTimes;
  /** A call's, such as "allgather", or what was read or computed. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** What a call has moved, on the last of its spans. */
  readonly traffic?: Traffic;
}

/** The spans of each rank, which do not overlap. */
export type RankTrace = readonly (readonly RankSpan[])[];

/** What something that the ranks did has cost all of them together. */
export interface Operation {
  readonly name: string;
  /** Messages that ranks passed, and their bytes. */
  readonly messages: number;
  readonly bytes: number;
  readonly ms: RankTimes;
}

/** Sums jobs' spans by their names, those that took longest first. */
export function operationsOf(jobs: readonly RankTrace[]): Operation[] {
  const byName = new Map<string, Operation & { readonly total: number }>();
  for (const { name, activity, start, end, traffic } of jobs.flat(2)) {
    const { messages, bytes, ms, total } = byName.get(name) ?? { messages: 0, bytes: 0, ms: none, total: 0 };
    byName.set(name, {
      name,
      messages: messages + (traffic?.messages ?? 0),
      bytes: bytes + (traffic?.sent ?? 0),
      ms: { ...ms, [activity]: ms[activity] + end - start },
      total: total + end - start,
    });
  }
  return [...byName.values()].sort((a, b) => b.total - a.total).map(({ total, ...operation }) => operation);
}

const none: RankTimes = { read: 0, compute: 0, pack: 0, send: 0, wait: 0 };
