import { CrinkleError } from "../../core/errors.ts";
import type { Clock } from "../clock.ts";
import type { Epoch } from "../membership/epoch.ts";
import { proveChannel } from "../membership/handshake.ts";
import { Member } from "../membership/member.ts";
import type { RoomKey } from "../membership/room-key.ts";
import { defaultTiming, Watch, type WatchTiming } from "../membership/watch.ts";
import type { LinkEnd } from "../transport/link.ts";
import { malformed } from "../wire/frame.ts";
import { Door } from "./door.ts";
import { Expected } from "./expected.ts";
import { Host, type Request } from "./host.ts";
import { defaultRoomLimits, type RoomLimits } from "./limits.ts";
import { Peer } from "./peer.ts";
import { tuningOf } from "./tuning.ts";
import { type Contact, type Way, waysTo } from "./way.ts";
import type { About, Addresses, Entry, Introduction, Word } from "./words.ts";

export interface RoomParts {
  readonly key: RoomKey;
  /** This member's: letters and digits, nobody else's, now or later (makeMemberId). */
  readonly id: string;
  readonly about: About;
  /** How others are reached; the room's to close. */
  readonly ways: readonly Way[];
  readonly clock: Clock;
  readonly limits?: Partial<RoomLimits>;
  readonly timing?: WatchTiming;
  /**
   * Open the ways by which those who come reach whoever is host; the room closes them when this member is not any more.
   */
  readonly doors?: readonly (() => Promise<Way>)[];
  /** The members, their links or this one's part in it are other than before. */
  changed?(room: Room): void;
  /** The host has heard that this member wants to join, and has yet to decide. */
  waits?(): void;
  /** Somebody wants to join, and this member is the host. */
  asked?(request: Request): void;
  /** An epoch has begun, the first that this member is in too. */
  began?(epoch: Epoch): void;
  /** Once: this member is not in the room any more. */
  left?(problem: string): void;
}

/** What there is to show of a member. */
export interface MemberState {
  readonly id: string;
  readonly about: About;
  /** Undefined for those who are joining. */
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

export const makeMemberId = (): string => crypto.randomUUID().replaceAll("-", "");

/** Milliseconds between measurements of round trips. */
const pingEvery = 2000;

/** Milliseconds that somebody under suspicion has to give a sign of life. */
const signMs = 700;

/**
 * Where ranks meet: the first one hosts it, decides who joins and introduces them to the others; all link to all, and a new
 * epoch begins with them. Where the host is lost, the lowest rank that is left is host.
 */
export class Room {
  readonly id: string;
  readonly #parts: RoomParts;
  readonly #limits: RoomLimits;
  readonly #peers = new Map<string, Peer>();
  readonly #expected: Expected;
  readonly #host: Host;
  /** Over those who are no members yet. */
  readonly #watch: Watch<Peer>;
  #member: Member | undefined;
  #joining: Joining | undefined;
  #hasLeft = false;
  /** While this member is host: what strangers come in by. */
  readonly #doors: readonly Door[];
  #stopPing = () => {};

  private constructor(parts: RoomParts) {
    this.#parts = parts;
    this.id = parts.id;
    this.#limits = { ...defaultRoomLimits, ...parts.limits };
    this.#expected = new Expected(parts.clock, this.#limits.meshMs);
    this.#watch = new Watch(parts.clock, parts.timing ?? defaultTiming);
    const meet = (contact: Contact) => void this.#meet(contact);
    this.#doors = (parts.doors ?? []).map((open) => new Door(open, parts.clock, meet));
    this.#host = new Host({
      limits: this.#limits,
      clock: parts.clock,
      own: this.#entry(),
      peers: this.#peers,
      asked: (request) => parts.asked?.(request),
      ready: (peers) => {
        for (const { id, fork } of peers) this.#member?.connect(id, fork.member);
        this.#member?.admit(peers.map(({ id }) => id));
      },
      changed: () => this.#changed(),
    });
    for (const way of parts.ways) way.listen(meet);
    this.#ping();
  }

  /** Opens a room with one rank. */
  static open(parts: RoomParts): Room {
    const room = new Room(parts);
    room.#begin(1, [room.id]);
    return room;
  }

  /**
   * Asks the host at these addresses, and resolves as a member. Rejects with Unreachable where the host does not answer
   * or is lost meanwhile, with Refused where it does not want this one, and with Cancelled.
   */
  static async join(parts: RoomParts, host: Addresses, signal?: AbortSignal): Promise<Room> {
    const room = new Room(parts);
    let cancel = () => {};
    const isIn = new Promise<void>((resolve, reject) => {
      room.#joining = { host: undefined, linking: new Map(), resolve, reject };
      cancel = () => reject(cancelled());
    });
    isIn.catch(() => {});
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted) cancel();
    try {
      const dialled = room.#dial(host);
      await Promise.race([dialled, isIn]);
      const peer = await dialled;
      const joining = room.#joining as Joining;
      joining.host = peer;
      if (peer.hasEnded) throw unreachable();
      peer.say({ say: "ask", about: parts.about, addresses: room.#entry().addresses });
      await isIn;
      return room;
    } catch (error) {
      room.#end();
      throw error;
    } finally {
      room.#joining = undefined;
      signal?.removeEventListener("abort", cancel);
    }
  }

  get isHost(): boolean {
    return this.#member?.epoch.names[0] === this.id;
  }

  get epoch(): Epoch | undefined {
    return this.#member?.epoch;
  }

  get members(): readonly MemberState[] {
    const names = this.#member?.epoch.names ?? [];
    const own = { ...this.#entry(), link: undefined, stage: "member" as const, roundTripMs: undefined };
    return [own, ...this.#peers.values()]
      .filter(({ stage }) => stage !== "stranger")
      .map(({ id, about, addresses, link, stage, roundTripMs }) => {
        const rank = names.indexOf(id);
        return {
          id,
          about: about as About,
          rank: rank < 0 ? undefined : rank,
          isSelf: id === this.id,
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

  /** See Host. */
  hold(): () => void {
    return this.#host.hold();
  }

  /** As `limits.ranks`, from now on; those who are there stay. */
  limitRanks(most: number): void {
    this.#host.mostRanks = most;
  }

  /** Puts a rank out of the room. */
  remove(id: string): void {
    this.#member?.remove(id);
  }

  /** Tells that a rank's process has ended, where that is known by other means than its link. */
  declareDead(id: string): void {
    this.#member?.declareDead(id);
  }

  /** Takes a hint that a rank may be gone: it has a moment to give a sign of life. */
  suspect(id: string): void {
    const peer = this.#peers.get(id);
    if (peer?.stage !== "member") return;
    const before = peer.link.heardAt;
    peer.say({ say: "ping", at: this.#parts.clock.now() });
    this.#parts.clock.after(signMs, () => {
      if (peer.link.heardAt === before && !peer.hasEnded) this.remove(id);
    });
  }

  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    await this.#member?.leave();
    this.#end();
  }

  #entry(): Entry {
    const { about, ways } = this.#parts;
    return {
      id: this.id,
      about,
      addresses: Object.fromEntries(ways.map(({ path, address }) => [path, address])),
    };
  }

  /** Somebody dialled. */
  async #meet({ channel, binding }: Contact): Promise<void> {
    const { key, clock } = this.#parts;
    const strangers = [...this.#peers.values()].filter(({ stage }) => stage === "stranger");
    if (this.#hasLeft || strangers.length >= this.#limits.strangers) {
      channel.close();
      return;
    }
    try {
      const proven = await proveChannel(channel, { key, isDialler: false, name: this.id, binding, clock });
      if (this.#hasLeft || this.#peers.has(proven.name) || proven.name === this.id) proven.channel.close();
      else {
        const peer = this.#add(proven.name, proven.channel);
        peer.limit(this.#limits.askMs, () => peer.fork.close("It did not say what it wants."));
      }
    } catch (error) {
      if (!(error instanceof CrinkleError)) throw error;
    }
  }

  async #dial(addresses: Addresses, id?: string): Promise<Peer> {
    const { key, clock, ways } = this.#parts;
    let last: unknown;
    for (const way of waysTo(ways, addresses)) {
      try {
        const { channel, binding } = await way.dial(addresses[way.path]);
        if (this.#hasLeft) {
          channel.close();
          break;
        }
        const proven = await proveChannel(channel, { key, isDialler: true, name: this.id, binding, clock });
        const isDue = (id ?? proven.name) === proven.name && !this.#peers.has(proven.name);
        if (isDue && !this.#hasLeft) return this.#add(proven.name, proven.channel);
        proven.channel.close();
      } catch (error) {
        last = error;
      }
      if (this.#hasLeft) break;
    }
    throw last ?? unreachable();
  }

  #add(id: string, channel: Contact["channel"]): Peer {
    const peer = new Peer(id, channel, this.#limits.link, this.#parts.clock, {
      said: (peer, word) => this.#hear(peer, word),
      ended: (peer, end) => this.#lost(peer, end),
    });
    this.#peers.set(id, peer);
    this.#watch.add(peer, {
      heardAt: () => peer.link.heardAt,
      beat: () => peer.say({ say: "ping", at: this.#parts.clock.now() }),
      silent: () => peer.fork.close("Nothing was heard from the other side."),
    });
    peer.fork.open();
    return peer;
  }

  #lost(peer: Peer, { problem }: LinkEnd): void {
    this.#watch.remove(peer);
    if (this.#peers.get(peer.id) === peer && peer.stage !== "member") this.#peers.delete(peer.id);
    const joining = this.#joining;
    joining?.linking.get(peer)?.reject(unreachable());
    if (joining?.host === peer) {
      const remedy = "Try again: the room may have another host by then.";
      joining.reject(
        new CrinkleError({ tag: "Unreachable", problem: `The link to the host ended: ${problem}`, remedy }),
      );
    }
    if (this.isHost && !this.#hasLeft) this.#host.admit();
    this.#changed();
  }

  #hear(peer: Peer, word: Word): void {
    switch (word.say) {
      case "ping":
        peer.say({ say: "pong", at: word.at });
        return;
      case "pong":
        peer.roundTripMs = this.#parts.clock.now() - word.at;
        return;
      case "ask":
        this.#onAsk(peer, word);
        return;
      case "present":
        if (peer.stage !== "stranger") throw malformed("presents itself twice");
        peer.ticket = word.ticket;
        this.#admitLink(peer);
        return;
      case "meshed":
        if (this.isHost) this.#host.meshed(peer);
        return;
      case "unreachable":
        if (this.isHost) this.#host.lacks(peer, word.ids);
        return;
      case "expect":
        this.#onExpect(peer, word.who);
        return;
      case "wait":
        if (peer === this.#joining?.host) this.#parts.waits?.();
        return;
      case "linked":
        this.#joining?.linking.get(peer)?.resolve();
        return;
      case "refuse":
      case "invite":
      case "welcome":
        this.#onAnswer(peer, word);
    }
  }

  #onAsk(peer: Peer, { about, addresses }: Extract<Word, { say: "ask" }>): void {
    if (peer.stage !== "stranger") throw malformed("asks twice");
    peer.about = about;
    peer.addresses = addresses;
    if (this.isHost) this.#host.ask(peer);
    else this.#host.refuse(peer, "This rank is not the room's host any more. Try again.");
    this.#changed();
  }

  #onExpect(from: Peer, who: Introduction): void {
    const host = this.#joining?.host?.id ?? this.#member?.epoch.names[0];
    if (from.id !== host) throw malformed("announces somebody, which only the host does");
    this.#expected.add(who);
    const peer = this.#peers.get(who.id);
    if (peer?.ticket !== undefined) this.#admitLink(peer);
  }

  /** Links somebody whom the host has announced, once it has said the word that the host gave it. */
  #admitLink(peer: Peer): void {
    const who = this.#expected.get(peer.id);
    if (!who) return;
    if (who.ticket !== peer.ticket) throw malformed("presents a ticket that the host did not give it");
    this.#expected.delete(peer.id);
    peer.about = who.about;
    peer.addresses = who.addresses;
    peer.advance("linked");
    this.#member?.connect(peer.id, peer.fork.member);
    peer.say({ say: "linked" });
    this.#changed();
  }

  #onAnswer(peer: Peer, word: Extract<Word, { say: "refuse" | "invite" | "welcome" }>): void {
    const joining = this.#joining;
    if (!joining || this.#member) return;
    if (word.say === "welcome") {
      if (peer.stage !== "linked") throw malformed("welcomes somebody that it is not linked to");
      if (!word.ids.includes(this.id)) throw malformed("welcomes somebody else");
      this.#begin(word.epoch, word.ids);
      joining.resolve();
    } else if (peer !== joining.host) throw malformed("answers though nobody asked it");
    else if (word.say === "refuse")
      joining.reject(new CrinkleError({ tag: "Refused", problem: word.reason }));
    else void this.#link(peer, word.others, joining);
  }

  /** Links to everybody who is in the room. The first is the host itself. */
  async #link(host: Peer, [own, ...others]: readonly Introduction[], joining: Joining): Promise<void> {
    host.about = own?.about;
    host.addresses = own?.addresses ?? {};
    host.advance("linked");
    const missing = await Promise.all(
      others.map(async (other) => {
        try {
          await this.#linkTo(other, joining);
          return [];
        } catch {
          return [other.id];
        }
      }),
    );
    const ids = missing.flat();
    if (ids.length > 0) host.say({ say: "unreachable", ids });
    else host.say({ say: "meshed" });
  }

  async #linkTo(other: Introduction, joining: Joining): Promise<void> {
    const peer = await this.#dial(other.addresses, other.id);
    peer.about = other.about;
    peer.addresses = other.addresses;
    peer.say({ say: "present", ticket: other.ticket });
    await new Promise<void>((resolve, reject) => {
      joining.linking.set(peer, { resolve, reject });
      if (peer.hasEnded) reject(unreachable());
    });
    peer.advance("linked");
  }

  #begin(number: number, names: readonly string[]): void {
    const { clock, timing } = this.#parts;
    const linked = [...this.#peers.values()].filter(({ stage }) => stage === "linked");
    this.#member = new Member({
      name: this.id,
      epoch: number,
      names,
      links: new Map(linked.map(({ id, fork }) => [id, fork.member])),
      tuning: (ids) => tuningOf(ids.map((id) => this.#addressesOf(id))),
      clock,
      timing,
      began: (epoch) => this.#began(epoch, true),
      left: (problem) => {
        this.#end();
        this.#parts.left?.(problem);
      },
    });
    this.#began(this.#member.epoch, false);
  }

  #addressesOf(id: string): Addresses {
    return id === this.id ? this.#entry().addresses : (this.#peers.get(id)?.addresses ?? {});
  }

  #began(epoch: Epoch, welcomes: boolean): void {
    const { names, number } = epoch;
    for (const peer of this.#peers.values()) {
      const isIn = names.includes(peer.id);
      if (isIn && peer.stage !== "member") {
        peer.advance("member");
        this.#watch.remove(peer);
        if (welcomes) peer.say({ say: "welcome", epoch: number, ids: names });
      } else if (!isIn && peer.stage === "member") this.#peers.delete(peer.id);
    }
    this.#parts.began?.(epoch);
    this.#changed();
    for (const door of this.#doors) door.keep(this.isHost);
    if (this.isHost) this.#host.admit();
  }

  #ping(): void {
    const { clock } = this.#parts;
    this.#stopPing = clock.after(pingEvery, () => {
      for (const peer of this.#peers.values()) {
        if (peer.stage === "member") peer.say({ say: "ping", at: clock.now() });
      }
      this.#ping();
    });
  }

  #changed(): void {
    this.#parts.changed?.(this);
  }

  #end(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#stopPing();
    this.#watch.stop();
    for (const door of this.#doors) door.keep(false);
    for (const peer of this.#peers.values()) peer.fork.close("The rank has left.");
    for (const way of this.#parts.ways) way.close();
    this.#changed();
  }
}

interface Joining {
  host: Peer | undefined;
  resolve(): void;
  reject(error: CrinkleError): void;
  /** Those who have yet to say that they are linked. */
  readonly linking: Map<Peer, { resolve(): void; reject(error: CrinkleError): void }>;
}

const unreachable = () =>
  new CrinkleError({
    tag: "Unreachable",
    problem: "The room's host cannot be reached.",
    remedy: "Check that its page is open, and that both machines can reach the server in the link.",
  });

const cancelled = () => new CrinkleError({ tag: "Cancelled", problem: "Joining was cancelled." });
