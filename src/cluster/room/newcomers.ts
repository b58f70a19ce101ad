import { malformed } from "../wire/frame.ts";
import type { Expected } from "./expected.ts";
import type { Peer } from "./peer.ts";
import type { Introduction } from "./words.ts";

/** A member's part in others' joining: it links to those whom the host announces. */
export class Newcomers {
  readonly #expected: Expected;
  readonly #peers: ReadonlyMap<string, Peer>;
  readonly #linked: (peer: Peer) => void;

  /** `linked` hears who has a link to this member, and waits for the host to admit it. */
  constructor(expected: Expected, peers: ReadonlyMap<string, Peer>, linked: (peer: Peer) => void) {
    this.#expected = expected;
    this.#peers = peers;
    this.#linked = linked;
  }

  /** The host has said that somebody comes. */
  expect(who: Introduction): void {
    this.#expected.add(who);
    const peer = this.#peers.get(who.id);
    if (peer?.ticket !== undefined) this.#admit(peer);
  }

  /** Somebody says that the host sent it. Throws BadMessage where it did not, or says so twice. */
  present(peer: Peer, ticket: string): void {
    if (peer.stage !== "stranger") throw malformed("presents itself twice");
    peer.ticket = ticket;
    this.#admit(peer);
  }

  /** Sends somebody who asks here to the host, where that is known; elsewhere who asks may find it a little later. */
  redirect(peer: Peer, host: Peer | undefined): void {
    const close = () => peer.fork.close("This rank is not the room's host.");
    if (!host || host.hasEnded) close();
    else peer.fork.say({ say: "redirect", id: host.id, addresses: host.addresses }).then(close, close);
  }

  /** Links somebody whom the host has announced, once it has said the word that the host gave it. */
  #admit(peer: Peer): void {
    const who = this.#expected.get(peer.id);
    if (!who) return;
    if (who.ticket !== peer.ticket) throw malformed("presents a ticket that the host did not give it");
    this.#expected.delete(peer.id);
    peer.about = who.about;
    peer.addresses = who.addresses;
    peer.advance("linked");
    this.#linked(peer);
    peer.say({ say: "linked" });
  }
}
