import { CrinkleError } from "../../core/errors.ts";
import type { Epoch } from "../membership/epoch.ts";
import { defaultTiming } from "../membership/failure-detector.ts";
import { Member } from "../membership/member.ts";
import { type Addresses, ownAddresses } from "../transport/transport.ts";
import { badMessage } from "../wire/frame.ts";
import { Admission } from "./admission.ts";
import { ConnectionManager } from "./connection-manager.ts";
import { Host } from "./host.ts";
import { initialTuning } from "./initial-tuning.ts";
import { Joiner } from "./joiner.ts";
import { defaultBounds, type RoomLimits } from "./limits.ts";
import { Listener } from "./listener.ts";
import { type MemberState, memberStates } from "./member-state.ts";
import type { Peer } from "./peer.ts";
import { PendingIntroductions } from "./pending-introductions.ts";
import type { Introduction, PeerRecord, RoomMessage } from "./room-message.ts";
import type { RoomOptions } from "./room-options.ts";

export const makeMemberId = (): string => crypto.randomUUID().replaceAll("-", "");

/**
 * Where ranks meet: the first one is the host, decides who joins and introduces new ranks to the others;
 * all ranks link to all, and a new epoch begins with them. If the host is lost, the lowest remaining rank
 * becomes host.
 */
export class Room {
  readonly id: string;
  readonly #options: RoomOptions;
  readonly #own: PeerRecord;
  readonly #limits: { -readonly [Name in keyof RoomLimits]: number };
  readonly #connections: ConnectionManager;
  readonly #admission: Admission;
  readonly #host: Host;
  #member: Member | undefined;
  /** Set until this member has joined. */
  #joiner: Joiner | undefined;
  #hasLeft = false;
  /** Accept connections while this member is host. */
  readonly #listeners: readonly Listener[];

  private constructor(options: RoomOptions) {
    const { id, key, transports, clock, timing = defaultTiming } = options;
    const limits = { ...defaultBounds, ...options.limits };
    this.#options = options;
    this.#limits = limits;
    this.#own = { id, about: options.about, addresses: ownAddresses(transports) };
    this.id = id;
    this.#connections = new ConnectionManager({
      ...{ key, id, transports, clock, timing, limits },
      onMessage: (peer, message) => this.#onMessage(peer, message),
      onDisconnect: (peer, end) => {
        this.#joiner?.onDisconnect(peer, end);
        if (this.isHost && !this.#hasLeft) this.#host.admit();
        this.#changed();
      },
    });
    const { peers } = this.#connections;
    this.#admission = new Admission(new PendingIntroductions(clock, limits.meshMs), peers, (peer) => {
      this.#member?.connect(peer.id, peer.demux.memberLink);
      this.#changed();
    });
    this.#listeners = (options.hostTransports ?? []).map(
      (open) => new Listener(open, clock, (connection) => void this.#connections.accept(connection)),
    );
    this.#host = new Host({
      ...{ limits, clock, peers },
      own: this.#own,
      onJoinRequest: (request) => options.onJoinRequest?.(request),
      onReady: (peers) => {
        for (const { id, demux } of peers) this.#member?.connect(id, demux.memberLink);
        this.#member?.admit(peers.map(({ id }) => id));
      },
      evict: (id) => this.#member?.remove(id),
      onChange: () => this.#changed(),
    });
  }

  /** Opens a room with one rank. */
  static open(options: RoomOptions): Room {
    const room = new Room(options);
    room.#begin(1, [room.id]);
    return room;
  }

  /**
   * Asks the host, or a member that knows it, at the first of these addresses that answers. Rejects as
   * described at Joiner.
   */
  static async join(options: RoomOptions, hosts: readonly Addresses[], signal?: AbortSignal): Promise<Room> {
    const room = new Room(options);
    room.#joiner = new Joiner({
      connections: room.#connections,
      own: room.#own,
      onPending: () => options.onPending?.(),
      onWelcome: (epoch, ids) => room.#begin(epoch, ids),
    });
    try {
      await room.#joiner.join(hosts, signal);
      return room;
    } catch (error) {
      room.#end();
      throw error;
    } finally {
      room.#joiner = undefined;
    }
  }

  get isHost(): boolean {
    return this.#member?.epoch.names[0] === this.id;
  }

  get epoch(): Epoch | undefined {
    return this.#member?.epoch;
  }

  get members(): readonly MemberState[] {
    return memberStates(this.#own, this.#connections.peers.values(), this.#member?.epoch.names ?? []);
  }

  /** See Host. */
  hold(): () => void {
    return this.#host.hold();
  }

  /** Takes effect from now on; present members stay. */
  setLimits(limits: RoomLimits): void {
    Object.assign(this.#limits, limits);
  }

  /** On the host: removes a rank from the room, or a peer that is about to join. */
  remove(id: string): void {
    const peer = this.#connections.peers.get(id);
    if (this.isHost && peer) this.#host.remove(peer);
  }

  /** Reports that a rank's process has ended, if that is known by means other than its link. */
  declareDead(id: string): void {
    this.#member?.declareDead(id);
  }

  /** Follows up a hint that a rank may be gone: it has a moment to show a sign of life. */
  suspect(id: string): void {
    this.#connections.suspect(id, () => this.#member?.remove(id));
  }

  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    await this.#member?.leave();
    this.#end();
  }

  /** The host as far as this member knows it; undefined if it is this member. */
  get #presentHost(): Peer | undefined {
    return this.#member ? this.#connections.peers.get(this.#member.epoch.names[0]) : this.#joiner?.host;
  }

  #onMessage(peer: Peer, message: RoomMessage): void {
    switch (message.type) {
      case "join":
        this.#onJoin(peer, message);
        return;
      case "presentToken":
        this.#admission.presentToken(peer, message.token);
        return;
      case "meshed":
      case "unreachable":
        if (this.isHost) this.#host.handle(peer, message);
        return;
      case "announce":
        this.#onAnnounce(peer, message.who);
        return;
      case "removed":
        this.#onRemoved(peer);
        return;
      default:
        if (!this.#member) this.#joiner?.handle(peer, message);
    }
  }

  #onJoin(peer: Peer, { about, addresses }: Extract<RoomMessage, { type: "join" }>): void {
    if (peer.stage !== "authenticated") throw badMessage("a second request to join");
    peer.about = about;
    peer.addresses = addresses;
    if (this.isHost) this.#host.onJoin(peer);
    else this.#admission.redirect(peer, this.#presentHost);
    this.#changed();
  }

  #onAnnounce(from: Peer, who: Introduction): void {
    if (from !== this.#presentHost) throw badMessage("an announcement from a peer that is not the host");
    this.#admission.announce(who);
  }

  #onRemoved(from: Peer): void {
    const member = this.#member;
    if (!member || from !== this.#presentHost) {
      throw badMessage("a removal by a peer that is not the host");
    }
    const problem = "The room's host removed this rank.";
    void member.leave().then(() => this.#endMembership(new CrinkleError({ tag: "Refused", problem })));
  }

  #begin(number: number, names: readonly string[]): void {
    const { clock, timing, isGuest } = this.#options;
    const { peers } = this.#connections;
    const addressesOf = (id: string) => (id === this.id ? this.#own : peers.get(id))?.addresses ?? {};
    const linked = [...peers.values()].filter(({ stage }) => stage === "linked");
    this.#member = new Member({
      name: this.id,
      epoch: number,
      names,
      links: new Map(linked.map(({ id, demux }) => [id, demux.memberLink])),
      tuning: (ids) => initialTuning(ids.map(addressesOf)),
      clock,
      timing,
      isGuest,
      onEpoch: (epoch) => this.#began(epoch, true),
      onLeft: (problem) => {
        const remedy = "Join the room again by its link.";
        this.#endMembership(new CrinkleError({ tag: "RankFailed", problem, remedy }));
      },
    });
    this.#began(this.#member.epoch, false);
  }

  #began(epoch: Epoch, welcomes: boolean): void {
    const { names, number } = epoch;
    this.#connections.setMembers(
      names,
      welcomes ? { type: "welcome", epoch: number, ids: names } : undefined,
    );
    this.#options.onEpoch?.(epoch);
    this.#changed();
    for (const door of this.#listeners) door.setListening(this.isHost);
    if (this.isHost) this.#host.onEpoch();
  }

  #changed(): void {
    this.#options.onChange?.(this);
  }

  /** This member is out, involuntarily. */
  #endMembership(error: CrinkleError): void {
    if (this.#hasLeft) return;
    this.#end();
    this.#options.onLeft?.(error);
  }

  #end(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    for (const door of this.#listeners) door.setListening(false);
    this.#connections.end();
    this.#changed();
  }
}
