import { CrinkleError } from "../../core/errors.ts";
import type { Epoch } from "../membership/epoch.ts";
import { Member } from "../membership/member.ts";
import { defaultTiming } from "../membership/watch.ts";
import { malformed } from "../wire/frame.ts";
import { Door } from "./door.ts";
import { Expected } from "./expected.ts";
import { Host } from "./host.ts";
import { Joiner } from "./joiner.ts";
import { defaultBounds, type RoomLimits } from "./limits.ts";
import { Links } from "./links.ts";
import { type MemberState, memberStates } from "./member-state.ts";
import { Newcomers } from "./newcomers.ts";
import type { RoomParts } from "./parts.ts";
import type { Peer } from "./peer.ts";
import { tuningOf } from "./tuning.ts";
import { ownAddresses } from "./way.ts";
import type { Addresses, Entry, Introduction, Word } from "./words.ts";

export const makeMemberId = (): string => crypto.randomUUID().replaceAll("-", "");

/**
 * Where ranks meet: the first one hosts it, decides who joins and introduces them to the others; all link to all, and a new
 * epoch begins with them. Where the host is lost, the lowest rank that is left is host.
 */
export class Room {
  readonly id: string;
  readonly #parts: RoomParts;
  readonly #own: Entry;
  readonly #limits: { -readonly [Name in keyof RoomLimits]: number };
  readonly #links: Links;
  readonly #newcomers: Newcomers;
  readonly #host: Host;
  #member: Member | undefined;
  /** Until this member is one. */
  #joiner: Joiner | undefined;
  #hasLeft = false;
  /** While this member is host: what strangers come in by. */
  readonly #doors: readonly Door[];

  private constructor(parts: RoomParts) {
    const { id, key, ways, clock, timing = defaultTiming } = parts;
    const limits = { ...defaultBounds, ...parts.limits };
    this.#parts = parts;
    this.#limits = limits;
    this.#own = { id, about: parts.about, addresses: ownAddresses(ways) };
    this.id = id;
    this.#links = new Links({
      ...{ key, id, ways, clock, timing, limits },
      heard: (peer, word) => this.#hear(peer, word),
      lost: (peer, end) => {
        this.#joiner?.lost(peer, end);
        if (this.isHost && !this.#hasLeft) this.#host.admit();
        this.#changed();
      },
    });
    const { peers } = this.#links;
    this.#newcomers = new Newcomers(new Expected(clock, limits.meshMs), peers, (peer) => {
      this.#member?.connect(peer.id, peer.fork.member);
      this.#changed();
    });
    this.#doors = (parts.doors ?? []).map(
      (open) => new Door(open, clock, (contact) => void this.#links.meet(contact)),
    );
    this.#host = new Host({
      ...{ limits, clock, peers },
      own: this.#own,
      asked: (request) => parts.asked?.(request),
      ready: (peers) => {
        for (const { id, fork } of peers) this.#member?.connect(id, fork.member);
        this.#member?.admit(peers.map(({ id }) => id));
      },
      putOut: (id) => this.#member?.remove(id),
      changed: () => this.#changed(),
    });
  }

  /** Opens a room with one rank. */
  static open(parts: RoomParts): Room {
    const room = new Room(parts);
    room.#begin(1, [room.id]);
    return room;
  }

  /** Asks the host, or a member who knows it, at the first of these that answers. Rejects as Joiner says. */
  static async join(parts: RoomParts, hosts: readonly Addresses[], signal?: AbortSignal): Promise<Room> {
    const room = new Room(parts);
    room.#joiner = new Joiner({
      links: room.#links,
      own: room.#own,
      waits: () => parts.waits?.(),
      welcomed: (epoch, ids) => room.#begin(epoch, ids),
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
    return memberStates(this.#own, this.#links.peers.values(), this.#member?.epoch.names ?? []);
  }

  /** See Host. */
  hold(): () => void {
    return this.#host.hold();
  }

  /** From now on: those who are there stay. */
  setLimits(limits: RoomLimits): void {
    Object.assign(this.#limits, limits);
  }

  /** The host puts a rank out of the room, or somebody who is about to join. */
  remove(id: string): void {
    const peer = this.#links.peers.get(id);
    if (this.isHost && peer) this.#host.remove(peer);
  }

  /** Tells that a rank's process has ended, where that is known by other means than its link. */
  declareDead(id: string): void {
    this.#member?.declareDead(id);
  }

  /** Takes a hint that a rank may be gone: it has a moment to give a sign of life. */
  suspect(id: string): void {
    this.#links.suspect(id, () => this.#member?.remove(id));
  }

  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    await this.#member?.leave();
    this.#end();
  }

  /** As far as this member knows it; not itself. */
  get #presentHost(): Peer | undefined {
    return this.#member ? this.#links.peers.get(this.#member.epoch.names[0]) : this.#joiner?.host;
  }

  #hear(peer: Peer, word: Word): void {
    switch (word.say) {
      case "ask":
        this.#onAsk(peer, word);
        return;
      case "present":
        this.#newcomers.present(peer, word.ticket);
        return;
      case "meshed":
      case "unreachable":
        if (this.isHost) this.#host.hear(peer, word);
        return;
      case "expect":
        this.#onExpect(peer, word.who);
        return;
      case "removed":
        this.#onRemoved(peer);
        return;
      default:
        if (!this.#member) this.#joiner?.hear(peer, word);
    }
  }

  #onAsk(peer: Peer, { about, addresses }: Extract<Word, { say: "ask" }>): void {
    if (peer.stage !== "stranger") throw malformed("asks twice");
    peer.about = about;
    peer.addresses = addresses;
    if (this.isHost) this.#host.ask(peer);
    else this.#newcomers.redirect(peer, this.#presentHost);
    this.#changed();
  }

  #onExpect(from: Peer, who: Introduction): void {
    if (from !== this.#presentHost) throw malformed("announces somebody, which only the host does");
    this.#newcomers.expect(who);
  }

  #onRemoved(from: Peer): void {
    const member = this.#member;
    if (!member || from !== this.#presentHost) {
      throw malformed("puts somebody out, which only the host does");
    }
    const problem = "The room's host put this rank out of the room.";
    void member.leave().then(() => this.#expire(new CrinkleError({ tag: "Refused", problem })));
  }

  #begin(number: number, names: readonly string[]): void {
    const { clock, timing } = this.#parts;
    const { peers } = this.#links;
    const addressesOf = (id: string) => (id === this.id ? this.#own : peers.get(id))?.addresses ?? {};
    const linked = [...peers.values()].filter(({ stage }) => stage === "linked");
    this.#member = new Member({
      name: this.id,
      epoch: number,
      names,
      links: new Map(linked.map(({ id, fork }) => [id, fork.member])),
      tuning: (ids) => tuningOf(ids.map(addressesOf)),
      clock,
      timing,
      began: (epoch) => this.#began(epoch, true),
      left: (problem) => {
        const remedy = "Join the room again by its link.";
        this.#expire(new CrinkleError({ tag: "RankFailed", problem, remedy }));
      },
    });
    this.#began(this.#member.epoch, false);
  }

  #began(epoch: Epoch, welcomes: boolean): void {
    const { names, number } = epoch;
    this.#links.settle(names, welcomes ? { say: "welcome", epoch: number, ids: names } : undefined);
    this.#parts.began?.(epoch);
    this.#changed();
    for (const door of this.#doors) door.keep(this.isHost);
    if (this.isHost) this.#host.began();
  }

  #changed(): void {
    this.#parts.changed?.(this);
  }

  /** It is out, and not by its own wish. */
  #expire(error: CrinkleError): void {
    if (this.#hasLeft) return;
    this.#end();
    this.#parts.left?.(error);
  }

  #end(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    for (const door of this.#doors) door.keep(false);
    this.#links.end();
    this.#changed();
  }
}
