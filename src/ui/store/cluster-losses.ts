import type { ClusterMember, RankState } from "../../engine/cluster/api.ts";

const ranked = (state: RankState | undefined): readonly ClusterMember[] =>
  state?.members.filter(({ rank }) => rank !== undefined) ?? [];

/**
 * Names of ranks that the host's page has lost and not replaced, after its room has changed: those of before, and whoever has
 * gone without having been removed. Whoever joins takes the place of the rank of the same name, or else of the one lost first.
 */
export function lossesAfter(
  lost: readonly string[],
  before: RankState | undefined,
  now: RankState,
  removed: ReadonlySet<string>,
): readonly string[] {
  if (!now.isHost) return [];
  const [former, current] = [ranked(before), ranked(now)];
  const without = (these: readonly ClusterMember[], those: readonly ClusterMember[]) =>
    these.filter(({ id }) => !those.some((other) => other.id === id));
  const gone = without(former, current).filter(({ id }) => !removed.has(id));
  const left = [...lost, ...gone.map(({ about }) => about.name)];
  for (const { about } of former.length > 0 ? without(current, former) : []) {
    left.splice(Math.max(0, left.indexOf(about.name)), 1);
  }
  return left;
}
