import { CrinkleError } from "../../core/errors.ts";
import type { Clock } from "../clock.ts";
import { proveChannel } from "../membership/handshake.ts";
import type { RoomKey } from "../membership/room-key.ts";
import { Watch, type WatchTiming } from "../membership/watch.ts";
import type { LinkEnd } from "../transport/link.ts";
import type { RoomBounds } from "./limits.ts";
import { Peer } from "./peer.ts";
import { probeSuspect } from "./suspicion.ts";
import { type Contact, type Way, waysTo } from "./way.ts";
import type { Addresses, Word } from "./words.ts";

export interface LinksParts {
  readonly key: RoomKey;
  /** The own member's id. */
  readonly id: string;
  readonly ways: readonly Way[];
  readonly clock: Clock;
  readonly timing: WatchTiming;
  readonly limits: RoomBounds;
  /** A word came, other than those by which round trips are measured. */
  heard(peer: Peer, word: Word): void;
  /** Those who were no members are not among the peers any more. */
  lost(peer: Peer, end: LinkEnd): void;
}

/** Milliseconds between measurements of round trips. */
const pingEvery = 2000;

/** The links to everybody else: dialled or taken, proved by the room's key, and watched. */
export class Links {
  /** By id. */
  readonly peers = new Map<string, Peer>();
  readonly #parts: LinksParts;
  /** Over those who are no members yet. */
  readonly #watch: Watch<Peer>;
  hasEnded = false;
  #stopPing = () => {};

  constructor(parts: LinksParts) {
    this.#parts = parts;
    this.#watch = new Watch(parts.clock, parts.timing);
    for (const way of parts.ways) way.listen((contact) => void this.meet(contact));
    this.#ping();
  }

  /** Somebody dialled. */
  async meet({ channel, binding, packets }: Contact): Promise<void> {
    const { key, id, clock, limits } = this.#parts;
    const strangers = [...this.peers.values()].filter(({ stage }) => stage === "stranger");
    if (this.hasEnded || strangers.length >= limits.strangers) {
      channel.close();
      return;
    }
    try {
      const proven = await proveChannel(channel, { key, isDialler: false, name: id, binding, clock });
      if (this.hasEnded || this.peers.has(proven.name) || proven.name === id) proven.channel.close();
      else {
        const peer = this.#add(proven.name, { channel: proven.channel, packets });
        peer.limit(limits.askMs, () => peer.fork.close("It did not say what it wants."));
      }
    } catch (error) {
      if (!(error instanceof CrinkleError)) throw error;
    }
  }

  /** Links to whoever is at these addresses, or to nobody but who has this id. Rejects where that is not to be had. */
  async dial(addresses: Addresses, due?: string): Promise<Peer> {
    const { key, id, clock, ways } = this.#parts;
    let last: unknown;
    for (const way of waysTo(ways, addresses)) {
      try {
        const { channel, binding, packets } = await way.dial(addresses[way.path]);
        if (this.hasEnded) {
          channel.close();
          break;
        }
        const proven = await proveChannel(channel, { key, isDialler: true, name: id, binding, clock });
        const isDue = (due ?? proven.name) === proven.name && !this.peers.has(proven.name);
        if (isDue && !this.hasEnded) return this.#add(proven.name, { channel: proven.channel, packets });
        proven.channel.close();
      } catch (error) {
        last = error;
      }
      if (this.hasEnded) break;
    }
    throw last ?? unreachable();
  }

  /** An epoch has begun, which watches its members; those who are new hear the welcome. */
  settle(ids: readonly string[], welcome: Word | undefined): void {
    for (const peer of this.peers.values()) {
      const isIn = ids.includes(peer.id);
      if (isIn && peer.stage !== "member") {
        peer.advance("member");
        this.#watch.remove(peer);
        if (welcome) peer.say(welcome);
      } else if (!isIn && peer.stage === "member") this.peers.delete(peer.id);
    }
  }

  /** Takes a hint that a member may be gone: `gone` is called unless there is a sign of life. */
  suspect(id: string, gone: () => void): void {
    const peer = this.peers.get(id);
    if (peer?.stage === "member") probeSuspect(peer, this.#parts.clock, gone);
  }

  end(): void {
    this.hasEnded = true;
    this.#stopPing();
    this.#watch.stop();
    for (const peer of this.peers.values()) peer.fork.close("The rank has left.");
    for (const way of this.#parts.ways) way.close();
  }

  #add(id: string, contact: Pick<Contact, "channel" | "packets">): Peer {
    const { clock, limits } = this.#parts;
    const peer = new Peer(id, contact, limits, clock, {
      said: (peer, word) => this.#hear(peer, word),
      ended: (peer, end) => this.#lost(peer, end),
    });
    this.peers.set(id, peer);
    this.#watch.add(peer, {
      heardAt: () => peer.link.heardAt,
      beat: () => peer.ping(),
      silent: () => peer.fork.close("Nothing was heard from the other side."),
    });
    peer.fork.open();
    return peer;
  }

  #hear(peer: Peer, word: Word): void {
    if (word.say === "ping") peer.say({ say: "pong", at: word.at });
    else if (word.say === "pong") peer.roundTripMs = this.#parts.clock.now() - word.at;
    else this.#parts.heard(peer, word);
  }

  #lost(peer: Peer, end: LinkEnd): void {
    this.#watch.remove(peer);
    if (this.peers.get(peer.id) === peer && peer.stage !== "member") this.peers.delete(peer.id);
    this.#parts.lost(peer, end);
  }

  #ping(): void {
    const { clock } = this.#parts;
    this.#stopPing = clock.after(pingEvery, () => {
      for (const peer of this.peers.values()) {
        if (peer.stage === "member") peer.ping();
      }
      this.#ping();
    });
  }
}

export const unreachable = (): CrinkleError =>
  new CrinkleError({
    tag: "Unreachable",
    problem: "The room's host cannot be reached.",
    remedy: "Check that its page is open, and that both machines can reach the server in the link.",
  });
