import type { Rates, Tuning } from "../communicator/collectives/tuning.ts";
import type { Path } from "../transport/link.ts";
import type { Addresses } from "../transport/transport.ts";

/**
 * Assumed message rates of each path until the ranks have measured them (Communicator.tuned): half the
 * round trip of 8 bytes, and the rate of long messages, on one machine with two cores
 * (docs/performance.md).
 */
const rates: Readonly<Record<Exclude<Path, "mpi">, Rates>> = {
  memory: { latencyMs: 0.02, bytesPerMs: 2_000_000 },
  port: { latencyMs: 0.1, bytesPerMs: 500_000 },
  tcp: { latencyMs: 0.05, bytesPerMs: 800_000 },
  rtc: { latencyMs: 0.2, bytesPerMs: 35_000 },
};

/** A member's location as far as its addresses show it: ranks at the same location are near each other. */
const placeOf: Partial<Record<Path, (address: string) => string>> = {
  port: (address) => address.split("/")[0],
  tcp: (address) => address.split(":")[0],
};

function ratesBetween(a: Addresses, b: Addresses): Rates {
  const isShared = (path: Path) => path in a && path in b;
  if (isShared("memory")) return rates.memory;
  if (isShared("port") && placeOf.port?.(a.port) === placeOf.port?.(b.port)) return rates.port;
  return isShared("tcp") ? rates.tcp : rates.rtc;
}

/**
 * What collectives are chosen by at first, computed from the members' addresses by rank, which all ranks
 * know: the slowest path between any two ranks, or, if several ranks share a browser or a host, the slowest
 * path between groups and within them.
 */
export function initialTuning(members: readonly Addresses[]): Tuning {
  const places = members.map((addresses, rank) => {
    const path = (["port", "tcp"] as const).find((path) => path in addresses);
    return path ? `${path} ${placeOf[path]?.(addresses[path])}` : `${rank}`;
  });
  const pairs = members.flatMap((a, i) =>
    members
      .slice(i + 1)
      .map((b, k) => ({ rates: ratesBetween(a, b), isNear: places[i] === places[i + 1 + k] })),
  );
  const slowest = (some: typeof pairs) =>
    some
      .map(({ rates }) => rates)
      .reduce((x, y) => (y.bytesPerMs < x.bytesPerMs ? y : x), some[0]?.rates ?? rates.memory);
  const names = [...new Set(places)];
  if (names.length === 1 || names.length === members.length) return slowest(pairs);
  return {
    ...slowest(pairs.filter(({ isNear }) => !isNear)),
    groups: places.map((place) => names.indexOf(place)),
    within: slowest(pairs.filter(({ isNear }) => isNear)),
  };
}
