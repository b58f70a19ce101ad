import type { ClusterMember } from "../../engine/cluster/api.ts";

/** Minimum interval over which a rate is taken, in milliseconds; closer states give no new rate. */
const minIntervalMs = 900;

type Counted = Pick<ClusterMember, "id" | "sentBytes" | "receivedBytes">;

export interface Rates {
  /** Bytes per second over each member's link, from the traffic since the last call. */
  after(members: readonly Counted[], now: number): Readonly<Record<string, number>>;
  clear(): void;
}

export function createRates(): Rates {
  let last: { readonly at: number; readonly bytes: ReadonlyMap<string, number> } | undefined;
  let rates: Readonly<Record<string, number>> = {};
  return {
    after(members, now) {
      if (last && now - last.at < minIntervalMs) return rates;
      const bytes = new Map(members.map((member) => [member.id, member.sentBytes + member.receivedBytes]));
      const before = last;
      if (before) {
        const seconds = (now - before.at) / 1000;
        rates = Object.fromEntries(
          [...bytes].map(([id, count]) => [id, (count - (before.bytes.get(id) ?? 0)) / seconds]),
        );
      }
      last = { at: now, bytes };
      return rates;
    },
    clear() {
      last = undefined;
      rates = {};
    },
  };
}
