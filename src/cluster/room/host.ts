import type { Clock } from "../clock.ts";
import type { RoomBounds } from "./limits.ts";
import type { Peer } from "./peer.ts";
import type { Introduction, MemberInfo, PeerRecord, RoomMessage } from "./room-message.ts";

/** A request to join. */
export interface JoinRequest {
  readonly id: string;
  readonly about: MemberInfo;
  admit(): void;
  refuse(reason: string): void;
}

export interface HostOptions {
  readonly limits: RoomBounds;
  readonly clock: Clock;
  readonly own: PeerRecord;
  readonly peers: ReadonlyMap<string, Peer>;
  onJoinRequest(request: JoinRequest): void;
  /** All members are linked to these peers: the next epoch can include them. */
  onReady(peers: readonly Peer[]): void;
  /** Ends the epoch; the next one is without this member. */
  evict(id: string): void;
  onChange(): void;
}

/** Milliseconds within which ranks that a joiner cannot reach may turn out to be gone. */
const unreachableGraceMs = 6000;

/**
 * The first rank's part when others join: it decides on requests, or lets the person decide, and introduces
 * joiners to the members.
 */
export class Host {
  readonly #options: HostOptions;
  /** Times of the requests in the last minute. */
  #joins: number[] = [];
  #holds = 0;

  constructor(options: HostOptions) {
    this.#options = options;
  }

  onJoin(peer: Peer): void {
    const { clock, onJoinRequest } = this.#options;
    const refusal = this.#refusal();
    if (refusal) {
      this.refuse(peer, refusal);
      return;
    }
    this.#joins.push(clock.now());
    peer.advance("requesting");
    peer.send({ type: "pending" });
    const once = (act: () => void) => () => {
      if (peer.stage === "requesting" && !peer.hasEnded) act();
    };
    onJoinRequest({
      id: peer.id,
      about: peer.about as MemberInfo,
      admit: once(() => this.#invite(peer)),
      refuse: (reason) => once(() => this.refuse(peer, reason))(),
    });
  }

  refuse(peer: Peer, reason: string): void {
    const close = () => peer.demux.close(reason);
    peer.demux.send({ type: "reject", reason }).then(close, close);
  }

  /** Removes a member, or a peer that is about to become one. */
  remove(peer: Peer): void {
    if (peer.stage === "member") {
      peer.send({ type: "removed" });
      this.#options.evict(peer.id);
    } else if (peer.stage === "meshed") {
      // The members may already be agreeing on an epoch with it.
      peer.isUnwanted = true;
    } else this.refuse(peer, "The host declined this rank.");
  }

  /** Another epoch has begun with this member as host. */
  onEpoch(): void {
    this.admit();
    for (const peer of this.#inStage("member")) if (peer.isUnwanted) this.remove(peer);
  }

  /**
   * An invited peer is linked to all members, or cannot reach some, which does not matter if those are
   * gone.
   */
  handle(peer: Peer, message: Extract<RoomMessage, { type: "meshed" | "unreachable" }>): void {
    if (peer.stage !== "invited") return;
    if (message.type === "meshed") peer.advance("meshed");
    else {
      peer.unreachableIds = message.ids;
      this.#setDeadline(
        peer,
        unreachableGraceMs,
        `The rank cannot reach ${message.ids.length} of the others.`,
      );
    }
    this.admit();
  }

  /** Holds the current epoch while a job runs; the returned function releases it. */
  hold(): () => void {
    this.#holds++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holds--;
      this.admit();
    };
  }

  /** Admits peers that are linked to all members, unless a job holds the epoch. */
  admit(): void {
    for (const peer of this.#inStage("invited")) {
      if (peer.unreachableIds && !peer.unreachableIds.some((id) => this.#options.peers.has(id)))
        peer.advance("meshed");
    }
    const peers = this.#inStage("meshed");
    if (this.#holds === 0 && peers.length > 0) this.#options.onReady(peers);
  }

  #invite(peer: Peer): void {
    const others = ["member", "invited", "meshed"].flatMap((stage) => this.#inStage(stage));
    const who = { id: peer.id, about: peer.about as MemberInfo, addresses: peer.addresses };
    const introductions = others.map((other): Introduction => {
      const token = crypto.randomUUID();
      other.send({ type: "announce", who: { ...who, token } });
      return { id: other.id, about: other.about as MemberInfo, addresses: other.addresses, token };
    });
    peer.advance("invited");
    this.#setDeadline(peer, this.#options.limits.meshMs, "The rank did not link to the others in time.");
    const { own } = this.#options;
    peer.send({ type: "invite", others: [{ ...own, token: "" }, ...introductions] });
    this.#options.onChange();
  }

  #setDeadline(peer: Peer, ms: number, reason: string): void {
    peer.setDeadline(ms, () => this.refuse(peer, reason));
  }

  #inStage(stage: string): Peer[] {
    return [...this.#options.peers.values()].filter((peer) => peer.stage === stage && !peer.hasEnded);
  }

  #refusal(): string | undefined {
    const { limits, clock } = this.#options;
    const since = clock.now() - 60_000;
    this.#joins = this.#joins.filter((at) => at > since);
    const ranks =
      1 + ["member", "requesting", "invited", "meshed"].flatMap((stage) => this.#inStage(stage)).length;
    if (ranks >= limits.ranks) return `The room is full: its limit is ${limits.ranks} ranks.`;
    if (this.#joins.length >= limits.joinsPerMinute) {
      return `Too many join requests: the room accepts ${limits.joinsPerMinute} a minute. Try again in a minute.`;
    }
    return undefined;
  }
}
