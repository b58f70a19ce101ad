import type { Addresses } from "../transport/transport.ts";
import type { Peer } from "./peer.ts";
import type { MemberInfo, PeerRecord } from "./room-message.ts";

/** A member's state for display. */
export interface MemberState {
  readonly id: string;
  readonly about: MemberInfo;
  /** Undefined while joining. */
  readonly rank: number | undefined;
  readonly isSelf: boolean;
  readonly isHost: boolean;
  readonly stage: Peer["stage"];
  readonly addresses: Addresses;
  readonly path: string;
  readonly roundTripMs: number | undefined;
  readonly sentBytes: number;
  readonly receivedBytes: number;
}

/** Members by rank, whose ids are `names`, followed by those that are joining. */
export function memberStates(
  own: PeerRecord,
  peers: Iterable<Peer>,
  names: readonly string[],
): readonly MemberState[] {
  const self = { ...own, link: undefined, stage: "member" as const, roundTripMs: undefined };
  return [self, ...peers]
    .filter(({ stage }) => stage !== "authenticated")
    .map(({ id, about, addresses, link, stage, roundTripMs }) => {
      const rank = names.indexOf(id);
      return {
        id,
        about: about as MemberInfo,
        rank: rank < 0 ? undefined : rank,
        isSelf: id === own.id,
        isHost: rank === 0,
        stage,
        addresses,
        path: link?.path ?? "",
        roundTripMs,
        sentBytes: link?.traffic.sentBytes ?? 0,
        receivedBytes: link?.traffic.receivedBytes ?? 0,
      };
    })
    .toSorted((a, b) => (a.rank ?? names.length) - (b.rank ?? names.length));
}
