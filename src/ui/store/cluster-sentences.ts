import type { ClusterMember, RankState } from "../../engine/cluster/api.ts";

export const serverLost =
  "The signalling server is unreachable: existing links stay up, but nobody can join from elsewhere until it is back. It is retried every 15 s or sooner.";

/** For somebody who wants to join. */
export const waitingForServer = "The signalling server is unreachable. It is retried for up to a minute.";

/**
 * The differences between two states of a room, as sentences for screen readers; empty if nothing relevant
 * changed.
 */
export function describeChange(before: RankState | undefined, now: RankState): string {
  const sentences: string[] = [];
  const ranked = (state: RankState | undefined) =>
    state?.members.filter(({ rank }) => rank !== undefined) ?? [];
  const [former, current] = [ranked(before), ranked(now)];
  const isIn = (members: readonly ClusterMember[], id: string) => members.some((other) => other.id === id);
  if (now.phase === "waiting" && before?.phase !== "waiting") sentences.push("Waiting for the host.");
  if (former.length === 0 && current.length > 0) {
    const own = current.find(({ isSelf }) => isSelf);
    sentences.push(
      current.length === 1 && now.isHost
        ? "A room is open; this page is its only rank."
        : `Joined the room as rank ${own?.rank} of ${current.length}.`,
    );
  } else {
    for (const { id, about, rank } of current) {
      if (!isIn(former, id)) sentences.push(`${about.name} joined as rank ${rank}.`);
    }
    for (const { id, about } of former) {
      if (!isIn(current, id) && now.phase === "member") sentences.push(`${about.name} is gone.`);
    }
    if (before && now.isHost && !before.isHost) sentences.push("This page hosts the room now.");
    if (sentences.length > 0 && current.length > 0)
      sentences.push(`Epoch ${now.epoch}, ${counted(current.length, "rank")}.`);
  }
  for (const { id, about } of now.requests) {
    if (!before?.requests.some((other) => other.id === id)) sentences.push(`${about.name} asks to join.`);
  }
  if ((before?.isReachable ?? true) !== now.isReachable) {
    const lost = now.phase === "joining" ? waitingForServer : serverLost;
    sentences.push(now.isReachable ? "The signalling server is reachable again." : lost);
  }
  return sentences.join(" ");
}

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
