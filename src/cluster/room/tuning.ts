import type { Rates, Tuning } from "../communicator/collectives/tuning.ts";
import type { Path } from "../transport/link.ts";
import type { Addresses } from "./words.ts";

/**
 * What messages take over each path: half the round trip of 8 bytes, and the rate of long ones, as measured on one machine
 * of two cores (docs/performance.md). Networks are slower; only the ratio of the two decides between algorithms.
 */
const rates: Readonly<Record<Path, Rates>> = {
  memory: { latencyMs: 0.02, bytesPerMs: 2_000_000 },
  port: { latencyMs: 0.1, bytesPerMs: 500_000 },
  tcp: { latencyMs: 0.05, bytesPerMs: 800_000 },
  rtc: { latencyMs: 0.2, bytesPerMs: 35_000 },
};

/** Where a member is, as far as paths show: ranks of one place are near each other. */
const placeOf: Partial<Record<Path, (address: string) => string>> = {
  port: (address) => address.split("/")[0],
  tcp: (address) => address.split(":")[0],
};

function pathBetween(a: Addresses, b: Addresses): Path {
  const isShared = (path: Path) => path in a && path in b;
  if (isShared("memory")) return "memory";
  if (isShared("port") && placeOf.port?.(a.port) === placeOf.port?.(b.port)) return "port";
  return isShared("tcp") ? "tcp" : "rtc";
}

/**
 * What collectives are chosen by, from the members' addresses by rank, which all ranks know alike: the slowest path between
 * any two, and groups of ranks in one browser or on one host, where there are several and not only one.
 */
export function tuningOf(members: readonly Addresses[]): Tuning {
  const pairs = members.flatMap((a, i) => members.slice(i + 1).map((b) => rates[pathBetween(a, b)]));
  const slowest = pairs.reduce((x, y) => (y.bytesPerMs < x.bytesPerMs ? y : x), pairs[0] ?? rates.memory);
  const places = members.map((addresses, rank) => {
    const path = (["port", "tcp"] as const).find((path) => path in addresses);
    return path ? `${path} ${placeOf[path]?.(addresses[path])}` : `${rank}`;
  });
  const names = [...new Set(places)];
  if (names.length === 1 || names.length === members.length) return slowest;
  const near = members.flatMap((a, i) =>
    members
      .slice(i + 1)
      .flatMap((b, k) => (places[i] === places[i + 1 + k] ? [rates[pathBetween(a, b)]] : [])),
  );
  const within = near.reduce((x, y) => (y.bytesPerMs < x.bytesPerMs ? y : x));
  return { ...slowest, groups: places.map((place) => names.indexOf(place)), within };
}
