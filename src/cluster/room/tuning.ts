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

/**
 * A message's cost between ranks of one machine, as bytes: each step of an algorithm waits until all of its ranks have had
 * a processor, which they share, and what one rank copies holds up another. Fitted to measured times of collectives
 * (docs/performance.md), where what single messages take predicted algorithms of many steps too early.
 */
const stepBytes = 1_600_000;

/** Where a member is, as far as paths show: ranks of one place are near each other. */
const placeOf: Partial<Record<Path, (address: string) => string>> = {
  port: (address) => address.split("/")[0],
  tcp: (address) => address.split(":")[0],
};

function ratesBetween(a: Addresses, b: Addresses): Rates {
  const isShared = (path: Path) => path in a && path in b;
  const isNear = (path: Path) => isShared(path) && placeOf[path]?.(a[path]) === placeOf[path]?.(b[path]);
  if (isShared("memory")) return rates.memory;
  if (isNear("port")) return onOneMachine(rates.port);
  if (isShared("tcp")) return isNear("tcp") ? onOneMachine(rates.tcp) : rates.tcp;
  return rates.rtc;
}

const onOneMachine = ({ bytesPerMs }: Rates): Rates => ({ latencyMs: stepBytes / bytesPerMs, bytesPerMs });

/**
 * What collectives are chosen by, from the members' addresses by rank, which all ranks know alike: the slowest path between
 * any two; where there are groups of ranks in one browser or on one host, the slowest between groups and within them.
 */
export function tuningOf(members: readonly Addresses[]): Tuning {
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
